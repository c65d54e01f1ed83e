#!/usr/bin/env node

// The command `discreet`. Exit codes: 0 done, 2 bad usage or input, 3 refused for privacy, 1 a fault of ours.

import { Command, CommanderError, Help } from 'commander';
import { cannot, isOurs } from '../error/index.js';
import { systemWords } from '../files/index.js';
import { families } from '../noise/index.js';
import { priorFamilies } from '../prior/index.js';
import { COMMAND, VERSION } from '../report/index.js';
import { COMMANDS } from './commands.js';
import { namesOf } from './fields.js';
import { helpText, listed } from './help-text.js';
import { placeOf } from './locate.js';
import { refuseRepeats } from './options.js';

const formOf = ({ name, parameters }: (typeof families | typeof priorFamilies)[number]) =>
  `${name}:${parameters.map(({ key }) => key).join(',')}`;

/** With these commands, or all of them. */
async function makeProgram(called: readonly string[] | null): Promise<Command> {
  const program = new Command(COMMAND)
    .description(
      'Differential privacy for discrete data: optimal noise, exact guarantees, releases with a ledger.',
    )
    .version(VERSION)
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      helpText(`
A noise is written family:key=value,… with values in data units:
${listed([...families.map(formOf), 'table:path', 'cdf:path'])}
A prior likewise:
${listed([...priorFamilies.map(formOf), 'table:path', 'column:path#name'])}

Examples:
  discreet ledger init --dataset visits --epsilon 3 --adjacency visits=5
  discreet release visits.csv --column visits --epsilon 1 --dataset visits -o released.csv --report report.html
  discreet count visits.csv --by region --domain region=N,S,E,W --epsilon 1 --dataset visits -o counts.csv
  discreet design --epsilon 1 --adjacency 5 --prior poisson:rate=3 -o mechanism.json
  discreet analyze gaussian:sigma=10 --adjacency 15 --epsilon 3.68
  discreet calibrate laplace --epsilon 1 --adjacency 15 -o mechanism.json
  discreet verify mechanism.json`),
    );
  // What is not called is only listed: loading it takes longer than many a command.
  const usages = new Map<Command, string>();
  for (const [usage, summary] of Object.entries(COMMANDS)) {
    const name = usage.split(' ')[0]!;
    if (called === null || called.includes(name)) (await import(`./${name}.js`)).add(program);
    else program.command(name);
    usages.set(program.commands.at(-1)!.summary(summary).exitOverride(), usage);
  }
  refuseRepeats(program);
  const help = new Help();
  return program.configureHelp({
    subcommandTerm: (command) => usages.get(command) ?? help.subcommandTerm(command),
  });
}

/** One sentence on stderr, and the exit code. */
function report(error: unknown, named: (field: string) => string): number {
  const tell = (kind: string, words: string) => process.stderr.write(`${kind}: ${words}\n`);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isOurs(error)) {
    const refused = ['privacy', 'budget', 'ledger'].includes(error.code);
    tell(refused ? 'refused' : 'error', error.words(named));
    return refused ? 3 : 2;
  }
  // A path that the system does not take.
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== undefined && path !== undefined) {
    tell('error', `${path}: ${systemWords(error)}`);
    return 2;
  }
  tell('internal error', error instanceof Error ? error.message : String(error));
  return 1;
}

// A reader that has seen enough (head, less) closes the pipe: that is no error. A full disk is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A release tells it itself, with what became of its entry.
  if (error.code !== 'EPIPE' && !['release', 'count', 'prior', 'pipe'].includes(process.argv[2] ?? ''))
    process.exitCode = report(cannot(`standard output: ${systemWords(error)}`), (field) => field);
});
const args = process.argv.slice(2);
try {
  await (await makeProgram(args)).parseAsync(args, { from: 'user' });
} catch (error) {
  process.exitCode = report(error, isOurs(error) ? namesOf(await makeProgram(null)) : (field) => field);
  const place = placeOf(error, args);
  if (place !== null) process.stderr.write(`located: ${place}\n`);
}
