// Densities with an edge: some outputs are possible for one of two neighbours only, so there is no pure ε and δ hardly falls.

import {
  divide,
  exactly,
  exactText,
  exp,
  minimum,
  multiply,
  negate,
  one,
  type Rational,
  subtract,
  toNumberNear,
} from '../exact/index.js';
import { complement, type Density } from './density.js';

/** On [low, high): δ = m / (high − low) at every ε. */
export function uniformDensity(low: Rational, high: Rational): Density {
  const [a, b] = [toNumberNear(low), toNumberNear(high)];
  const width = subtract(high, low);
  return {
    text: `the uniform density on [${exactText(low)}, ${exactText(high)})`,
    pure: () => ({
      epsilon: null,
      reason: `it is 0 below ${exactText(low)}, within the adjacency of where it is not`,
    }),
    deltaAt: (adjacency) => exactly(minimum(one, divide(adjacency, width))),
    moments: () => ({
      mean: (a + b) / 2,
      meanAbs: a < 0 && b > 0 ? (a * a + b * b) / (2 * (b - a)) : Math.abs(a + b) / 2,
      meanSquare: (a * a + a * b + b * b) / 3,
    }),
  };
}

/** η·e^(−ηx) on x > 0: δ = 1 − e^(−ηm) at every ε. */
export function exponentialDensity(rate: Rational): Density {
  const mean = 1 / toNumberNear(rate);
  return {
    text: `the exponential density of rate ${exactText(rate)}`,
    pure: () => ({ epsilon: null, reason: 'it is 0 below 0, within the adjacency of where it is not' }),
    deltaAt: (adjacency) => complement(exp(negate(multiply(rate, adjacency)), 192)),
    moments: () => ({ mean, meanAbs: mean, meanSquare: 2 * mean * mean }),
  };
}
