// `discreet choose`: the exponential mechanism over named candidates.

import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import { parseDecimal, rational, toDecimal, toNumberNear } from '../exact/index.js';
import { openLedger, type Reservation, refuseBeyond, type Wish } from '../ledger/index.js';
import { choose, entropySource, exponentialMechanism } from '../random/index.js';
import { accountJson, accountWords } from './account.js';
import { parseCsv } from './csv.js';
import { readEpsilon, readText } from './input.js';
import { printJson } from './output.js';
import { DEFAULT_LEDGER } from './release-options.js';

interface Options {
  readonly epsilon: string;
  readonly sensitivity: string;
  readonly step: string;
  readonly dataset?: string;
  readonly part?: string;
  readonly ledger: string;
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
    .requiredOption('--epsilon <e>', 'ε of the choice')
    .requiredOption('--sensitivity <s>', 'how far one record may move any score')
    .option('--step <step>', 'Δ: scores are multiples of it', '1')
    .option('--dataset <name>', 'the dataset in the ledger (default: the file’s name)')
    .option('--part <name>', 'the part of the dataset that this is')
    .option('--ledger <file>', 'the ledger: a file or postgres://…', DEFAULT_LEDGER)
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
  const { chosen, candidates, reservation, head } = await charged(
    path,
    options,
    toDecimal(epsilon),
    toDecimal(sensitivity),
    () => {
      const [titles = [], ...rows] = parseCsv(readText(path));
      const header = titles.map((title) => title.trim().toLowerCase());
      const [name, score] = ['candidate', 'score'].map((column) => header.indexOf(column)) as [
        number,
        number,
      ];
      if (name < 0 || score < 0) {
        throw new RangeError(
          `${path}: expected the columns candidate and score, got ${header.length === 0 ? 'nothing' : header.some((name) => /^[-+]?[\d.]/.test(name)) ? 'what looks like values: add a header line' : header.join(', ')}`,
        );
      }
      const seen = new Set<string>();
      const candidates = rows.map((row, i) => {
        const label = row[name] ?? '';
        if (seen.has(label))
          throw new RangeError(
            `${path}, row ${i + 1}: expected each candidate once, got ${JSON.stringify(label)} again`,
          );
        seen.add(label);
        return { name: label, score: scoreOf(row[score] ?? '', path, i) };
      });
      const choice = exponentialMechanism(candidates, { epsilon, sensitivity, step });
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
      sensitivity: toNumberNear(rational(sensitivity.num, sensitivity.den)),
      ...accountJson(reservation),
      entry: reservation.sequence,
      head,
    });
  } else {
    process.stdout.write(`${chosen}\n`);
    process.stderr.write(`${accountWords(reservation, options.ledger, false).join('\n')}\n`);
  }
}

/** The choice, once it is paid for: scores are not read before the budget is known to suffice, and what goes to standard output stays spent. */
async function charged(
  path: string,
  options: Options,
  epsilon: string,
  sensitivity: string,
  read: () => { candidates: number; draw: () => string },
): Promise<{ chosen: string; candidates: number; reservation: Reservation; head: string }> {
  const ledger = await openLedger(options.ledger, { create: true });
  try {
    const wish: Wish = {
      act: 'choose',
      dataset: options.dataset ?? null,
      inputName: path === '-' ? null : basename(path, extname(path)),
      part: options.part ?? null,
      input: path === '-' ? 'standard input' : basename(path),
      output: 'standard output',
      perPerson: null,
      perPersonEnforced: false,
      price: () => [{ on: 'choice', mechanism: null, adjacency: sensitivity, epsilon, delta: '0' }],
    };
    refuseBeyond(await ledger.quote(wish));
    const { candidates, draw } = read();
    const reservation = await ledger.reserve(wish);
    const chosen = draw();
    const head = await ledger.settle(reservation.sequence, 'complete', '1 choice');
    return { chosen, candidates, reservation, head };
  } finally {
    await ledger.close();
  }
}

/** A score; the error names the row, not the score, which is protected. */
function scoreOf(text: string, path: string, row: number) {
  try {
    return parseDecimal(text.trim());
  } catch {
    throw new RangeError(`${path}, row ${row + 1}: expected a decimal score such as 12 or 0.5`);
  }
}
