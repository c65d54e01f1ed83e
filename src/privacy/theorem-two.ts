// Theorem 2 [QHFL, Thm 2], a sufficient condition: split the noise values into Θ₀ and Θ₁; if Θ₀ has mass
// at most δ and every ratio p(k − m₀) / p(k) with k − m₀ in Θ₁ is at most c_b, then (log c_b, δ)-DP holds.
// Differs from [QHFL, Eq. 11]: the point that must lie in Θ₁ is the noise value drawn, the numerator's
// k − m₀, because with k in Θ₁ uniform noise would come out (0, 0)-DP.

import { invalid } from '../error/index.js';
import {
  add,
  bitLength,
  exp,
  log,
  minimum,
  multiply,
  one,
  type Rational,
  rational,
  subtract,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { cumulativeWeight, geometricFactor, lastIndex, type Pmf, type Tail, total } from '../pmf/index.js';
import { type ExtendedWindow, extendWindow } from './extended-window.js';
import { slidingMinimum } from './sliding-window.js';
import { type RatioWitness, reachesSup, supRatio } from './sup-ratio.js';

/** Lattice points from `from` to `to`, both included; null is infinity. */
export interface Interval {
  readonly from: number | null;
  readonly to: number | null;
}

export interface SplitGuarantee {
  readonly deltaUpper: Rational;
  /** An upper bound on log c_b; null where a point of Θ₁ meets a zero. */
  readonly epsilonUpper: Rational | null;
  readonly witness: RatioWitness | null;
}

/** What Theorem 2 gives for the split with Θ₀ the union of disjoint intervals. */
export function splitGuarantee(pmf: Pmf, adjacency: number, theta0: readonly Interval[]): SplitGuarantee {
  const finite = theta0.flatMap(({ from, to }) => [from, to]).filter((end): end is number => end !== null);
  const stretch = Math.max(0, ...finite.map((end) => Math.max(pmf.from - end, end - lastIndex(pmf))));
  const window = neighbourhood(pmf, adjacency, stretch);
  let best: { over: bigint; under: bigint; witness: RatioWitness } | null = null;
  for (const { index, value, least, leastIndex } of window.points) {
    if (value === 0n || theta0.some((interval) => contains(interval, index))) continue;
    const witness = { k: leastIndex, shift: leastIndex - index };
    if (least === 0n) return { deltaUpper: massUpper(pmf, theta0), epsilonUpper: null, witness };
    if (!best || value * best.under > best.over * least) best = { over: value, under: least, witness };
  }
  return {
    deltaUpper: massUpper(pmf, theta0),
    epsilonUpper: best && best.over > best.under ? log(rational(best.over, best.under)).upper : zero,
    witness: best?.witness ?? null,
  };
}

export interface BestSplit {
  readonly deltaUpper: Rational;
  readonly theta0: readonly Interval[];
  /** Only every so often a point of a tail is in Θ₀: beyond the listed intervals they go on with its period. */
  readonly repeats: boolean;
}

/**
 * The least δ Theorem 2 can give at ε: exactly the values that some shift makes more than e^ε times
 * less likely must be in Θ₀.
 */
export function bestSplit(pmf: Pmf, adjacency: number, epsilon: Rational): BestSplit {
  // From log c_b on nothing need be in Θ₀; close to it only a finer e^ε could tell.
  if (reachesSup(supRatio(pmf, adjacency), epsilon)) return { deltaUpper: zero, theta0: [], repeats: false };
  const factor = exp(epsilon, 1024).lower;
  const window = neighbourhood(pmf, adjacency, 0, SPLIT_BITS);
  const { scale } = window.extended;
  const last = lastIndex(pmf);
  const sums = { window: 0n, left: 0n, right: 0n };
  const theta0: { from: number | null; to: number | null }[] = [];
  const repeats = (tail: Tail | null, beyond: number) =>
    tail !== null && beyond > adjacency && beyond <= adjacency + tail.period;
  for (const { index, value, least } of window.points) {
    if (value === 0n || value * factor.den <= least * factor.num) continue;
    sums.window += value;
    const inRight = repeats(pmf.right, index - last);
    const inLeft = repeats(pmf.left, pmf.from - index);
    if (inRight) sums.right += value;
    if (inLeft) sums.left += value;
    const previous = theta0[theta0.length - 1];
    if (previous && previous.to === index - 1) previous.to = index;
    else theta0.push({ from: index, to: index });
  }
  const factorOf = (tail: Tail | null) => (tail ? geometricFactor(tail) : zero);
  const weight = add(
    add(rational(sums.window), multiply(rational(sums.left), factorOf(pmf.left))),
    multiply(rational(sums.right), factorOf(pmf.right)),
  );
  const mass = total(pmf);
  const deltaUpper = { num: weight.num * mass.den, den: weight.den * scale * mass.num };
  return {
    deltaUpper: minimum(deltaUpper, one),
    ...withRays(theta0, pmf, window),
  };
}

/** An interval that covers the whole block a tail repeats goes on to infinity. */
function withRays(intervals: readonly Interval[], pmf: Pmf, { first, end }: { first: number; end: number }) {
  let repeats = false;
  const theta0 = intervals.map(({ from, to }) => {
    const leftBlock = pmf.left && from! < first + pmf.left.period;
    const rightBlock = pmf.right && to! > end - pmf.right.period;
    const leftRay = pmf.left && from === first && to! >= first + pmf.left.period - 1;
    const rightRay = pmf.right && to === end && from! <= end - pmf.right.period + 1;
    if ((leftBlock && !leftRay) || (rightBlock && !rightRay)) repeats = true;
    return { from: leftRay ? null : from, to: rightRay ? null : to };
  });
  return { theta0, repeats };
}

/** A point of a tail below 2^−SPLIT_BITS of a weight counts as a zero: Θ₀ grows by next to nothing. */
const SPLIT_BITS = 1024;
/** What is written out for a given split may have this many bits in all. */
const MOST_BITS = 4e9;

interface Point {
  readonly index: number;
  readonly value: bigint;
  /** The least weight within the adjacency, and where. */
  readonly least: bigint;
  readonly leastIndex: number;
}

/** Every point up to where the tails repeat, with the least weight around it. */
function neighbourhood(pmf: Pmf, adjacency: number, stretch: number, bits?: number) {
  const period = Math.max(pmf.left?.period ?? 0, pmf.right?.period ?? 0);
  const outermost = stretch + adjacency + period;
  const reach = outermost + adjacency;
  const extended = extendWindow(pmf, reach, bits ?? bitsFor(pmf, reach));
  const first = pmf.left ? pmf.from - stretch - adjacency - pmf.left.period : pmf.from;
  const end = lastIndex(pmf) + (pmf.right ? stretch + adjacency + pmf.right.period : 0);
  const at = (bounds: readonly bigint[], index: number) => bounds[index - extended.from] ?? 0n;
  const least = slidingMinimum((a, b) => at(extended.lower, a) < at(extended.lower, b), {
    count: end - first + 1,
    low: (n) => first + n - adjacency,
    high: (n) => first + n + adjacency,
  });
  const points: Point[] = Array.from(least, (leastIndex, n) => ({
    index: first + n,
    value: at(extended.upper, first + n),
    least: at(extended.lower, leastIndex),
    leastIndex,
  }));
  return { points, extended: extended as ExtendedWindow, first, end };
}

/** Enough bits that the furthest point written out keeps a precision of 128. */
function bitsFor(pmf: Pmf, reach: number): number {
  const decay = (tail: Tail | null) =>
    tail ? -Math.log2(1 - toNumberNear(subtract(rational(1n), tail.ratio))) * (reach / tail.period + 1) : 0;
  const longest = pmf.weights.reduce((most, weight) => (weight > most ? weight : most), 0n);
  const bits = Math.ceil(decay(pmf.left) + decay(pmf.right)) + bitLength(longest) + 256;
  if (bits * (pmf.weights.length + 2 * reach) > MOST_BITS)
    throw invalid(
      'splitGuarantee: expected a smaller adjacency or a split nearer to the window; the tails fall too far',
    );
  return bits;
}

function contains({ from, to }: Interval, index: number): boolean {
  return (from === null || index >= from) && (to === null || index <= to);
}

function massUpper(pmf: Pmf, intervals: readonly Interval[]): Rational {
  const cumulative = cumulativeWeight(pmf);
  const everything = total(pmf);
  const weight = intervals.reduce((sum, { from, to }) => {
    const above = to === null ? everything : cumulative(to).upper;
    const below = from === null ? zero : cumulative(from - 1).lower;
    return add(sum, subtract(above, below));
  }, zero);
  return rational(weight.num * everything.den, weight.den * everything.num);
}
