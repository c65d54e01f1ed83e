// `discreet choose`: the exponential mechanism over named candidates.

import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import { multiply, parseDecimal, type Rational, rational, toDecimal, toNumberNear } from '../exact/index.js';
import { type Quote, type Reservation, refuseBeyond, type Wish } from '../ledger/index.js';
import { PrivacyError } from '../mechanism/index.js';
import { choose, entropySource, exponentialMechanism } from '../random/index.js';
import { holdsDigit, indexOfText, type Lattice, latticeOf } from '../release/index.js';
import { readsLike } from '../spec/index.js';
import { accountJson, accountWords } from './account.js';
import { parseCsv } from './csv.js';
import { readEpsilon, readText } from './input.js';
import { printJson } from './output.js';
import { ledgerFrom, openLedgerFor, readPerPerson } from './release-common.js';
import { rowShare } from './release-noise.js';
import { LEDGER_OPTION } from './release-options.js';

interface Options {
  readonly epsilon: string;
  readonly sensitivity: string;
  readonly step: string;
  readonly dataset?: string;
  readonly part?: string;
  readonly perPerson?: string;
  readonly ledger?: string;
  readonly json?: boolean;
}

export function addChoose(program: Command): void {
  program
    .command('choose')
    .summary('choose one of several named candidates by score, privately')
    .description(
      'The exponential mechanism: candidates are public, scores are not; a better score makes a candidate more likely.',
    )
    .argument('<scores>', 'CSV with the columns candidate and score (- for standard input)')
    .requiredOption('--epsilon <e>', 'ε of the choice for one person, all their rows together')
    .requiredOption('--sensitivity <s>', 'how far one record may move any score')
    .option('--step <step>', 'Δ: scores are rounded to multiples of it, halves up', '1')
    .option('--dataset <name>', 'the dataset in the ledger (default: the file’s name)')
    .option(
      '--part <name>',
      'the part of the dataset that this is; the scores must have the partition’s column',
    )
    .option('--per-person <k>', 'rows that one person may have (default: the budget’s)')
    .option(...LEDGER_OPTION)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  discreet choose scores.csv --epsilon 1 --sensitivity 1
  discreet choose scores.csv --epsilon 0.5 --sensitivity 0.25 --step 0.25 --json

What it costs is written to the ledger first. The scores themselves are not printed, and neither are the probabilities: they would give the scores away.`,
    )
    .action(run);
}

async function run(path: string, options: Options): Promise<void> {
  const epsilon = readEpsilon(options.epsilon);
  if (epsilon.num === 0n) throw new RangeError(`--epsilon: expected a value above 0, got ${options.epsilon}`);
  const step = parseDecimal(options.step, '--step');
  if (step.num <= 0n) throw new RangeError(`--step: expected a positive decimal, got ${options.step}`);
  const sensitivity = parseDecimal(options.sensitivity, '--sensitivity');
  if (sensitivity.num <= 0n)
    throw new RangeError(`--sensitivity: expected a value above 0, got ${options.sensitivity}`);
  const { chosen, candidates, reservation, head, ledger } = await charged(
    path,
    options,
    { epsilon, sensitivity },
    (share, part) => {
      const candidates = readScores(path, latticeOf(step), part);
      const choice = exponentialMechanism(candidates, { epsilon: share, sensitivity, step });
      return {
        candidates: candidates.length,
        draw: () => candidates[choose(choice, entropySource(globalThis.crypto))]!.name,
      };
    },
  );
  if (options.json) {
    printJson({
      chosen,
      candidates,
      epsilon: toNumberNear(epsilon),
      sensitivity: toNumberNear(sensitivity),
      ...accountJson(reservation),
      ledger,
      entry: reservation.sequence,
      head,
    });
  } else {
    process.stdout.write(`${chosen}\n`);
    process.stderr.write(`${accountWords(reservation, ledger, false).join('\n')}\n`);
  }
}

/** The candidates and their scores; those of a part must say so in its column. */
function readScores(path: string, lattice: Lattice, part: { column: string; value: string } | null) {
  const [titles = [], ...rows] = parseCsv(readText(path));
  const header = titles.map((title) => title.trim().toLowerCase());
  const [name, score] = ['candidate', 'score'].map((column) => header.indexOf(column)) as [number, number];
  if (name < 0 || score < 0) {
    throw new RangeError(
      `${path}: expected the columns candidate and score, got ${header.length === 0 ? 'nothing' : header.some((title) => /^[-+]?[\d.]/.test(title)) ? 'what looks like values: add a header line' : header.join(', ')}`,
    );
  }
  if (part) checkPart(path, titles, rows, part);
  const seen = new Set<string>();
  return rows.map((row, i) => {
    const label = row[name] ?? '';
    if (seen.has(label))
      throw new RangeError(
        `${path}, row ${i + 1}: expected each candidate once, got ${JSON.stringify(label)} again`,
      );
    seen.add(label);
    return { name: label, score: scoreOf(row[score] ?? '', lattice, path, i) };
  });
}

function checkPart(
  path: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { column, value }: { column: string; value: string },
): void {
  const at = titles.findIndex((title) => readsLike(title, column));
  if (at < 0)
    throw new PrivacyError(
      `--part: ${path} has no column ${JSON.stringify(column)}, so nothing shows which part its scores are of; add the column, or leave --part out`,
    );
  if (rows.some((row) => row[at] !== value))
    throw new RangeError(`${path}: a row has another ${JSON.stringify(column)} than the part ${value}`);
}

/** The choice, once it is paid for: scores are not read before the budget is known to suffice, and what goes to standard output stays spent. */
async function charged(
  path: string,
  options: Options,
  { epsilon, sensitivity }: { epsilon: Rational; sensitivity: Rational },
  read: (
    share: Rational,
    part: { column: string; value: string } | null,
  ) => { candidates: number; draw: () => string },
): Promise<{ chosen: string; candidates: number; reservation: Reservation; head: string; ledger: string }> {
  const ledger = await openLedgerFor(ledgerFrom(options.ledger), false);
  try {
    const wish: Wish = {
      act: 'choose',
      dataset: options.dataset ?? null,
      inputName: path === '-' ? null : basename(path, extname(path)),
      part: options.part ?? null,
      input: path === '-' ? 'standard input' : basename(path),
      output: 'standard output',
      perPerson: readPerPerson(options.perPerson),
      perPersonEnforced: false,
      price: (_budget, rows) => [
        {
          on: 'choice',
          mechanism: null,
          adjacency: toDecimal(sensitivity),
          epsilon: toDecimal(rowShare(epsilon, rows)),
          delta: '0',
        },
      ],
    };
    const quote = await ledger.quote(wish);
    refuseBeyond(quote);
    const { candidates, draw } = read(rowShare(epsilon, quote.spending.perPerson ?? 1), partOf(quote));
    const reservation = await ledger.reserve(wish, quote);
    const chosen = draw();
    const head = await ledger.settle(reservation.sequence, 'complete', '1 choice');
    return { chosen, candidates, reservation, head, ledger: ledger.shown };
  } finally {
    await ledger.close();
  }
}

function partOf({ budget, spending }: Quote): { column: string; value: string } | null {
  return spending.part !== null && budget?.partition
    ? { column: budget.partition.column, value: spending.part }
    : null;
}

/** A score, rounded to the lattice and held within it: whether one is refused must not depend on how large it is. */
function scoreOf(text: string, lattice: Lattice, path: string, row: number): Rational {
  const index = indexOfText(text, lattice);
  if (index !== null) return multiply(rational(index), lattice.step);
  if (holdsDigit(text))
    throw new RangeError(
      `${path}: a score is text with digits that is no plain number, such as 85+ or 1,234; write plain numbers`,
    );
  throw new RangeError(`${path}, row ${row + 1}: expected a score such as 12 or 0.5, got a word or nothing`);
}
