// The Laplace density e^(−|x − μ|/λ) / 2λ: pure ε = m/λ, and δ(ε) = 1 − e^((ε − m/λ)/2) below it.

import {
  compare,
  divide,
  exactly,
  exactText,
  exp,
  integer,
  type Rational,
  subtract,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { complement, type Density } from './density.js';

/** The Laplace density. */
export function laplaceDensity(scale: Rational, mu: Rational): Density {
  const [b, m] = [toNumberNear(scale), toNumberNear(mu)];
  return {
    text: `the Laplace density of scale ${exactText(scale)}`,
    pure: (adjacency) => ({
      epsilon: exactly(divide(adjacency, scale)),
      where: `at every x from ${mu.num === 0n ? 'm' : 'μ + m'} on, for the shift m`,
    }),
    deltaAt: (adjacency, epsilon) => {
      const pure = divide(adjacency, scale);
      if (compare(epsilon, pure) >= 0) return exactly(zero);
      return complement(exp(divide(subtract(epsilon, pure), integer(2)), 192));
    },
    moments: () => ({
      mean: m,
      meanAbs: Math.abs(m) + b * Math.exp(-Math.abs(m) / b),
      meanSquare: 2 * b * b + m * m,
    }),
  };
}
