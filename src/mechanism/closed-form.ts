// Figures of noise from its distribution function, for the ideal noise and for its compiled integers alike. Those differ by 2^−100
// of themselves at most, and leave out 2^−cut of the mass (proofs/compile.md).

import {
  add,
  bitLength,
  compare,
  divide,
  integer,
  minimum,
  multiply,
  one,
  type Rational,
  rational,
  subtract,
  zero,
} from '../exact/index.js';
import type { Noise } from '../noise/index.js';
import { logConcaveProfile } from '../privacy/index.js';
import { cutFor } from './mechanism.js';

/** Relative precision of ε(δ), and where no ε is looked for any more. */
const FINE = rational(1n, 1n << 44n);
const FURTHEST = integer(100_000);
/** More than compiling changes a weight by, relative to it, a few times over. */
const SLACK = rational(1n, 1n << 97n);

/** Null where the distribution function is not known, or not where it matters. */
export function closedFormOf({ law }: Noise, adjacency: number) {
  if (!law?.covers(adjacency)) return null;
  const profile = logConcaveProfile(law, adjacency);
  /** What is cut off is added: the deeper the smaller the figure. */
  const withCut = (value: Rational) => minimum(one, sumUp(value, rational(1n, 1n << BigInt(cutFor(value)))));
  /** An upper bound on δ at ε. */
  const deltaAt = (epsilon: Rational): Rational => {
    const near = compare(epsilon, SLACK) >= 0;
    const ideal = profile.deltaAt(near ? subtract(epsilon, SLACK) : zero).upper;
    return withCut(scaleUp(near ? ideal : sumUp(ideal, SLACK), SLACK));
  };
  /** An upper bound on the least ε at δ, by halves; null where there is none within reach. */
  const epsilonAt = (delta: Rational): Rational | null => {
    let [low, high] = [zero, one];
    while (compare(deltaAt(high), delta) > 0) {
      [low, high] = [high, multiply(high, integer(2))];
      if (compare(high, FURTHEST) > 0) return null;
    }
    while (compare(subtract(high, low), multiply(high, FINE)) > 0) {
      const middle = divide(add(low, high), integer(2));
      if (compare(deltaAt(middle), delta) <= 0) high = middle;
      else low = middle;
    }
    return high;
  };
  return { deltaAt, epsilonAt, splitAt: (epsilon: Rational) => withCut(profile.splitAt(epsilon)) };
}

/** x·(1 + relative), rounded up to a fraction of reasonable length. */
export function scaleUp(x: Rational, relative: Rational): Rational {
  return shortUp({ num: x.num * (relative.den + relative.num), den: x.den * relative.den });
}

/** a + b, rounded up likewise. */
export function sumUp(a: Rational, b: Rational): Rational {
  return b.num === 0n ? a : shortUp({ num: a.num * b.den + b.num * a.den, den: a.den * b.den });
}

/** A dyadic fraction at least x, above it by less than 2^−128 of it. */
function shortUp(x: Rational): Rational {
  if (x.num === 0n) return zero;
  const bits = BigInt(Math.max(0, bitLength(x.den) - bitLength(x.num)) + 130);
  return rational(-((-x.num << bits) / x.den) + 1n, 1n << bits);
}
