// δ = 0, for objectives with a divergence: the noise is a mix of level functions as it is for W, and the divergence is convex in the
// mix. Newton's method mixes those found so far; the tangent where it ends is a linear cost, whose best level function joins them, and
// whose least cost is a lower bound on the whole lattice.

import { bestMix, dot } from '../solve/index.js';
import type { Closeness } from './closeness.js';
import { baseCost, noiseOf, type PureProblem, tailCost } from './level-column.js';
import { bestLevelFunction, NarrowWindow, type PointCosts } from './level-function.js';
import { type Effort, firstReach, type PureSolution, prove, WIDEST } from './pure.js';

interface Law {
  readonly levels: Int32Array;
  /** The output's masses where the input is. */
  readonly output: Float64Array;
  /** What else it costs. */
  readonly linear: number;
}

interface Mix {
  readonly shares: Float64Array;
  readonly output: Float64Array;
  readonly linear: number;
  readonly value: number;
}

/** What a bound is proved with. */
interface Proof {
  readonly cost: PointCosts;
  readonly error: number;
  readonly constant: number;
}

/** Rounds after which an input needs many level functions: two tangents are priced in each. */
const FEW = 5;
/** Newton steps for a mix, and halves of one. */
const MOST_STEPS = 50;
const MOST_HALVES = 40;
/** Of the gap that is left, how exact a mix is. */
const EXACT = 0.1;
/** Rounds without a better bound or value, after which rounding has won. */
const PATIENCE = 5;
/** A pass of the recursion in multiplications a point, as in pure.ts. */
const PASS = 100;

export function solveNear(problem: PureProblem, effort: Effort): PureSolution {
  for (let reach = firstReach(problem); ; reach *= 2) {
    try {
      return generate(problem, problem.closeness!, reach, effort);
    } catch (error) {
      if (!(error instanceof NarrowWindow) || reach > WIDEST) throw error;
    }
  }
}

function generate(problem: PureProblem, closeness: Closeness, reach: number, effort: Effort): PureSolution {
  const { adjacency: m, q } = problem;
  const elsewhere = closeness.elsewhere(reach);
  const base = added(baseCost(problem.objective, reach), elsewhere.values);
  const lawOf = (levels: Int32Array): Law => {
    const noise = noiseOf(levels, reach, problem);
    const linear = dot(base.values, noise.p) + tailCost(base, noise, problem);
    return { levels, output: closeness.output(noise), linear };
  };
  // One point on level 0, then m points on each level, either side.
  let laws = [
    lawOf(Int32Array.from({ length: 2 * reach + 1 }, (_, i) => Math.ceil(Math.abs(i - reach) / m))),
  ];
  let mix = mixOf(closeness, laws, Float64Array.of(1));
  let [bound, work, since, round] = [-Infinity, 0, 0, 0];
  let proof: Proof | null = null;
  let best = mix.output;
  /** The tangent at an output: a better bound, or not, and its best level function. */
  const price = (output: Float64Array): Int32Array => {
    const { slope, constant } = closeness.tangent(output);
    const { cost, error, raised } = costOf(problem, closeness, base, slope, reach);
    const start = dot(slope, mix.output) + mix.linear + raised;
    const { value, levels, passes } = bestLevelFunction(cost, m, q, start);
    work += PASS * cost.values.length * passes;
    if (value - raised + constant > bound) {
      bound = value - raised + constant;
      best = output;
      proof = { cost, error: error + elsewhere.error, constant: constant - raised };
    }
    return levels;
  };
  while (since < PATIENCE && work < effort.work) {
    round++;
    const before = { bound, value: mix.value };
    const near = mix.output.map((o, k) => (o + best[k]!) / 2);
    const found = [price(mix.output), ...(round > FEW ? [price(near)] : [])];
    effort.progress?.(round, mix.value, bound);
    if (mix.value - bound <= effort.gap * mix.value || effort.isStopped()) break;
    laws = [...laws.filter((_, i) => mix.shares[i]! > 0), ...found.map(lawOf)];
    const shares = Float64Array.of(...mix.shares.filter((share) => share > 0), ...found.map(() => 0));
    const { steps, ...next } = mixed(
      closeness,
      laws,
      shares,
      EXACT * Math.max(mix.value - bound, effort.gap * mix.value),
    );
    mix = next;
    work += (1 + steps) * laws.length ** 2 * mix.output.length;
    const isBetter = mix.value < before.value * (1 - 1e-12) || bound > before.bound + 1e-12 * Math.abs(bound);
    since = isBetter ? 0 : since + 1;
  }
  const { cost, error, constant } = proof! as Proof;
  const lowerBound =
    prove(problem, { cost: lowered(cost, error), error: 0 }, bound - constant) +
    constant -
    2 ** -50 * Math.abs(constant);
  const parts = Array.from(mix.shares, (share, i) => ({ share, levels: laws[i]!.levels })).filter(
    ({ share }) => share > 1e-12,
  );
  return {
    reach,
    parts,
    written: null,
    value: mix.value,
    lowerBound: Math.max(0, lowerBound),
    rounds: round,
  };
}

/** The linear cost of each noise value, and by how much it is raised. */
function costOf(
  { symmetric }: PureProblem,
  closeness: Closeness,
  base: PointCosts,
  slope: Float64Array,
  reach: number,
) {
  const { values: own, error } = closeness.cost(slope, reach);
  const values = own.map((v, i) => base.values[i]! + v);
  if (symmetric)
    for (let i = 0; i < reach; i++) {
      const other = values.length - 1 - i;
      values[i] = values[other] = (values[i]! + values[other]!) / 2;
    }
  const raised = -Math.min(
    0,
    values.reduce((a, b) => Math.min(a, b)),
  );
  for (let i = 0; i < values.length; i++) values[i]! += raised;
  return { cost: { ...base, values }, error: error + 2 ** -50 * raised, raised };
}

function added(cost: PointCosts, more: Float64Array): PointCosts {
  return { ...cost, values: cost.values.map((v, i) => v + more[i]!) };
}

function lowered(cost: PointCosts, by: number): PointCosts {
  return { ...cost, values: cost.values.map((v) => v - by) };
}

function mixOf(closeness: Closeness, laws: readonly Law[], shares: Float64Array): Mix {
  const output = new Float64Array(laws[0]!.output.length);
  let linear = 0;
  laws.forEach((law, i) => {
    const share = shares[i]!;
    if (share === 0) return;
    linear += share * law.linear;
    for (let k = 0; k < output.length; k++) output[k]! += share * law.output[k]!;
  });
  return { shares, output, linear, value: closeness.value(output) + linear };
}

/** The best shares, to a gap, by Newton's method. */
function mixed(
  closeness: Closeness,
  laws: readonly Law[],
  start: Float64Array,
  gap: number,
): Mix & { readonly steps: number } {
  let now = mixOf(closeness, laws, start);
  const outputs = laws.map(({ output }) => output);
  let steps = 0;
  for (; steps < MOST_STEPS; steps++) {
    const { slope, bend } = closeness.tangent(now.output);
    const gradient = Float64Array.from(laws, ({ output, linear }) => dot(slope, output) + linear);
    const level = dot(gradient, now.shares);
    if (level - gradient.reduce((a, b) => Math.min(a, b)) <= gap) break;
    const bent = bend.map((v, k) => v * now.output[k]!);
    const gain = Float64Array.from(laws, ({ output }, i) => dot(bent, output) - gradient[i]!);
    const wanted = bestMix(outputs, bend, gain, now.shares);
    const fall = level - dot(gradient, wanted);
    const next = fallen(closeness, laws, now, wanted, fall);
    if (!next) break;
    now = next;
  }
  return { ...now, steps };
}

/** So far towards other shares, by halves, that a part of what the slope promises is there. */
function fallen(
  closeness: Closeness,
  laws: readonly Law[],
  from: Mix,
  wanted: Float64Array,
  fall: number,
): Mix | null {
  for (let [halved, length] = [0, 1]; halved < MOST_HALVES; halved++, length /= 2) {
    const shares = from.shares.map((share, i) => Math.max(0, share + length * (wanted[i]! - share)));
    const sum = shares.reduce((a, b) => a + b, 0);
    const next = mixOf(
      closeness,
      laws,
      shares.map((share) => share / sum),
    );
    if (next.value < from.value && next.value <= from.value - 0.1 * length * fall) return next;
  }
  return null;
}
