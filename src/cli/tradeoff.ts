// `discreet tradeoff`: W and E|θ| of every mechanism over ε or over the adjacency, and the ε that a wanted
// utility needs.

import type { Command } from 'commander';
import {
  type Alternative,
  alternatives,
  type Design,
  design,
  outputDistance,
  parseGoal,
  type Wish,
} from '../design/index.js';
import {
  parseDecimal,
  type Rational,
  rational,
  toDecimal,
  toDecimalUp,
  toNumberNear,
} from '../exact/index.js';
import { textTable } from '../plot/index.js';
import type { Pmf } from '../pmf/index.js';
import { readDelta, readEpsilon, readLattice, readPrior } from './input.js';
import { checkOutputs, printJson, rough, utilityOf, writeOutput } from './output.js';
import { picture } from './picture.js';
import { progressLine } from './progress.js';

interface Options {
  readonly epsilon: string;
  readonly adjacency: string;
  readonly step: string;
  readonly delta: string;
  readonly points: string;
  readonly prior?: string;
  readonly priorIsPublic?: boolean;
  readonly targetW?: string;
  readonly svg?: string;
  readonly csv?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function addTradeoff(program: Command): void {
  program
    .command('tradeoff')
    .summary('utility against privacy: curves over ε or m, and their inverse')
    .description('W and E|θ| of the optimum and of every alternative, over a range of ε or of the adjacency.')
    .requiredOption('--epsilon <e|from..to>', 'ε, or a range of it: 0.1..4')
    .requiredOption('--adjacency <m|from..to>', 'the adjacency in data units, or a range of it: 1..40')
    .option('--points <n>', 'points in the range', '12')
    .option('--delta <d>', 'the δ to meet', '0')
    .option('--step <step>', 'Δ, the distance of neighbouring values', '1')
    .option('--prior <prior>', 'the distribution of the input, for W; without it only E|θ|')
    .option('--prior-is-public', 'a prior read from a column is public')
    .option('--target-w <w>', 'the smallest ε of the range whose optimum has a W of at most this')
    .option('--svg <file>', 'draw the curves')
    .option('--csv <file>', 'write the curves')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  discreet tradeoff --prior poisson:rate=5 --epsilon 0.1..4 --adjacency 15
  discreet tradeoff --prior gaussian:sigma=10 --epsilon 2 --adjacency 1..40 --svg curves.svg --csv curves.csv
  discreet tradeoff --prior poisson:rate=5 --epsilon 0.1..6 --adjacency 15 --target-w 1`,
    )
    .action(run);
}

interface Row {
  readonly epsilon: string;
  readonly adjacency: string;
  readonly mechanism: string;
  readonly noise: string | null;
  readonly w: number | null;
  readonly meanAbs: number;
  /** Proved for the optimum; null for the others. */
  readonly lowerBound: number | null;
}

async function run(options: Options): Promise<void> {
  const delta = readDelta(options.delta);
  const step = parseDecimal(options.step, '--step');
  const count = Number(options.points);
  if (!Number.isInteger(count) || count < 2 || count > 1000)
    throw new RangeError(`--points: expected a whole number from 2 to 1000, got ${options.points}`);
  const epsilons = range(options.epsilon, '--epsilon');
  const adjacencies = range(options.adjacency, '--adjacency');
  if (epsilons.to && adjacencies.to)
    throw new RangeError('--epsilon and --adjacency: expected a range for one of them, got two');
  if (options.targetW === undefined && !epsilons.to && !adjacencies.to)
    throw new RangeError(
      '--epsilon: expected a range, as in 0.1..4, or a range for --adjacency, as in 1..40',
    );
  checkOutputs([options.svg, options.csv], options.force === true, options.json === true);
  if (options.targetW !== undefined && (options.svg !== undefined || options.csv !== undefined))
    throw new RangeError('--target-w: gives one ε and no curve; leave out --svg and --csv');
  readLattice({ step: options.step, adjacency: adjacencies.to ?? adjacencies.from });
  const prior =
    options.prior === undefined ? null : readPrior(options.prior, step, options.priorIsPublic === true);
  const wish: Wish = {
    goal: parseGoal(prior ? 'wasserstein' : 'magnitude', step),
    prior: prior?.pmf ?? null,
    unbiased: false,
    symmetric: false,
  };
  const solve = (epsilon: string, adjacency: string) => {
    const target = {
      epsilon: positive(epsilon),
      delta,
      adjacency: readLattice({ step: options.step, adjacency }).adjacency,
    };
    return { target, found: design(target, wish, step, progress.show) };
  };
  const progress = progressLine();
  if (options.targetW !== undefined) {
    inverse(options, epsilons, adjacencies, wish, (epsilon) => solve(epsilon, adjacencies.from).found);
    progress.end();
    return;
  }
  const grid = epsilons.to
    ? spaced(epsilons.from, epsilons.to, count, '--epsilon').map(
        (epsilon) => [epsilon, adjacencies.from] as const,
      )
    : lattice(adjacencies.from, adjacencies.to!, count, step).map((m) => [epsilons.from, m] as const);
  const rows: Row[] = [];
  for (const [epsilon, adjacency] of grid) {
    progress.show(`ε = ${epsilon}, adjacency ${adjacency}`);
    const { target, found } = solve(epsilon, adjacency);
    const entry = (mechanism: string, noise: string | null, pmf: Pmf, w: number | null): Row => ({
      epsilon,
      adjacency,
      mechanism,
      noise,
      w,
      meanAbs: utilityOf(pmf).meanAbs,
      lowerBound: mechanism === 'optimum' ? found.lowerBound : null,
    });
    const { pmf } = found.mechanism;
    rows.push(entry('optimum', null, pmf, wish.prior && outputDistance(wish.prior, pmf)));
    for (const other of alternatives(target, wish, step)) rows.push(fromAlternative(entry, other));
  }
  progress.end();
  const over = epsilons.to ? 'epsilon' : 'adjacency';
  if (options.csv !== undefined) writeOutput(options.csv, csv(rows), options.force === true);
  if (options.svg !== undefined)
    writeOutput(options.svg, await draw(rows, over, options, wish.prior !== null), options.force === true);
  if (options.json) {
    printJson({
      over,
      step: Number(options.step),
      delta: Number(options.delta),
      prior: prior && { spec: prior.spec, cut: prior.cut },
      rows: rows.map((row) => ({
        ...row,
        epsilon: Number(row.epsilon),
        adjacency: Number(row.adjacency),
      })),
    });
    return;
  }
  if (options.csv === '-' || options.svg === '-') return;
  process.stdout.write(`${table(rows, over, wish.prior !== null)}\n`);
}

function fromAlternative(
  entry: (mechanism: string, noise: string | null, pmf: Pmf, w: number | null) => Row,
  { name, noise, pmf, wasserstein: w }: Alternative,
): Row {
  return entry(name, noise, pmf, w);
}

/** The smallest ε, to six digits, by bisection; W falls with ε, for more noise is allowed at a smaller one. */
function inverse(
  options: Options,
  epsilons: { from: string; to: string | null },
  adjacencies: { from: string; to: string | null },
  wish: Wish,
  at: (epsilon: string) => Design,
): void {
  if (!wish.prior)
    throw new RangeError('--target-w: W needs the distribution of the data; give it with --prior');
  if (adjacencies.to) throw new RangeError('--target-w: expected one --adjacency, got a range');
  const wanted = parseDecimal(options.targetW!, '--target-w');
  if (wanted.num <= 0n) throw new RangeError(`--target-w: expected a value above 0, got ${options.targetW}`);
  const goal = toNumberNear(wanted);
  let [low, high] = [positive(epsilons.from), positive(epsilons.to ?? epsilons.from)];
  let best = at(toDecimal(high));
  if (!(best.value <= goal)) {
    throw new RangeError(
      `--target-w: no ε up to ${toDecimal(high)} reaches W = ${options.targetW}; there the optimum has ${rough(best.value)}, and no noise has less than ${rough(best.lowerBound)}; allow a larger ε or W`,
    );
  }
  // At the range's low end the noise may be too wide to design; then that is not enough either.
  const first = attempt(() => at(toDecimal(low)));
  let below = first;
  if (first && first.value <= goal) [high, best] = [low, first];
  else {
    const near = (x: Rational) => toNumberNear(x);
    while (near(high) - near(low) > 1e-6 * near(high)) {
      const middle = parseDecimal(
        toDecimalUp(rational(low.num * high.den + high.num * low.den, 2n * low.den * high.den), 9),
      );
      if (near(middle) >= near(high) || near(middle) <= near(low)) break;
      const found = attempt(() => at(toDecimal(middle)));
      if (found && found.value <= goal) [high, best] = [middle, found];
      else [low, below] = [middle, found];
    }
  }
  const { meanAbs } = utilityOf(best.mechanism.pmf);
  const result = {
    targetW: goal,
    epsilon: toNumberNear(high),
    w: best.value,
    meanAbs,
    /** At this ε the proved lower bound is above the target, unless it is the range's first. */
    notEnough:
      below && !(first && first.value <= goal)
        ? { epsilon: toNumberNear(low), lowerBound: below.lowerBound }
        : null,
  };
  if (options.json) {
    printJson(result);
    return;
  }
  const lines = [
    `ε = ${toDecimalUp(high, 9)} is the smallest${result.notEnough ? '' : ' of the range'} whose optimum has W ≤ ${options.targetW}: W ${rough(best.value)}, E|θ| ${rough(meanAbs)}`,
  ];
  if (result.notEnough && below && below.lowerBound > goal)
    lines.push(`At ε = ${toDecimalUp(low, 9)} no noise reaches it: W is at least ${rough(below.lowerBound)}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function attempt(solve: () => Design): Design | null {
  try {
    return solve();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function positive(text: string): Rational {
  const epsilon = readEpsilon(text);
  if (epsilon.num <= 0n) throw new RangeError(`--epsilon: expected a value above 0, got ${text}`);
  return epsilon;
}

function range(text: string, flag: string): { from: string; to: string | null } {
  const [from = '', to, ...rest] = text.split('..');
  if (rest.length > 0) throw new RangeError(`${flag}: expected a value or a range as in 0.1..4, got ${text}`);
  const [a, b] = [from, to ?? from].map((part) => parseDecimal(part, flag)) as [Rational, Rational];
  if (to !== undefined && toNumberNear(a) >= toNumberNear(b))
    throw new RangeError(`${flag}: expected a range that rises, as in 0.1..4, got ${text}`);
  return { from, to: to ?? null };
}

/** Evenly spaced on a logarithmic scale, both ends included; eight digits in between. */
function spaced(from: string, to: string, count: number, flag: string): string[] {
  const [a, b] = [from, to].map((text) => toNumberNear(parseDecimal(text, flag))) as [number, number];
  if (!(a > 0)) throw new RangeError(`${flag}: expected a value above 0, got ${from}`);
  return Array.from({ length: count }, (_, i) =>
    i === 0
      ? from
      : i === count - 1
        ? to
        : String(Math.min(b, Math.max(a, Number((a * (b / a) ** (i / (count - 1))).toPrecision(8))))),
  );
}

/** Multiples of the step, as many as there are up to the count. */
function lattice(from: string, to: string, count: number, step: Rational): string[] {
  const [a, b] = [from, to].map(
    (text) => readLattice({ step: toDecimal(step), adjacency: text }).adjacency,
  ) as [number, number];
  const all = Array.from({ length: count }, (_, i) => Math.round(a + ((b - a) * i) / (count - 1)));
  return [...new Set(all)].map((m) => toDecimal(rational(BigInt(m) * step.num, step.den)));
}

function csv(rows: readonly Row[]): string {
  const lines = rows.map(({ epsilon, adjacency, mechanism, noise, w, meanAbs, lowerBound }) =>
    [
      epsilon,
      adjacency,
      mechanism,
      noise === null ? '' : `"${noise}"`,
      w ?? '',
      meanAbs,
      lowerBound ?? '',
    ].join(','),
  );
  return `${['epsilon,adjacency,mechanism,noise,w,mean_abs,lower_bound', ...lines].join('\n')}\n`;
}

function table(rows: readonly Row[], over: 'epsilon' | 'adjacency', hasW: boolean): string {
  const names = [...new Set(rows.map(({ mechanism }) => mechanism))];
  const keys = [...new Set(rows.map((row) => row[over]))];
  const block = (title: string, value: (row: Row) => number | null) => {
    const cells = keys.map((key) => [
      key,
      ...names.map((name) => {
        const row = rows.find((r) => r[over] === key && r.mechanism === name);
        return row ? rough(value(row)) : '–';
      }),
    ]);
    return `${title}\n${textTable([over === 'epsilon' ? 'ε' : 'm', ...names], cells)}`;
  };
  return [
    ...(hasW ? [block('W of output from input', ({ w }) => w)] : []),
    block('E|θ|', ({ meanAbs }) => meanAbs),
  ].join('\n\n');
}

async function draw(
  rows: readonly Row[],
  over: 'epsilon' | 'adjacency',
  options: Options,
  hasW: boolean,
): Promise<string> {
  const { charts, document } = await picture();
  const names = [...new Set(rows.map(({ mechanism }) => mechanism))];
  const chart = (title: string, y: string, value: (row: Row) => number | null) =>
    charts.lineChart(
      names.map((name) => ({
        name,
        points: rows
          .filter(({ mechanism }) => mechanism === name)
          .map((row) => ({ x: Number(row[over]), y: value(row) ?? 0 })),
      })),
      {
        title,
        x: over === 'epsilon' ? 'ε' : 'adjacency m, in data units',
        y,
        logX: over === 'epsilon',
        logY: true,
        height: 420,
      },
      document,
    );
  const fixed = over === 'epsilon' ? `m = ${options.adjacency}` : `ε = ${options.epsilon}`;
  return charts.stacked([
    ...(hasW ? [chart(`Distance of output from input, ${fixed}`, 'W, in data units', ({ w }) => w)] : []),
    chart(`Error of a record, ${fixed}`, 'E|θ|, in data units', ({ meanAbs }) => meanAbs),
  ]);
}
