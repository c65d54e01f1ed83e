// The profile of log-concave noise in closed form. p(k) / p(k + m) never falls with k, so the event of the hockey stick is
// k ≥ t for one t, and δ = P(θ ≥ t) − e^ε·P(θ ≥ t + m); with the shift −m it is the mirror image (proofs/profile.md).

import {
  add,
  bitLength,
  compare,
  divideUp,
  dyadic,
  type Enclosure,
  exp,
  maximum,
  minimum,
  multiply,
  one,
  type Rational,
  subtract,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { type LogConcave, leastIndex } from '../pmf/index.js';

export interface ClosedProfile {
  /** δ(ε), to a relative width of about 2^−64 where the distribution function allows. */
  readonly deltaAt: (epsilon: Rational) => Enclosure;
  /** An upper bound on what Theorem 2 gives with the best split: the mass of all values that some shift makes e^ε times less likely. */
  readonly splitAt: (epsilon: Rational) => Rational;
}

const FIRST_BITS = 160;
const MOST_BITS = 640;

/** The exact profile of a log-concave law, from its distribution function (proofs/profile.md). */
export function logConcaveProfile(law: LogConcave, adjacency: number): ClosedProfile {
  const sides = [1, -1].map((side) => outward(law, side, adjacency));
  return {
    deltaAt(epsilon) {
      for (let bits = FIRST_BITS; ; bits *= 2) {
        const found = sides.map((side) => side.deltaAt(epsilon, bits));
        const lower = found.map((delta) => delta.lower).reduce(maximum);
        const upper = minimum(one, found.map((delta) => delta.upper).reduce(maximum));
        const width = subtract(upper, lower);
        if (bits >= MOST_BITS || (width.num << 64n) * lower.den <= lower.num * width.den)
          return { lower, upper };
      }
    },
    splitAt: (epsilon) =>
      minimum(
        one,
        sides
          .map((side) => side.beyond(side.edge(epsilon, FIRST_BITS).first, FIRST_BITS).upper)
          .reduce((a, b) => add(a, b)),
      ),
  };
}

/** The law seen from one side: its values rise outward. */
function outward({ above, below, exceeds, near }: LogConcave, side: number, m: number) {
  const beyond = (k: number, bits: number) => short(side > 0 ? above(k, bits) : below(-k, bits), bits);
  const within = (k: number, bits: number) => short(side > 0 ? below(k, bits) : above(-k, bits), bits);
  const half = { num: 1n, den: 2n };
  /** p(k), as the difference of the smaller tails. */
  const mass = (k: number, bits: number): Enclosure => {
    const outer = beyond(k, bits);
    if (compare(outer.upper, half) <= 0) return difference(outer, beyond(k + 1, bits));
    return difference(within(k, bits), within(k - 1, bits));
  };
  /** Is p(k) > e^ε·p(k + m)? Null where that cannot be told. */
  const isOver = (k: number, epsilon: Rational, growth: Enclosure, bits: number): boolean | null => {
    if (exceeds) return exceeds(side * k, side * m, epsilon);
    const [here, there] = [mass(k, bits), mass(k + m, bits)];
    if (compare(here.lower, multiply(growth.upper, there.upper)) > 0) return true;
    return compare(here.upper, multiply(growth.lower, there.lower)) <= 0 ? false : null;
  };
  /** The first value that may be over, and whether it is for certain. */
  const edge = (epsilon: Rational, bits: number) => {
    const growth = exp(epsilon, bits);
    const over = (k: number) => isOver(k, epsilon, growth, bits) !== false;
    const first = leastIndex(over, Math.round(near(side * m, toNumberUp(epsilon))));
    return { first, certain: isOver(first, epsilon, growth, bits) === true, growth };
  };
  const deltaAt = (epsilon: Rational, bits: number): Enclosure => {
    const { first, certain, growth } = edge(epsilon, bits);
    const of = (k: number): Enclosure => {
      const [over, under] = [beyond(k, bits), beyond(k + m, bits)];
      return {
        lower: maximum(zero, subtract(over.lower, multiply(growth.upper, under.upper))),
        upper: maximum(zero, subtract(over.upper, multiply(growth.lower, under.lower))),
      };
    };
    const here = of(first);
    if (certain) return here;
    // A tie: with the point or without it. Else whatever lies beyond, it is not more than all of it.
    const next = of(first + 1);
    const tied = isOver(first + 1, epsilon, growth, bits) === true;
    return {
      lower: maximum(here.lower, next.lower),
      upper: tied ? maximum(here.upper, next.upper) : beyond(first, bits).upper,
    };
  };
  return { edge, beyond, deltaAt };
}

function difference(a: Enclosure, b: Enclosure): Enclosure {
  return { lower: maximum(zero, subtract(a.lower, b.upper)), upper: subtract(a.upper, b.lower) };
}

/** The same with fractions of so many bits and some, rounded outward. */
function short({ lower, upper }: Enclosure, bits: number): Enclosure {
  return { lower: dyadicDown(lower, bits + 64), upper: dyadicUp(upper, bits + 64) };
}

function dyadicDown({ num, den }: Rational, bits: number): Rational {
  const scale = Math.max(0, bitLength(den) - bitLength(num) + bits);
  return dyadic((num << BigInt(scale)) / den, scale);
}

function dyadicUp(x: Rational, bits: number): Rational {
  const scale = Math.max(0, bitLength(x.den) - bitLength(x.num) + bits);
  return dyadic(divideUp(x.num << BigInt(scale), x.den), scale);
}
