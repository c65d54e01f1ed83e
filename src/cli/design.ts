// `discreet design`: the least harmful noise for a target, proved private and proved optimal.

import type { Command } from 'commander';
import {
  type Alternative,
  alternatives,
  type Clamped,
  clamped,
  type Design,
  describeStairs,
  design,
  GAP,
  outputDistance,
  parseGoal,
  stairsOf,
  type Wish,
} from '../design/index.js';
import {
  divide,
  isInteger,
  parseDecimal,
  type Rational,
  toDecimal,
  toNumberNear,
  toNumberUp,
} from '../exact/index.js';
import { writeMechanism } from '../mechanism/index.js';
import { massChart, textTable } from '../plot/index.js';
import { lastIndex, outputOf, type Pmf, probabilities, widened } from '../pmf/index.js';
import { readDelta, readEpsilon, readLattice, readPrior } from './input.js';
import {
  checkOutputs,
  errorQuantiles,
  figure,
  jsonFigure,
  printJson,
  rough,
  utilityOf,
  writeOutput,
} from './output.js';
import { bulkOf, picture, pointsOf } from './picture.js';
import { progressLine } from './progress.js';

interface Options {
  readonly adjacency: string;
  readonly step: string;
  readonly epsilon: string;
  readonly delta: string;
  readonly prior?: string;
  readonly priorIsPublic?: boolean;
  readonly objective?: string;
  readonly unbiased?: boolean;
  readonly symmetric?: boolean;
  readonly clamp?: string;
  readonly alternatives: boolean;
  readonly output?: string;
  readonly svg?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function addDesign(program: Command): void {
  program
    .command('design')
    .summary('the least harmful noise for a target, proved optimal')
    .description(
      'Among all noise with the asked guarantee, the one that hurts the least: certified in integers, with a proved lower bound on what any other could reach.',
    )
    .requiredOption('--epsilon <e>', 'the ε to meet')
    .requiredOption('--adjacency <m>', 'how far one record may move, in data units')
    .option('--delta <d>', 'the δ to meet', '0')
    .option('--step <step>', 'Δ, the distance of neighbouring values', '1')
    .option('--prior <prior>', 'what is publicly known of the data: its distribution')
    .option('--prior-is-public', 'a prior read from a column is public')
    .option(
      '--objective <goal>',
      'wasserstein, magnitude (E|θ|), variance (E θ²), tail:t (P(|θ| > t)), or a mix (default: wasserstein with a prior, else magnitude)',
    )
    .option('--unbiased', 'only noise with E θ = 0')
    .option('--symmetric', 'only noise with p(k) = p(−k)')
    .option('--clamp <low,high>', 'report what clamping the output to these bounds gives')
    .option('--no-alternatives', 'leave out the comparison with other noise')
    .option('-o, --output <file>', 'write the mechanism, claim included, to this file')
    .option('--svg <file>', 'draw input, noise and output')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  discreet design --epsilon 1 --adjacency 5
  discreet design --epsilon 2 --adjacency 15 --prior poisson:rate=5 -o mechanism.json
  discreet design --epsilon 1 --delta 1e-6 --adjacency 5
  discreet design --epsilon 1 --adjacency 5 --prior poisson:rate=3 --clamp 0,50 --svg design.svg
  discreet design --epsilon 1 --adjacency 5 --prior poisson:rate=3 --objective wasserstein,magnitude=0.1

W compares the distributions of output and input, not records: read E|θ| beside it. A prior taken from the
data that is to be protected leaks it; name one that is public.
With δ = 0 the optimum is proved for any adjacency. With δ > 0 it is proved while the noise reaches over at most
some 640 steps, about m·(1.1·log(1/δ)/ε + 3) to each side; beyond, blocks of steps are used and the gap is shown.`,
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const { step, adjacency } = readLattice(options);
  const target = { epsilon: readEpsilon(options.epsilon), delta: readDelta(options.delta), adjacency };
  if (target.epsilon.num <= 0n)
    throw new RangeError(`--epsilon: expected a value above 0, got ${options.epsilon}; no noise has ε = 0`);
  const prior =
    options.prior === undefined ? null : readPrior(options.prior, step, options.priorIsPublic === true);
  const objective = options.objective ?? (prior ? 'wasserstein' : 'magnitude');
  const goal = parseGoal(objective, step);
  if (goal.wasserstein > 0 && !prior)
    throw new RangeError('--objective: wasserstein needs the distribution of the data; give it with --prior');
  const bounds = options.clamp === undefined ? null : readClamp(options.clamp, step);
  if (bounds && !prior)
    throw new RangeError(
      '--clamp: what clamping gives depends on the data; give its distribution with --prior',
    );
  checkOutputs([options.output, options.svg], options.force === true, options.json === true);
  const wish: Wish = {
    goal,
    prior: prior?.pmf ?? null,
    unbiased: options.unbiased === true,
    symmetric: options.symmetric === true,
  };
  const progress = progressLine();
  const started = performance.now();
  const found = design(target, wish, step, progress.show);
  progress.end();
  const taken = performance.now() - started;
  const origin = {
    design: {
      objective,
      ...(wish.unbiased ? { unbiased: true } : {}),
      ...(wish.symmetric ? { symmetric: true } : {}),
      value: found.value,
      lowerBound: found.lowerBound,
      prior: prior && { spec: prior.spec, ...(prior.cut ? { cut: prior.cut } : {}), declaredPublic: true },
    },
  };
  const mechanism = { ...found.mechanism, origin };
  if (options.svg !== undefined)
    writeOutput(options.svg, await draw(mechanism.pmf, wish.prior), options.force === true);
  if (options.output !== undefined)
    writeOutput(options.output, writeMechanism(mechanism), options.force === true);
  const others = options.alternatives ? alternatives(target, wish, step) : [];
  const afterClamp = bounds && clamped(wish.prior!, mechanism.pmf, bounds.low, bounds.high);
  process.stderr.write(`solved in ${(taken / 1000).toPrecision(3)} s\n`);
  const report = { options, objective, found, wish, others, afterClamp, prior };
  if (options.json) printJson(json(report));
  else if (options.output !== '-' && options.svg !== '-') process.stdout.write(`${text(report)}\n`);
}

interface Report {
  readonly options: Options;
  readonly objective: string;
  readonly found: Design;
  readonly wish: Wish;
  readonly others: readonly Alternative[];
  readonly afterClamp: Clamped | null;
  readonly prior: { readonly spec: string; readonly cut: string | null } | null;
}

function json({ options, objective, found, wish, others, afterClamp, prior }: Report) {
  const { pmf } = found.mechanism;
  const { mean, meanAbs, std } = utilityOf(pmf);
  const unit = toNumberNear(pmf.step);
  const pure = found.certificate.epsilonUpper;
  return {
    objective,
    value: found.value,
    lowerBound: found.lowerBound,
    gap: found.gap,
    closed: found.gap <= GAP,
    ...jsonFigure('epsilon', isZero(options.delta) ? pure : parseDecimal(options.epsilon)),
    ...jsonFigure('delta', found.certificate.deltaUpper),
    target: { epsilon: Number(options.epsilon), delta: Number(options.delta) },
    step: Number(options.step),
    adjacency: Number(options.adjacency),
    prior: prior && { spec: prior.spec, cut: prior.cut },
    unbiased: wish.unbiased,
    symmetric: wish.symmetric,
    meanAbs,
    mean,
    std,
    wasserstein: distance(wish.prior, pmf),
    errorQuantiles: errorQuantiles(pmf),
    window: {
      from: pmf.from * unit,
      to: lastIndex(pmf) * unit,
      points: pmf.weights.length,
      tails: pmf.left !== null,
    },
    parts: found.parts,
    grain: found.grain,
    stairs: stairsOf(pmf)
      .slice(0, 200)
      .map(({ from, to, width, height }) => ({ from: from * unit, to: to * unit, steps: width, height })),
    clamp: afterClamp && {
      bounds: options.clamp,
      wasserstein: afterClamp.wasserstein,
      meanAbs: afterClamp.meanAbs,
    },
    alternatives: others.map(({ name, noise, pmf: other, value, wasserstein: w }) => {
      const utility = utilityOf(other);
      return {
        name,
        noise,
        value,
        wasserstein: w,
        meanAbs: utility.meanAbs,
        mean: utility.mean,
        std: utility.std,
      };
    }),
    output: options.output ?? null,
  };
}

function text({ options, objective, found, wish, others, afterClamp, prior }: Report): string {
  const { pmf } = found.mechanism;
  const utility = utilityOf(pmf);
  const pure = isZero(options.delta);
  const guarantee = pure
    ? `certified pure ε = ${figure(found.certificate.epsilonUpper)}`
    : `certified δ(${options.epsilon}) = ${figure(found.certificate.deltaUpper)}`;
  const quantiles = errorQuantiles(pmf)
    .map(({ probability, error }) => `${rough(error)} (${probability * 100} %)`)
    .join(', ');
  const w = distance(wish.prior, pmf);
  const row = (name: string, of: Pmf, value: number) => {
    const { meanAbs, mean, std } = utilityOf(of);
    const other = distance(wish.prior, of);
    return [
      name,
      rough(value),
      ...(other === null ? [] : [rough(other)]),
      rough(meanAbs),
      rough(mean),
      rough(std),
    ];
  };
  return [
    `Noise for ε = ${options.epsilon}${pure ? '' : `, δ = ${options.delta}`} at adjacency ${options.adjacency}: the least ${meaning(objective)}`,
    ...(prior ? [`for the input ${prior.spec}${prior.cut ? ` (${prior.cut})` : ''}, taken as public`] : []),
    '',
    `value        ${rough(found.value)}`,
    `lower bound  ${rough(found.lowerBound)}: no noise with this guarantee is better, on the whole lattice`,
    `gap          ${found.gap.toExponential(1)} of the value${gapWords(found)}`,
    `${guarantee} at adjacency ${options.adjacency}, from the compiled integers`,
    '',
    `E|θ| ${rough(utility.meanAbs)}, bias E θ ${rough(utility.mean)}, standard deviation ${rough(utility.std)}${w === null ? '' : `, W ${rough(w)}`}`,
    `A record is off by at most ${quantiles}`,
    ...(afterClamp
      ? [
          `After clamping to ${options.clamp} (free of privacy cost): W ${rough(afterClamp.wasserstein)}, a record is off by ${rough(afterClamp.meanAbs)} on average`,
        ]
      : []),
    '',
    ...describeStairs(pmf, found.parts),
    '',
    massChart(pmf),
    ...(others.length > 0
      ? [
          '',
          textTable(
            ['at the same guarantee', 'value', ...(w === null ? [] : ['W']), 'E|θ|', 'E θ', 'std'],
            [
              row('this design', pmf, found.value),
              ...others.map(({ name, noise, pmf: other, value }) =>
                row(noise ?? `${name} (least E|θ|)`, other, value),
              ),
            ],
          ),
        ]
      : []),
    ...(options.output !== undefined ? ['', `The mechanism is in ${options.output}`] : []),
    ...(options.svg !== undefined ? [`The picture is in ${options.svg}`] : []),
  ].join('\n');
}

function meaning(objective: string): string {
  const words: Record<string, string> = {
    wasserstein: 'Wasserstein distance W of output from input',
    magnitude: 'E|θ|',
    variance: 'E θ²',
  };
  const tail = /^tail:([^,=]+)$/.exec(objective);
  return words[objective] ?? (tail ? `P(|θ| > ${tail[1]})` : objective);
}

function gapWords({ gap, grain, lowerBound }: Design): string {
  if (gap <= GAP) return ': optimal';
  if (lowerBound === 0) return ': no bound was found; the noise is private all the same';
  if (grain > 1)
    return `: the programme for δ was solved on blocks of ${grain} steps, for it has too many points to be solved step by step`;
  return `: the search stopped before it was closed to ${GAP}; the noise is private all the same`;
}

function isZero(text: string): boolean {
  return parseDecimal(text, '--delta').num === 0n;
}

function distance(prior: Pmf | null, noise: Pmf): number | null {
  return prior ? outputDistance(prior, noise) : null;
}

const WIDEST_CLAMP = 5_000_000;

/** Two lattice values, low,high. */
function readClamp(text: string, step: Rational): { low: number; high: number } {
  const parts = text.split(',');
  if (parts.length !== 2) throw new RangeError(`--clamp: expected low,high as in 0,100, got ${text}`);
  const [low, high] = parts.map((part) => {
    const index = divide(parseDecimal(part, '--clamp'), step);
    if (!isInteger(index))
      throw new RangeError(`--clamp: expected multiples of the step ${toDecimal(step)}, got ${part}`);
    return toNumberUp(index);
  }) as [number, number];
  if (low >= high) throw new RangeError(`--clamp: expected low below high, got ${text}`);
  if (!(high - low <= WIDEST_CLAMP && Math.abs(low) <= WIDEST_CLAMP))
    throw new RangeError(`--clamp: expected bounds within ${WIDEST_CLAMP} steps, got ${text}`);
  return { low, high };
}

/** Noise above, input and output below. */
async function draw(noise: Pmf, prior: Pmf | null): Promise<string> {
  const { charts, document } = await picture();
  const unit = toNumberNear(noise.step);
  const { low, high, points } = bulkOf(noise);
  const parts = [
    charts.massCurves(
      [{ name: 'optimum', points }],
      { title: 'The noise', x: 'noise θ, in data units', y: 'probability' },
      document,
    ),
  ];
  if (prior) {
    const output = outputOf(prior, noise);
    const [a, b] = [prior.from + low, lastIndex(prior) + high];
    const first = Math.min(a, output.from);
    const whole = widened(output, first, Math.max(b, output.from + output.p.length - 1)).p;
    const input = probabilities(prior, prior.from, lastIndex(prior)).p;
    parts.push(
      charts.massCurves(
        [
          { name: 'input', points: pointsOf(input, prior.from, a, b, unit) },
          { name: 'output', points: pointsOf(whole, first, a, b, unit) },
        ],
        { title: 'What goes in and what comes out', x: 'value, in data units', y: 'probability' },
        document,
      ),
    );
  }
  return charts.stacked(parts);
}
