// The law behind simulated runs: W of the distributions, and the expectation of W between samples, which is larger.

import { invalid } from '../error/index.js';
import { toNumberNear } from '../exact/index.js';
import { convolveDoubles, lastIndex, outputOf, type Pmf, probabilities, wasserstein } from '../pmf/index.js';
import type { Simulation } from './simulate.js';
import { type Crossing, meanAbsoluteOf } from './walk.js';

/** The population W, and the expectation of the empirical one: by how many records cross each point upward less downward. */
export function lawOf({ input, noise, records, held = false }: Simulation) {
  const unit = toNumberNear(input.step);
  const population = wasserstein(input, outputOf(input, noise));
  const px = probabilities(input, input.from, lastIndex(input)).p;
  const reach = Math.max(reachOf(noise, 'left'), reachOf(noise, 'right'));
  const [from, to] = [noise.from - reach, lastIndex(noise) + reach];
  if (to - from + px.length > WIDEST)
    throw invalid(
      `simulate: expected noise within ${WIDEST} steps, got about ${Number((to - from).toPrecision(2))}; use a larger step`,
    );
  const { p, beyond } = probabilities(noise, Math.min(from, 0), Math.max(to, 0));
  const first = Math.min(from, 0);
  // P(θ > j) for j ≥ 0, and P(θ ≤ −1 − j) likewise
  const above = new Float64Array(p.length + first);
  const below = new Float64Array(-first);
  let sum = beyond.right.mass;
  for (let j = above.length - 1; j >= 0; j--) {
    above[j] = sum;
    sum += p[j - first]!;
  }
  sum = beyond.left.mass;
  for (let j = below.length - 1; j >= 0; j--) below[j] = sum += p[-1 - j - first]!;
  if (held) checkEffort(input, above.length + below.length, records);
  const crossings: Iterable<Crossing[]> = held
    ? ofEach(input, above, below)
    : ofDrawn(input, px, above, below, records);
  let expectation = 0;
  for (const groups of crossings)
    if (groups.some(({ up, down }) => up + down > 1e-17)) expectation += meanAbsoluteOf(groups);
  return { population, expectation: (expectation / records) * unit };
}

/** For each k, records drawn from the input. Crossing k upward: x ≤ k < x + θ; downward: x + θ ≤ k < x. */
function ofDrawn(
  input: Pmf,
  px: Float64Array,
  above: Float64Array,
  below: Float64Array,
  records: number,
): Crossing[][] {
  const crossings = new Map<number, Crossing[]>();
  const upward = convolveDoubles(px, above);
  for (let i = 0; i < upward.length; i++)
    crossings.set(input.from + i, [{ up: upward[i]!, down: 0, records }]);
  const downward = below.length > 0 ? convolveDoubles(px.slice().reverse(), below) : below;
  for (let i = 0; i < downward.length; i++) {
    const k = lastIndex(input) - 1 - i;
    crossings.set(k, [{ up: crossings.get(k)?.[0]?.up ?? 0, down: downward[i]!, records }]);
  }
  return [...crossings.values()];
}

/** For each k, the records that are held and may cross it: those of one value are alike. */
function* ofEach(input: Pmf, above: Float64Array, below: Float64Array): Generator<Crossing[]> {
  const values = input.weights
    .map((count, i) => ({ x: input.from + i, records: Number(count) }))
    .filter(({ records }) => records > 0);
  const [first, last] = [input.from - below.length, lastIndex(input) + above.length];
  let [from, to] = [0, 0];
  for (let k = first; k < last; k++) {
    while (from < values.length && k - values[from]!.x >= above.length) from++;
    while (to < values.length && values[to]!.x - k <= below.length) to++;
    yield values.slice(Math.min(from, to), to).map(({ x, records }) => ({
      up: x <= k ? above[k - x]! : 0,
      down: x > k ? below[x - k - 1]! : 0,
      records,
    }));
  }
}

/** Steps that the expectation may take: some seconds. */
const MOST_STEPS = 3e9;

function checkEffort(input: Pmf, reach: number, records: number): void {
  const values = input.weights.filter((count) => count > 0n).length;
  if (values * reach * Math.min(records, 6000) > MOST_STEPS)
    throw invalid(
      `simulate: expected fewer different values, or noise of fewer steps: ${values} values under noise within ${reach} steps take too long; use a larger {step}`,
    );
}

/** Lattice points over which the expectation is computed. */
const WIDEST = 2_000_000;

/** How far beyond its window a tail is still worth counting. */
function reachOf(noise: Pmf, side: 'left' | 'right'): number {
  const tail = noise[side];
  if (!tail) return 0;
  const fall = toNumberNear({ num: tail.ratio.den - tail.ratio.num, den: tail.ratio.den });
  return tail.period * Math.ceil(Math.log(1e-15) / Math.log1p(-fall));
}
