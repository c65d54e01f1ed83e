// The ratio of a geometric tail as a fraction, rounded toward 1, which is toward less privacy loss;
// and what the rounding costs in closeness to the ideal noise.

import { invalid } from '../error/index.js';
import {
  add,
  bitLength,
  divide,
  divideUp,
  exp,
  integer,
  multiply,
  negate,
  type Rational,
  rational,
  subtract,
  toNumberDown,
  toNumberUp,
} from '../exact/index.js';
import type { ApproximationError } from '../pmf/index.js';

/** Fine enough that profiles agree to 12 digits where δ is 1e-100. */
export const RATIO_BITS = 448;
/** A steeper tail would need ratios of more digits than a mechanism file may hold. */
const STEEPEST = 10_000n;

export interface RoundedRatio {
  /** At least e^(−exponent), below 1. */
  readonly ratio: Rational;
  /** ratio ≤ e^(−exponent)·(1 + relative) */
  readonly relative: Rational;
}

/** e^(−exponent) rounded up, for exponent > 0. `name` is the parameter to blame. */
export function ratioUp(exponent: Rational, name: string): RoundedRatio {
  if (exponent.num > STEEPEST * exponent.den)
    throw invalid(
      `${name}: expected a ratio of neighbouring weights above e^−${STEEPEST}; use a smaller step`,
    );
  const ideal = exp(negate(exponent), RATIO_BITS + 32);
  const shift = BigInt(RATIO_BITS + Math.max(0, bitLength(ideal.upper.den) - bitLength(ideal.upper.num)));
  const ratio = rational(divideUp(ideal.upper.num << shift, ideal.upper.den), 1n << shift);
  if (ratio.num >= ratio.den)
    throw invalid(
      `${name}: expected neighbouring weights to differ by more than 2^−${RATIO_BITS}; use a larger step`,
    );
  return { ratio, relative: subtract(divide(ratio, ideal.lower), integer(1)) };
}

/**
 * The error of noise whose weights in the window are within `window` of the ideal (relatively) and whose
 * tails are geometric with a rounded ratio: after `count` repetitions the weights are off by a factor
 * (1 + relative)^count, and what lies beyond is less than ratio^count of the mass.
 */
export function tailError(
  { ratio, relative }: RoundedRatio,
  window: Rational,
): (epsilon: Rational) => ApproximationError {
  return (epsilon) => {
    // −log ratio ≥ 1 − ratio
    const decay = toNumberDown(subtract(integer(1), ratio));
    const count = Math.ceil((OUTSIDE_BITS * Math.LN2 + toNumberUp(epsilon) + 4) / decay);
    // Normalising by a total that is itself off, and second orders, are inside the factor 4.
    const growth = multiply(relative, add(integer(count), divide(integer(2), subtract(integer(1), ratio))));
    return {
      relative: multiply(integer(4), add(window, growth)),
      outside: rational(1n, 1n << BigInt(OUTSIDE_BITS)),
    };
  };
}

const OUTSIDE_BITS = 1200;
