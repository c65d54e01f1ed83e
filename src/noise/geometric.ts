// Two-sided geometric noise, p(k) ∝ e^(−|k| / scale), optimal for counts [GRS]: ε = m / scale.

import { laplaceDensity } from '../density/index.js';
import {
  add,
  compare,
  divide,
  type Enclosure,
  exactly,
  exactText,
  exp,
  integer,
  multiply,
  negate,
  one,
  type Rational,
  rational,
  subtract,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { type LogConcave, makePmf } from '../pmf/index.js';
import { ratioUp, tailError } from './_geometric-tail.js';
import { type Family, isPositive, parameter, scaleDial } from './noise.js';

export const geometric: Family = {
  name: 'geometric',
  meaning: 'two-sided geometric noise, the discrete Laplace',
  parameters: [{ key: 'scale', meaning: 'p(k) ∝ e^(−|k| / scale)' }],
  dial: scaleDial,
  build(values, step) {
    const scale = parameter('geometric', values, 'scale', 'above 0', isPositive);
    return {
      family: 'geometric',
      parameters: { scale: exactText(scale) },
      step,
      approximate: () => {
        const rounded = ratioUp(divide(step, scale), 'geometric: scale');
        const tail = { period: 1, ratio: rounded.ratio };
        return {
          pmf: makePmf({ step, from: 0, weights: [1n], left: tail, right: tail }),
          error: tailError(rounded, zero),
        };
      },
      pureEpsilon: (adjacency) => exactly(divide(multiply(integer(adjacency), step), scale)),
      law: lawOf(divide(step, scale)),
      continuous: {
        density: laplaceDensity(scale, zero),
        rounding: null,
        at: (finer) => geometric.build(values, finer),
      },
    };
  },
};

/** Scales from which on a tail is only known to be below e^(−NEGLIGIBLE) < 2^−16384. */
const NEGLIGIBLE = 11_400n;

/** P(θ ≥ k) = q^k / (1 + q) for k ≥ 1, with q = e^(−exponent). */
function lawOf(exponent: Rational): LogConcave {
  const outside = (k: number, bits: number): Enclosure => {
    const far = multiply(integer(k), exponent);
    if (far.num > NEGLIGIBLE * far.den) return { lower: zero, upper: { num: 1n, den: 1n << 16_384n } };
    const power = exp(negate(far), bits);
    const q = exp(negate(exponent), bits);
    return { lower: divide(power.lower, add(one, q.upper)), upper: divide(power.upper, add(one, q.lower)) };
  };
  const above = (k: number, bits: number): Enclosure => {
    if (k >= 1) return outside(k, bits);
    const { lower, upper } = outside(1 - k, bits);
    return { lower: subtract(one, upper), upper: subtract(one, lower) };
  };
  const scale = 1 / toNumberUp(exponent);
  return {
    above,
    below: (k, bits) => above(-k, bits),
    covers: (adjacency) => compare(multiply(integer(adjacency), exponent), rational(NEGLIGIBLE)) <= 0,
    near: (shift, epsilon) => Math.min(0, (epsilon * scale - Math.abs(shift)) / 2),
  };
}
