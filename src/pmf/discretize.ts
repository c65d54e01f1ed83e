// From a continuous distribution to the lattice by flooring [QHFL, Eq. 2]: the mass of k is the
// probability of [k, k + step). Whatever is approximated comes with a rigorous account of the error.

import { invalid } from '../error/index.js';
import {
  add,
  ceiling,
  compare,
  divide,
  type Enclosure,
  floor,
  integer,
  maximum,
  multiply,
  one,
  type Rational,
  rational,
  subtract,
  zero,
} from '../exact/index.js';
import { type Pmf, windowPmf } from './pmf.js';

/** Integers that stand for an ideal mass function, and how far they may be from it. */
export interface Approximation {
  readonly pmf: Pmf;
  /**
   * What separates the two, for use at a given ε. There is a set of points on which the ideal and the
   * integers' probabilities agree up to a factor within 1 ± relative, and for every ε' ≤ ε the ideal's
   * mass outside it plus e^ε' times the integers' mass outside it is at most `outside`.
   */
  readonly error: (epsilon: Rational) => ApproximationError;
}

export interface ApproximationError {
  readonly relative: Rational;
  readonly outside: Rational;
}

/** Integers that stand for themselves: no error separates them from an ideal. */
export function withoutError(pmf: Pmf): Approximation {
  return { pmf, error: () => ({ relative: zero, outside: zero }) };
}

/** A distribution function: bounds on P(X ≤ x) for exact x; non-decreasing, continuous on the lattice. */
export type DistributionFunction = (x: Rational) => Enclosure;

/**
 * Floor-discretise any distribution function on the window of data values [low, high]. The weights are
 * probabilities times 2^bits, rounded down; mass outside the window is dropped and accounted for.
 */
export function discretize(
  distribution: DistributionFunction,
  window: { step: Rational; low: Rational; high: Rational; bits?: number },
): Approximation {
  const { step, low, high, bits = 256 } = window;
  if (compare(low, high) > 0) throw invalid('discretize: expected low not above high');
  const first = Number(floor(divide(low, step)));
  const last = Number(ceiling(divide(high, step)));
  const weights: bigint[] = [];
  let relative = zero;
  let below = distribution(multiply(integer(first), step));
  let outside = maximum(below.upper, zero);
  for (let k = first; k <= last; k++) {
    const above = distribution(multiply(integer(k + 1), step));
    const least = subtract(above.lower, below.upper);
    const most = subtract(above.upper, below.lower);
    if (most.num < 0n)
      throw invalid(`discretize: expected a non-decreasing distribution function, it falls at step ${k}`);
    const weight = least.num > 0n ? (least.num << BigInt(bits)) / least.den : 0n;
    const excess = weight > 0n ? subtract(divide(most, rational(weight, 1n << BigInt(bits))), one) : one;
    if (compare(excess, COARSE) > 0) {
      // Too little mass for its precision: left out, and accounted for.
      outside = add(outside, most);
      weights.push(0n);
    } else {
      relative = maximum(relative, excess);
      weights.push(weight);
    }
    below = above;
  }
  outside = add(outside, subtract(one, below.lower));
  const start = weights.findIndex((weight) => weight > 0n);
  if (start < 0) throw invalid('discretize: expected some probability on the window, got none');
  const end = weights.findLastIndex((weight) => weight > 0n);
  const pmf = windowPmf(step, first + start, weights.slice(start, end + 1));
  // The weights sum to at least 1 − relative − outside, by which the integers' probabilities are divided.
  return { pmf, error: () => ({ relative: add(relative, outside), outside }) };
}

/** A cell known less precisely than this is not used. */
const COARSE = rational(1n, 1n << 40n);
