// Which shift maximises the hockey-stick divergence when the noise is not unimodal. Best-first branch
// and bound over ranges of shifts: for all shifts in a range at once, each point is set against the
// least probability in the range. The bounds are doubles rounded against the user; the winners are
// evaluated exactly.

import {
  bitLength,
  compare,
  fromNumber,
  maximum,
  type Rational,
  rational,
  toNumberDown,
  toNumberNear,
} from '../exact/index.js';
import { lastIndex, type Pmf } from '../pmf/index.js';
import type { ExtendedWindow } from './extended-window.js';
import type { ExpEpsilon, HockeyStick } from './hockey-stick.js';

/** Ranges that cannot beat the best by more than this factor are not opened; their bound is kept. */
const TOLERANCE = 1 + 2 ** -43;
/** Points that are looked at for bounds, and in integers, before the search ends with the bound it has. */
const MOST_POINTS = 1_000_000_000;
const MOST_INTEGERS = 30_000_000;

/** The largest divergence; `limited` where the search ended with a bound that is further off. */
export interface LargestShift extends HockeyStick {
  readonly limited?: boolean;
}

interface Range {
  readonly low: number;
  readonly high: number;
  readonly direction: 1 | -1;
  readonly bound: number;
}

export function largestShift(
  pmf: Pmf,
  extended: ExtendedWindow,
  adjacency: number,
  exp: ExpEpsilon,
  evaluate: (shift: number) => HockeyStick,
  start: HockeyStick,
  threshold?: Rational,
): LargestShift {
  const bound = rangeBound(pmf, extended, exp);
  let best = start;
  const open: Range[] = [];
  const size = extended.lower.length;
  // Long ratios count as so many points more.
  const long = [pmf.left, pmf.right].reduce((sum, tail) => sum + (tail ? bitLength(tail.ratio.den) : 0), 0);
  let [points, integers] = [0, 0];
  const add = (low: number, high: number, direction: 1 | -1) => {
    points += 4 * size;
    insert(open, { low, high, direction, bound: bound(low, high, direction) });
  };
  add(1, adjacency, 1);
  add(1, adjacency, -1);
  while (open.length > 0) {
    const range = open.pop()!;
    const least = toNumberDown(best.lower);
    if (least >= 1 || (threshold && compare(best.lower, threshold) > 0))
      return { ...best, upper: rational(1n) };
    if (range.bound <= (threshold ? toNumberDown(threshold) : least * TOLERANCE))
      return { ...best, upper: maximum(best.upper, fromNumber(range.bound)) };
    if (points > MOST_POINTS || integers > MOST_INTEGERS)
      return { ...best, upper: maximum(best.upper, fromNumber(range.bound)), limited: true };
    if (range.low === range.high) {
      integers += size + long;
      const exact = evaluate(range.low * range.direction);
      const upper = maximum(best.upper, exact.upper);
      best = compare(exact.lower, best.lower) > 0 ? { ...exact, upper } : { ...best, upper };
      continue;
    }
    const middle = Math.floor((range.low + range.high) / 2);
    add(range.low, middle, range.direction);
    add(middle + 1, range.high, range.direction);
  }
  return best;
}

/** Keep the ranges in ascending order of their bounds. */
function insert(open: Range[], range: Range): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (open[middle]!.bound < range.bound) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, range);
}

/** An upper bound on δ over all shifts low … high in one direction. */
function rangeBound(pmf: Pmf, extended: ExtendedWindow, exp: ExpEpsilon) {
  const over = asDoubles(extended.upper, extended, 1 + 2 ** -48, 2e-280);
  const under = asDoubles(extended.lower, extended, 1 - 2 ** -48, 0);
  const size = over.length;
  const factor = exp.factor ? Math.min(toNumberDown(exp.factor.lower), 1e280) : Infinity;
  const mirrored = (array: Float64Array) => array.slice().reverse();
  const views = {
    '1': { over, under, first: pmf.from - extended.from, left: pmf.left, right: pmf.right },
    '-1': {
      over: mirrored(over),
      under: mirrored(under),
      first: size - 1 - (lastIndex(pmf) - extended.from),
      left: pmf.right,
      right: pmf.left,
    },
  };
  const geometric = (tail: Pmf['left']) =>
    tail ? toNumberNear({ num: tail.ratio.num, den: tail.ratio.den - tail.ratio.num }) * (1 + 2 ** -50) : 0;

  return (low: number, high: number, direction: 1 | -1): number => {
    const { over: p, under: q, first, left, right } = views[`${direction}`];
    const last = first + pmf.weights.length - 1;
    const least = movingMinimum(q, high - low + 1);
    const [leftFactor, rightFactor] = [geometric(left), geometric(right)];
    // What is lost to rounding is carried along, so that it does not grow with the window [Neumaier].
    let [sum, lost] = [0, 0];
    for (let i = left ? first - high : first; i <= last; i++) {
      // The least q over i + low … i + high; beyond the array there is nothing.
      const against = i + high >= size ? 0 : least[i + low]!;
      const term = p[i]! - (against > 0 ? factor * against : 0);
      if (!(term > 0)) continue;
      let times = 1;
      if (right && i > last - right.period) times += rightFactor;
      if (left && i + high < first + left.period) times += leftFactor;
      const part = term * times;
      const next = sum + part;
      lost += sum >= part ? sum - next + part : part - next + sum;
      sum = next;
    }
    const bound = (sum + lost) * (1 + 2 ** -49);
    // Also where a tail falls so slowly that its sum leaves the range of doubles.
    return bound < 1 ? bound : 1;
  };
}

/** The probabilities, each times `factor`; too small a one becomes 0 or the bound `tiny`. */
function asDoubles(
  weights: readonly bigint[],
  { scale, mass }: ExtendedWindow,
  factor: number,
  tiny: number,
): Float64Array {
  // weight / (scale · mass), shifted as a whole into the range of doubles
  const shift = BigInt(Math.max(0, bitLength((scale * mass.num) / mass.den) - 1000));
  const divisor = toNumberNear({ num: scale * mass.num, den: mass.den << shift });
  return Float64Array.from(weights, (weight) => {
    if (weight === 0n) return 0;
    const value = Number(weight >> shift) / divisor;
    return value > 1e-280 ? value * factor : tiny;
  });
}

/** Entry i is the least of array[i … i + width − 1]; near the end, of what there is. */
function movingMinimum(array: Float64Array, width: number): Float64Array {
  if (width === 1) return array;
  // Block-wise prefix and suffix minima: two passes, no queue [van Herk].
  const n = array.length;
  const prefix = new Float64Array(n);
  const suffix = new Float64Array(n);
  for (let start = 0; start < n; start += width) {
    const end = Math.min(n, start + width);
    let least = Infinity;
    for (let i = start; i < end; i++) prefix[i] = least = Math.min(least, array[i]!);
    least = Infinity;
    for (let i = end - 1; i >= start; i--) suffix[i] = least = Math.min(least, array[i]!);
  }
  const result = new Float64Array(n);
  for (let i = 0; i < n; i++) result[i] = Math.min(suffix[i]!, prefix[Math.min(n - 1, i + width - 1)]!);
  return result;
}
