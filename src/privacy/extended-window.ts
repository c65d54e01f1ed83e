// A mass function written out over its window and some way into its tails, as scaled integers with a
// lower and an upper bound for each point. Where the scale can hold the tails' denominators the two
// are one array and everything is exact.

import { invalid } from '../error/index.js';
import { bitLength, divideUp, type Rational } from '../exact/index.js';
import { type Pmf, type Tail, total } from '../pmf/index.js';
import { log2 } from './log2.js';

export interface ExtendedWindow {
  /** Lattice index of the first entry. */
  readonly from: number;
  readonly lower: readonly bigint[];
  readonly upper: readonly bigint[];
  /** log₂ of the lower and of the upper bounds, good to about 1e-9. */
  readonly lowerLogs: Float64Array;
  readonly upperLogs: Float64Array;
  readonly scale: bigint;
  /** The sum of all weights, unscaled. */
  readonly mass: Rational;
  /** The bounds coincide: no rounding took place. */
  readonly exact: boolean;
}

/** All points together, in bits: 750 MB. */
const MOST_BITS = 6e9;

/** `reach` points into each tail there is; `bits` is the scale where the exact one would be longer. */
export function extendWindow(pmf: Pmf, reach: number, bits: number): ExtendedWindow {
  const exactBits = [pmf.left, pmf.right].reduce(
    (sum, tail) => sum + (tail ? Math.ceil(reach / tail.period) * bitLength(tail.ratio.den) : 0),
    0,
  );
  const exact = exactBits <= Math.max(bits, 4096);
  const largest = pmf.weights.reduce((most, weight) => Math.max(most, bitLength(weight)), 0);
  const points = pmf.weights.length + reach * [pmf.left, pmf.right].filter(Boolean).length;
  // Two bounds for every point where they are rounded.
  if (points * (largest + (exact ? exactBits : bits)) * (exact ? 1 : 2) > MOST_BITS)
    throw invalid(
      `weights: too large to verify here: ${points} points of up to ${largest} bits; use a smaller adjacency, or weights with fewer digits`,
    );
  let scale = 1n;
  if (exact) {
    for (const tail of [pmf.left, pmf.right])
      if (tail) scale *= tail.ratio.den ** BigInt(Math.ceil(reach / tail.period));
  } else scale = 1n << BigInt(bits);
  const window = scale === 1n ? pmf.weights : pmf.weights.map((weight) => weight * scale);
  const bound = (up: boolean) => {
    const [toLeft, toRight] = [pmf.left, pmf.right].map((tail) => (exact ? tail : shortened(tail, bits, up)));
    const left = outward(toLeft!, [...window].reverse(), reach, up).reverse();
    return [...left, ...window, ...outward(toRight!, window, reach, up)];
  };
  const lower = pmf.left || pmf.right ? bound(false) : window;
  const upper = exact ? lower : bound(true);
  const lowerLogs = Float64Array.from(lower, log2);
  let mass: Rational | null = null;
  return {
    from: pmf.left ? pmf.from - reach : pmf.from,
    lower,
    upper,
    lowerLogs,
    upperLogs: exact ? lowerLogs : Float64Array.from(upper, log2),
    scale,
    // Worked out when it is asked for: it takes longer than the rest of a short window.
    get mass() {
      mass ??= total(pmf);
      return mass;
    },
    exact,
  };
}

/** The same with a ratio of so many bits and some, rounded down or up: a long one would be multiplied with at every point. */
function shortened(tail: Tail | null, bits: number, up: boolean): Tail | null {
  const excess = tail === null ? 0 : bitLength(tail.ratio.den) - bits - 128;
  if (tail === null || excess <= 0) return tail;
  const [num, den] = [tail.ratio.num >> BigInt(excess), tail.ratio.den >> BigInt(excess)];
  return { ...tail, ratio: up ? { num: num + 1n, den } : { num, den: den + 1n } };
}

/** The first `reach` points of a tail that continues `window`, each rounded down or up. */
function outward(tail: Tail | null, window: readonly bigint[], reach: number, up: boolean): bigint[] {
  if (!tail) return [];
  const { num, den } = tail.ratio;
  const points: bigint[] = [];
  for (let i = 0; i < reach; i++) {
    const inner = i < tail.period ? window[window.length - tail.period + i]! : points[i - tail.period]!;
    points.push(up ? divideUp(inner * num, den) : (inner * num) / den);
  }
  return points;
}
