// `discreet prior`: the distribution of a column, for what it costs.

import type { Command } from 'commander';
import { priorRequest } from '../door/index.js';
import { probabilities } from '../pmf/index.js';
import { type PriorReleased, prior, tryPrior } from '../release/index.js';
import { inAllOf, inAllWords, personRisk, personWords } from '../report/index.js';
import {
  addCellOptions,
  addInputOptions,
  type CellFlags,
  cellOptions,
  INPUT_MEANING,
  type InputOptions,
  inputOptions,
  pairOf,
} from './common-options.js';
import { accountJson, accountWords } from './cost-words.js';
import { onLedger } from './on-ledger.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { note, print, printJson } from './output.js';
import { chart } from './recover-words.js';

type Options = InputOptions &
  CellFlags &
  Needed<'column' | 'range' | 'epsilon'> &
  Maybe<'delta' | 'step' | 'adjacency'> &
  Flags<'thresholds' | 'skipInvalid'>;

export function add(program: Command): void {
  const command = define(
    program,
    'prior',
    'The distribution of a column from the data themselves, for what it costs: a private histogram, and what most likely lies behind it. Noise that is designed for it needs no public knowledge of the data.',
    `Examples:
  discreet prior visits.csv --column visits --range 0,77 --epsilon 0.1 --dataset visits -o prior.csv
  discreet design --epsilon 0.9 --adjacency 5 --prior prior.csv -o mechanism.json
  discreet prior visits.csv --column visits --range 0,77 --epsilon 0.1 --thresholds --adjacency 5 -o prior.csv

A record that moves leaves one count for another, however little it moves: two changes for each row of a person. Below
thresholds an adjacency apart (--thresholds) it changes one count: half the noise, and values in between are guessed. The
range comes from public knowledge; values outside it count as its nearest end. What it costs is in the ledger before a
row is read, and the file says so. release --prior-share does both in one; mostly the prior does not win back what it\ncosts the noise, which --dry-run shows beforehand.`,
  )
    .argument('<input>', INPUT_MEANING)
    .requiredOption('--column <name>', 'the column')
    .requiredOption('--range <low,high>', 'the lowest and the highest value there can be')
    .requiredOption('--epsilon <e>', 'ε for one person')
    .requiredOption('-o, --output <file.csv>', 'where to write it')
    .option('--delta <d>', 'δ for one person (default: 0)')
    .option('--step <step>', 'Δ: values are rounded to multiples of it (default: 1)')
    .option('--thresholds', 'count values below thresholds, which a record crosses one of at most')
    .option('--adjacency <m>', 'how far apart they are at least (default: the budget’s adjacency)')
    .option('--skip-invalid', 'pass over cells that are no numbers at all')
    .option('--part <name>', 'the part of the dataset that this is');
  addInputOptions(addCellOptions(command)).action((input: string, options: Options) =>
    run(input, { ...options, map: options.map ?? [] }),
  );
}

async function run(address: string, options: Options): Promise<void> {
  const { column, epsilon, delta, step, thresholds, adjacency, skipInvalid } = options;
  const request = priorRequest({
    ...inputOptions(address, options),
    ...{ column, epsilon, delta, step, thresholds, adjacency, skipInvalid },
    ...cellOptions(options),
    range: pairOf('range', '0,77')(options.range),
  });
  await onLedger(
    options,
    request,
    (effects) => tryPrior(request, effects),
    (effects) => prior(request, effects),
    async (done, { ledger }) => show(done, ledger.shown, options),
  );
}

function show(done: PriorReleased, ledger: string, options: Options): void {
  const { reservation, head, settled, prior: found, job } = done;
  if (!settled)
    note(
      `the ledger could not be told that entry ${reservation.sequence} is complete; it counts as spent all the same`,
    );
  const risk = personRisk(job, reservation.spending);
  const inAll = inAllOf(job.columns, reservation);
  const { from, weights } = found.pmf;
  const unit = Number(options.step ?? 1);
  const { p } = probabilities(found.pmf, from, from + weights.length - 1);
  const distribution = Array.from(p, (mass, i) => ({
    value: Number(((from + i) * unit).toPrecision(15)),
    mass,
  }));
  if (options.json) {
    printJson({
      prior: options.output,
      column: job.column,
      gap: done.gap,
      ...accountJson(reservation),
      ledger,
      entry: reservation.sequence,
      head,
      bestGuess: risk.bestGuess,
      inAll,
      distribution,
    });
    return;
  }
  print(
    `The distribution of ${job.column} on ${options.range.replace(',', ' … ')}, in ${job.output.shown}: it is paid for, and may be used and shown like anything public`,
    ...accountWords(reservation, ledger, false),
    `head       ${head}`,
    `entry      ${reservation.sequence}, as the file says`,
    `guess      ${personWords(risk)}`,
    ...inAllWords(inAll).map((words) => `guess      ${words}`),
    `next       discreet design --prior ${options.output} …, or discreet release --prior ${options.output} …`,
    '',
    chart(distribution),
  );
}
