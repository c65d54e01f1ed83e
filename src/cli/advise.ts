// `discreet advise`: from the header and stated facts to the commands that release a column. No value is read.

import { basename, extname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { releaseRequest, rowsOf } from '../door/index.js';
import { unquoted, wrong } from '../error/index.js';
import { divide, integer, multiply, toDecimal, toDecimalDown } from '../exact/index.js';
import { emptyLedger } from '../ledger/index.js';
import { utilityOf } from '../mechanism/index.js';
import { tryRelease } from '../release/index.js';
import { bestGuess, budgetWarning, COMMAND, percentUp, personRisk, shellWord } from '../report/index.js';
import { readPositive, readPositiveEpsilon } from '../spec/index.js';
import { noteLists } from './common-options.js';
import { readWhole } from './input.js';
import { addLocate } from './locate.js';
import { define, type Maybe, type Needed } from './options.js';
import { print, printJson, rough, tableText } from './output.js';
import { trialEffects } from './surroundings.js';

type Options = Needed<'column'> &
  Maybe<
    'adjacency' | 'perPerson' | 'person' | 'times' | 'epsilon' | 'dataset' | 'step' | 'encoding' | 'delimiter'
  > & {
    readonly json?: boolean;
  };

/** What is shown to choose from. */
const STRENGTHS = ['0.25', '0.5', '1', '2'];

export function add(program: Command): void {
  addLocate(
    define(
      program,
      'advise',
      'Asks a few questions about a column and prints the commands that release it. It reads the header, never a value; what is said with an option is not asked.',
      `Examples:
  discreet advise visits.csv --column visits
  discreet advise visits.csv --column visits --adjacency 5 --per-person 1 --times 4 --epsilon 0.5

What the words mean is in docs/guide.md.`,
    ),
  )
    .argument('<input>', 'the file that is to be released')
    .requiredOption('--column <name>', 'the column to protect; one, for each has an adjacency of its own')
    .option('--adjacency <m>', 'how far one person’s value may have been from what it is, unnoticed')
    .option('--per-person <k>', 'rows that one person may have')
    .option('--person <column>', 'the column that tells persons apart, where they have several rows')
    .option('--times <n>', 'how often this data will be released in all')
    .option('--epsilon <e>', 'ε of each release')
    .option('--dataset <name>', 'the name of the data in the ledger (default: the file’s)')
    .option('--step <step>', 'values are multiples of it (default: 1)')
    .option('--encoding <name>', 'of text that is not UTF-8, such as windows-1252, which latin1 is read as')
    .option('--delimiter <char>', 'of delimited text (default: found in the header)')
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run(input: string, options: Options): Promise<void> {
  const { column, dataset = basename(input).replace(/\..*$/, ''), step } = options;
  const questions = asking();
  try {
    const { encoding, delimiter } = options;
    const steps = { ...(step === undefined ? {} : { step }), encoding, delimiter };
    noteLists([column], 'ask for each by itself, and repeat --column and --adjacency in what is printed');
    // First of all, whether the column is there, with any noise: an adjacency that no step is above.
    const { unchanged } = await trial(input, column, { epsilon: '1', adjacency: step ?? '1', ...steps });
    const leaving = (unchanged ?? []).map(unquoted).join(', ');
    questions.say(
      unchanged === null
        ? 'All other columns leave as they are.'
        : unchanged.length === 0
          ? 'No other column is there.'
          : `These columns leave as they are, and nothing protects them: ${leaving}.`,
    );
    const adjacency = await questions.ask(
      options.adjacency,
      'adjacency',
      `How far could one person's ${column} have been from what it is, and nobody may find out? (the adjacency, such as 5)`,
      null,
    );
    readPositive(adjacency, 'adjacency');
    const perPerson = await questions.ask(
      options.perPerson,
      'perPerson',
      'How many rows may one person have?',
      '1',
    );
    const rows = rowsOf(perPerson);
    const person =
      rows === 1 && options.person === undefined
        ? ''
        : await questions.ask(
            options.person,
            'person',
            'Which column tells persons apart, so that their rows are counted? (empty: none)',
            '',
          );
    const times = await questions.ask(
      options.times,
      'times',
      'How often will you release this data in all?',
      '1',
    );
    const often = readWhole(times, 'times', 1);
    const strengths = [];
    for (const epsilon of new Set([
      ...STRENGTHS,
      ...(options.epsilon === undefined ? [] : [options.epsilon]),
    ])) {
      const facts = { epsilon, adjacency, perPerson: rows, ...steps };
      const { job, quote } = await trial(input, column, facts);
      const [own, charge] = [job.columns[0]!, quote.spending.charges[0]!];
      const { meanAbs } = utilityOf(own.mechanism.pmf);
      strengths.push({
        epsilon,
        bestGuess: personRisk(job, quote.spending, quote.account).bestGuess,
        oneValue: bestGuess(own, charge),
        meanError: meanAbs,
      });
    }
    questions.say(
      `\nWhoever knows that ${rows === 1 ? 'a value is' : `each value of a person's ${rows} rows is`} one of two that are ${adjacency} apart guesses ${rows === 1 ? '' : 'which of them they are '}right half of the time. With the release:\n\n${tableText(
        ['ε', 'right at most', ...(rows === 1 ? [] : ['of one value']), 'a value is off by, on average'],
        strengths.map((own) => [
          own.epsilon,
          percentUp(own.bestGuess),
          ...(rows === 1 ? [] : [percentUp(own.oneValue)]),
          rough(own.meanError),
        ]),
      )}\n`,
    );
    const epsilon = await questions.ask(
      options.epsilon,
      'epsilon',
      'Which ε for each release? 1 is a good beginning, less is more private.',
      '1',
    );
    const total = toDecimal(multiply(readPositiveEpsilon(epsilon), integer(often)));
    const tooMuch = budgetWarning(total);
    const ending =
      extname(input) === '' ? '.csv' : input.slice(input.lastIndexOf('/') + 1).replace(/^[^.]*/, '');
    const word = shellWord;
    const commands = [
      `${COMMAND} ledger init --dataset ${word(dataset)} --epsilon ${total} --adjacency ${word(`${column}=${adjacency}`)} --per-person ${rows}`,
      `${COMMAND} release ${word(input)} --column ${word(column)} --epsilon ${epsilon}${step === undefined ? '' : ` --step ${step}`}${encoding === undefined ? '' : ` --encoding ${word(encoding)}`}${delimiter === undefined ? '' : ` --delimiter ${word(delimiter)}`} --dataset ${word(dataset)}${person === '' ? '' : ` --person ${word(person)} --drop ${word(person)}`} -o ${word(`${dataset}-released${ending}`)} --report ${word(`${dataset}-report.html`)}`,
    ];
    if (options.json)
      printJson({
        unchanged: unchanged?.filter((name) => name !== person) ?? null,
        adjacency,
        perPerson: rows,
        times: often,
        epsilon,
        strengths,
        commands,
      });
    else
      print(
        'Once, to set the budget:',
        `  ${commands[0]}`,
        often > 1 ? `Then each of ${often} times:` : 'Then:',
        `  ${commands[1]}`,
        ...(tooMuch
          ? [
              `Mind: ${tooMuch}. For ${often} releases, ε = ${toDecimalDown(divide(integer(3), integer(often)), 2)} each would be 3 in all.`,
            ]
          : []),
        ...(person === ''
          ? []
          : [
              `${unquoted(person)} tells persons apart, so --drop leaves it out of what is published; without it, it would leave as it is.`,
            ]),
        'With --dry-run at its end the last one tells everything beforehand, and releases nothing.',
      );
  } finally {
    questions.close();
  }
}

/** Headers alone are read; there is no ledger yet. */
async function trial(
  input: string,
  column: string,
  facts: {
    readonly epsilon: string;
    readonly adjacency: string;
    readonly perPerson?: number;
    readonly step?: string;
    readonly encoding: string | undefined;
    readonly delimiter: string | undefined;
  },
) {
  const request = releaseRequest({
    input,
    output: '-',
    outputFormat: 'csv',
    columns: [column],
    dataset: 'advised',
    ...facts,
  });
  return tryRelease(request, trialEffects(await emptyLedger('advised')));
}

/** Questions on standard error, answers from standard input. */
function asking() {
  let lines: ReturnType<typeof createInterface> | null = null;
  let answers: AsyncIterator<string> | null = null;
  const say = (words: string) => process.stderr.write(`${words}\n`);
  return {
    say,
    ask: async (given: string | undefined, field: string, question: string, usual: string | null) => {
      if (given !== undefined) return given;
      process.stderr.write(`${question}${usual === null || usual === '' ? '' : ` [${usual}]`} `);
      lines ??= createInterface({ input: process.stdin });
      answers ??= lines[Symbol.asyncIterator]();
      const { value, done } = await answers.next();
      if (!process.stdin.isTTY) say('');
      const answer = done ? '' : value.trim();
      if (answer === '' && (usual === null || done))
        throw wrong(`${done ? 'there was no answer' : 'an answer is needed'}; say it with {${field}}`);
      return answer === '' ? usual! : answer;
    },
    close: () => lines?.close(),
  };
}
