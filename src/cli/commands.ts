// What the program can be asked to do.

/** In the order of the help: how each is called, and what for. Its file has its name. */
export const COMMANDS = {
  'advise [options] <input>': 'a few questions about a column, and the commands that release it',
  'studio [options]': 'everything in a browser: a page that this machine serves to itself',
  'release [options] <input>': 'release data: protected columns, a ledger entry, a report',
  'count [options] <input>': 'count rows by public domains, with noise in every cell',
  'pipe [options] [command...]': 'release partition by partition: Arrow, CSV or JSON lines through a pipe',
  'prior [options] <input>': 'the distribution of a column, paid for, to design noise by',
  'recover [options] <released>': 'the distribution and the figures behind a released column',
  ledger: 'budgets: set them, see what is spent, check that nothing was changed',
  'design [options]': 'the least harmful noise for a target, proved optimal',
  'tradeoff [options]': 'utility against privacy: curves over ε or m, and their inverse',
  'analyze [options] <noises...>': 'the exact privacy of a noise',
  'calibrate [options] <family>': 'the least noise of a family that meets a target',
  'compare [options] [noises...]': 'several noises side by side',
  'compile [options] <noise>': 'a noise into a mechanism file with a claim',
  'verify [options] <file>': 'check a mechanism file from its integers alone',
  'sample [options] <mechanism>': 'exact draws from a mechanism file',
  'account [options] [releases...]': 'what many releases cost together, and how many more fit',
  'simulate [options]': 'the distance between samples with and without noise, run after run',
  'reproduce [options]': "the paper's tables and figures, and what is beyond them",
  'choose [options] <scores>': 'choose one of several named candidates by score, privately',
  'audit [options] <command...>': 'test the privacy claim of any program from outside',
};
