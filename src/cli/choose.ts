// `discreet choose`: the exponential mechanism over named candidates.

import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import { rowsOf } from '../door/index.js';
import { toNumberNear } from '../exact/index.js';
import { entropySource } from '../random/index.js';
import { choose } from '../release/index.js';
import { inAllOf, inAllWords, personRisk, personWords } from '../report/index.js';
import { parseCsv, readPositive, readPositiveEpsilon } from '../spec/index.js';
import { accountJson, accountWords } from './cost-words.js';
import { readText } from './input.js';
import { LEDGER_OPTION, ledgerFrom, openLedgerFor } from './ledger-opening.js';
import { addLocate } from './locate.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { print, printJson } from './output.js';

type Options = Needed<'epsilon' | 'sensitivity' | 'step'> &
  Maybe<'dataset' | 'part' | 'perPerson' | 'ledger'> &
  Flags<'json'>;

export function add(program: Command): void {
  addLocate(
    define(
      program,
      'choose',
      'The exponential mechanism: candidates are public, scores are not; a better score makes a candidate more likely.',
      `Examples:
  discreet choose scores.csv --epsilon 1 --sensitivity 1
  discreet choose scores.csv --epsilon 0.5 --sensitivity 0.25 --step 0.25 --json

What it costs is written to the ledger first. The scores themselves are not printed, and neither are the probabilities: they would give the scores away.`,
    ),
  )
    .argument('<scores>', 'CSV with the columns candidate and score (- for standard input)')
    .requiredOption('--epsilon <e>', 'ε of the choice for one person, all their rows together')
    .requiredOption('--sensitivity <s>', 'how far one record may move any score')
    .option('--step <step>', 'Δ: scores are rounded to multiples of it, halves up', '1')
    .option('--dataset <name>', 'the dataset in the ledger (default: the file’s name)')
    .option('--part <name>', 'the part that this is; the scores must have its column')
    .option('--per-person <k>', 'rows that one person may have (default: the budget’s)')
    .option(...LEDGER_OPTION)
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run(path: string, options: Options): Promise<void> {
  const epsilon = readPositiveEpsilon(options.epsilon);
  const step = readPositive(options.step, 'step');
  const sensitivity = readPositive(options.sensitivity, 'sensitivity', 'a value above 0');
  const perPerson = options.perPerson === undefined ? null : rowsOf(options.perPerson);
  const ledger = await openLedgerFor(await ledgerFrom(options.ledger), false);
  try {
    const { chosen, candidates, reservation, head } = await choose(
      {
        shown: path === '-' ? 'standard input' : basename(path),
        name: path === '-' ? null : basename(path, extname(path)),
        read: () => {
          const [titles = [], ...rows] = parseCsv(readText(path));
          return { titles, rows };
        },
        dataset: options.dataset ?? null,
        part: options.part ?? null,
        perPerson,
        epsilon,
        sensitivity,
        step,
      },
      { ledger, entropy: entropySource(globalThis.crypto) },
    );
    const risk = personRisk({ columns: [] }, reservation.spending);
    const inAll = inAllOf([], reservation);
    if (options.json) {
      printJson({
        chosen,
        candidates,
        epsilon: toNumberNear(epsilon),
        sensitivity: toNumberNear(sensitivity),
        ...accountJson(reservation),
        ledger: ledger.shown,
        entry: reservation.sequence,
        head,
        bestGuess: risk.bestGuess,
        inAll,
      });
    } else {
      print(chosen);
      const guesses = [personWords(risk), ...inAllWords(inAll)].map((words) => `guess      ${words}`);
      const lines = [...accountWords(reservation, ledger.shown, false), ...guesses];
      process.stderr.write(`${lines.join('\n')}\n`);
    }
  } finally {
    await ledger.close();
  }
}
