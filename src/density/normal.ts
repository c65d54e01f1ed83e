// The normal density. Two of them μ standard deviations apart: δ(ε) = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) [BW, Thm 8].

import {
  add,
  divide,
  type Enclosure,
  exactText,
  exp,
  integer,
  multiply,
  negate,
  normalCdf,
  type Rational,
  subtract,
  toNumberNear,
} from '../exact/index.js';
import { type Density, notNegative } from './density.js';

/** The normal density. */
export function normalDensityOf(sigma: Rational, mu: Rational): Density {
  return {
    text: `the normal density with σ = ${exactText(sigma)}`,
    pure: () => ({ epsilon: null, reason: 'the ratio of the densities grows without bound outward' }),
    deltaAt: (adjacency, epsilon) => normalDelta(divide(adjacency, sigma), epsilon),
    moments: () => momentsOf(toNumberNear(sigma), toNumberNear(mu), mu, sigma),
  };
}

/** δ(ε) of normal distributions so many standard deviations apart, to a relative width of 2^−64. */
export function normalDelta(apart: Rational, epsilon: Rational): Enclosure {
  const half = divide(apart, integer(2));
  const share = divide(epsilon, apart);
  // Beyond 1200 the distribution function is only known to be next to nothing.
  const isFar = toNumberNear(add(half, share)) > 1200;
  for (let bits = 128; ; bits *= 2) {
    const first = normalCdf(subtract(half, share), bits);
    const second = normalCdf(negate(add(half, share)), bits);
    const growth = exp(epsilon, bits);
    const lower = notNegative(subtract(first.lower, multiply(growth.upper, second.upper)));
    const upper = subtract(first.upper, multiply(growth.lower, second.lower));
    const width = subtract(upper, lower);
    if (width.num * lower.den * 2n ** 64n <= lower.num * width.den || bits > MOST_BITS || isFar)
      return { lower, upper };
  }
}

const MOST_BITS = 1 << 12;

function momentsOf(s: number, m: number, mu: Rational, sigma: Rational) {
  const apart = m / s;
  const below =
    Math.abs(apart) > 38 ? Number(apart < 0) : toNumberNear(normalCdf(negate(divide(mu, sigma)), 64).lower);
  const density = Math.exp(-(m * m) / (2 * s * s)) / Math.sqrt(2 * Math.PI);
  return { mean: m, meanAbs: 2 * s * density + m * (1 - 2 * below), meanSquare: s * s + m * m };
}
