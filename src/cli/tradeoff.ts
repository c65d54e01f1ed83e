// `discreet tradeoff`: W and E|θ| of every mechanism over ε or over the adjacency, and the ε that a wanted
// utility needs.

import type { Command } from 'commander';
import { type DesignOptions, design, leastEpsilon, parseObjective, tradeoffAt } from '../design/index.js';
import { invalid, wrong } from '../error/index.js';
import { type Rational, rational, toDecimal, toDecimalUp, toNumberNear } from '../exact/index.js';
import { utilityOf } from '../mechanism/index.js';
import { readDecimal, readDelta, readPositive, readPositiveEpsilon, readSteps } from '../spec/index.js';
import { readPrior } from './input.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { checkDocuments, print, printJson, rough, writeOutput } from './output.js';
import { progressLine } from './progress.js';
import { type Curves, csv, draw, type Row, table } from './tradeoff-words.js';

type Options = Needed<'epsilon' | 'adjacency' | 'step' | 'delta' | 'points'> &
  Maybe<'prior' | 'targetW' | 'svg' | 'csv'> &
  Flags<'priorIsPublic' | 'force' | 'json'>;

export function add(program: Command): void {
  define(
    program,
    'tradeoff',
    'W and E|θ| of the optimum and of every alternative, over a range of ε or of the adjacency.',
    `Examples:
  discreet tradeoff --prior poisson:rate=5 --epsilon 0.1..4 --adjacency 15
  discreet tradeoff --prior gaussian:sigma=10 --epsilon 2 --adjacency 1..40 --svg curves.svg --csv curves.csv
  discreet tradeoff --prior poisson:rate=5 --epsilon 0.1..6 --adjacency 15 --target-w 1`,
  )
    .requiredOption('--epsilon <e|from..to>', 'ε, or a range of it: 0.1..4')
    .requiredOption('--adjacency <m|from..to>', 'the adjacency in data units, or a range of it: 1..40')
    .option('--points <n>', 'points in the range', '12')
    .option('--delta <d>', 'the δ to meet', '0')
    .option('--step <step>', 'Δ, the distance of neighbouring values', '1')
    .option('--prior <prior>', 'the distribution of the input, for W; without it only E|θ|')
    .option('--prior-is-public', 'a prior read from a column is public')
    .option(
      '--target-w <w>',
      'an ε of the range whose optimum has a W of at most this, the smallest where that can be proved',
    )
    .option('--svg <file>', 'draw the curves')
    .option('--csv <file>', 'write the curves')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run(options: Options): Promise<void> {
  const delta = readDelta(options.delta);
  const step = readPositive(options.step, 'step');
  const count = Number(options.points);
  if (!Number.isInteger(count) || count < 2 || count > 1000)
    throw invalid(`points: expected a whole number from 2 to 1000, got ${options.points}`);
  const epsilons = range(options.epsilon, 'epsilon');
  const adjacencies = range(options.adjacency, 'adjacency');
  if (epsilons.to && adjacencies.to)
    throw wrong('{epsilon} and {adjacency}: expected a range for one of them, got two');
  if (options.targetW === undefined && !epsilons.to && !adjacencies.to)
    throw invalid('epsilon: expected a range, as in 0.1..4, or a range for {adjacency}, as in 1..40');
  checkDocuments([options.svg, options.csv], options.force === true, options.json === true);
  if (options.targetW !== undefined && (options.svg !== undefined || options.csv !== undefined))
    throw invalid('targetW: gives one ε and no curve; leave out {svg} and {csv}');
  const stepsOf = (adjacency: string) => readSteps({ step: options.step, adjacency }).adjacency;
  stepsOf(adjacencies.to ?? adjacencies.from);
  const prior = readPrior(options, step);
  const wanted: DesignOptions = {
    objective: parseObjective(prior ? 'wasserstein' : 'magnitude', step),
    prior,
    unbiased: false,
    symmetric: false,
  };
  const progress = progressLine();
  if (options.targetW !== undefined) {
    if (!prior) throw invalid('targetW: W needs the distribution of the data; give it with {prior}');
    if (adjacencies.to) throw invalid('targetW: expected one {adjacency}, got a range');
    const adjacency = stepsOf(adjacencies.from);
    inverse(options, epsilons, (epsilon) =>
      design({ epsilon, delta, adjacency }, wanted, step, progress.show),
    );
    progress.end();
    return;
  }
  const grid = epsilons.to
    ? spaced(epsilons.from, epsilons.to, count).map((epsilon) => [epsilon, adjacencies.from] as const)
    : multiples(stepsOf(adjacencies.from), stepsOf(adjacencies.to!), count, step).map(
        (m) => [epsilons.from, m] as const,
      );
  const rows = grid.flatMap(([epsilon, adjacency]): Row[] => {
    progress.show(`ε = ${epsilon}, adjacency ${adjacency}`);
    const target = { epsilon: readPositiveEpsilon(epsilon), delta, adjacency: stepsOf(adjacency) };
    return tradeoffAt(target, wanted, step, progress.show).map((row) => ({ epsilon, adjacency, ...row }));
  });
  progress.end();
  const fixed = epsilons.to ? `m = ${options.adjacency}` : `ε = ${options.epsilon}`;
  const curves: Curves = { rows, over: epsilons.to ? 'epsilon' : 'adjacency', fixed, hasW: prior !== null };
  if (options.csv !== undefined) writeOutput(options.csv, csv(rows), options.force === true);
  if (options.svg !== undefined) writeOutput(options.svg, draw(curves), options.force === true);
  if (options.json)
    printJson({
      over: curves.over,
      step: Number(options.step),
      delta: Number(options.delta),
      prior: prior && { spec: prior.spec, cut: prior.cut },
      rows: rows.map((row) => ({ ...row, epsilon: Number(row.epsilon), adjacency: Number(row.adjacency) })),
    });
  else if (options.csv !== '-' && options.svg !== '-') print(table(curves));
}

/** An ε whose optimum has a W of at most what is wanted, and what is proved of smaller ones. */
function inverse(options: Options, epsilons: Range, at: Parameters<typeof leastEpsilon>[2]): void {
  const wanted = toNumberNear(readPositive(options.targetW!, 'targetW', 'a value above 0'));
  const found = leastEpsilon(
    {
      from: readPositiveEpsilon(epsilons.from),
      to: readPositiveEpsilon(epsilons.to ?? epsilons.from),
    },
    wanted,
    at,
  );
  const { meanAbs } = utilityOf(found.design.mechanism.pmf);
  const { notEnough } = found;
  // Proved to four digits, or nothing smaller was asked for.
  const smallest =
    found.isFirst ||
    (notEnough !== null && toNumberNear(found.epsilon) <= toNumberNear(notEnough.epsilon) * (1 + 1e-4));
  if (options.json) {
    printJson({
      targetW: wanted,
      epsilon: toNumberNear(found.epsilon),
      w: found.design.value,
      meanAbs,
      smallest,
      /** The largest ε at which no noise reaches the target, by a proved bound; null where there is no such proof. */
      notEnough: notEnough && { ...notEnough, epsilon: toNumberNear(notEnough.epsilon) },
    });
    return;
  }
  print(
    `ε = ${toDecimalUp(found.epsilon, 9)} is ${smallest ? `the smallest${found.isFirst ? ' of the range' : ''} that is ` : ''}enough for W ≤ ${options.targetW}: W ${rough(found.design.value)}, E|θ| ${rough(meanAbs)}`,
    ...(notEnough
      ? [
          `Up to ε = ${toDecimalUp(notEnough.epsilon, 9)} no noise reaches it: there W is at least ${rough(notEnough.lowerBound)}`,
        ]
      : found.isFirst
        ? []
        : ['That nothing smaller is enough is not proved']),
  );
}

interface Range {
  readonly from: string;
  readonly to: string | null;
}

function range(text: string, field: string): Range {
  const [from = '', to, ...rest] = text.split('..');
  if (rest.length > 0) throw invalid(`${field}: expected a value or a range as in 0.1..4, got ${text}`);
  const [a, b] = [from, to ?? from].map((part) => toNumberNear(readDecimal(part, field))) as [number, number];
  if (to !== undefined && a >= b)
    throw invalid(`${field}: expected a range that rises, as in 0.1..4, got ${text}`);
  return { from, to: to ?? null };
}

/** Evenly spaced on a logarithmic scale, both ends included; eight digits in between. */
function spaced(from: string, to: string, count: number): string[] {
  const [a, b] = [from, to].map((text) => toNumberNear(readPositiveEpsilon(text))) as [number, number];
  return Array.from({ length: count }, (_, i) =>
    i === 0
      ? from
      : i === count - 1
        ? to
        : String(Math.min(b, Math.max(a, Number((a * (b / a) ** (i / (count - 1))).toPrecision(8))))),
  );
}

/** Multiples of the step, as many as there are up to the count. */
function multiples(a: number, b: number, count: number, step: Rational): string[] {
  const all = Array.from({ length: count }, (_, i) => Math.round(a + ((b - a) * i) / (count - 1)));
  return [...new Set(all)].map((m) => toDecimal(rational(BigInt(m) * step.num, step.den)));
}
