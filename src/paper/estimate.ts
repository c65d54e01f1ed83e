// What [QHFL] states of each mechanism (Table V and where the text differs from it), set against the
// exact figures. Nothing is ever calibrated or claimed from these estimates.

import {
  absolute,
  add,
  ceiling,
  compare,
  divide,
  type Enclosure,
  exactly,
  floor,
  integer,
  log,
  maximum,
  multiply,
  negate,
  normalCdf,
  normalTail,
  parseRational,
  type Rational,
  rational,
  subtract,
  zero,
} from '../exact/index.js';
import type { Guarantee } from '../mechanism/index.js';
import type { Noise } from '../noise/index.js';

/** tight, loose: safe but wasteful, unsound: promises more than there is, undefined: no guarantee at all. */
export type Verdict = 'tight' | 'loose' | 'unsound' | 'undefined';

/** One reading of the paper. */
export interface Estimate {
  readonly source: string;
  readonly formula: string;
  readonly epsilon: Enclosure;
  readonly delta: Enclosure;
}

export interface Judgement extends Estimate {
  /** The exact δ at the estimated ε, rounded up; null where the estimate is no guarantee. */
  readonly exactDelta: Rational | null;
  readonly verdict: Verdict;
}

/** The paper's estimates for a noise; `cut` is its constant M for Gaussian noise, in data units. */
export function paperEstimates(noise: Noise, adjacency: number, cut: Rational): Estimate[] {
  const { step } = noise;
  const m = multiply(integer(adjacency), step);
  const value = (key: string) => parseRational(noise.parameters[key]!);
  const none = exactly(zero);
  switch (noise.family) {
    case 'gaussian':
      return gaussian(value('sigma'), value('mu'), m, step, cut);
    case 'laplace':
      return [
        {
          source: 'Table V',
          formula: '(m + Δ) / λ',
          epsilon: exactly(divide(add(m, step), value('scale'))),
          delta: none,
        },
      ];
    case 'staircase':
      return staircase(value('width'), value('ratio'), adjacency);
    case 'uniform': {
      const span = add(subtract(value('high'), value('low')), step);
      return [
        {
          source: 'Table V',
          formula: 'mΔ / (b − a + Δ)',
          epsilon: none,
          delta: exactly(divide(multiply(m, step), span)),
        },
      ];
    }
    case 'exponential':
      return [
        { source: 'Table V', formula: 'η·m', epsilon: exactly(multiply(value('rate'), m)), delta: none },
      ];
    default:
      return [];
  }
}

/** The default M: three standard deviations beyond |μ|, rounded up to the lattice. */
export function defaultCut(noise: Noise): Rational {
  if (noise.family !== 'gaussian') return zero;
  const { sigma, mu } = noise.parameters;
  const reach = add(absolute(parseRational(mu!)), multiply(integer(3), parseRational(sigma!)));
  const steps = ceiling(divide(reach, noise.step));
  return multiply(rational(steps), noise.step);
}

/** The verdict on an estimate, from the exact figures. */
export function judge(estimate: Estimate, guarantee: Guarantee): Judgement {
  const { epsilon, delta } = estimate;
  if (epsilon.upper.num < 0n) return { ...estimate, exactDelta: null, verdict: 'undefined' };
  const pure = guarantee.noise.pureEpsilon(guarantee.adjacency);
  if (delta.upper.num === 0n && pure && compare(epsilon.upper, pure.lower) >= 0) {
    const same = compare(epsilon.lower, pure.upper) <= 0;
    return { ...estimate, exactDelta: zero, verdict: same ? 'tight' : 'loose' };
  }
  const exactDelta = guarantee.deltaAt(maximum(epsilon.lower, zero));
  // The exact figure is an upper bound, above the true one by less than this part of it.
  const least = multiply(exactDelta, rational(999_999_999_999n, 1_000_000_000_000n));
  const most = multiply(exactDelta, rational(1_000_000_000_001n, 1_000_000_000_000n));
  if (compare(least, delta.upper) > 0) return { ...estimate, exactDelta, verdict: 'unsound' };
  return { ...estimate, exactDelta, verdict: compare(delta.lower, most) > 0 ? 'loose' : 'tight' };
}

/** Table V and Theorem 3 as stated are two different formulas; both, in this order. */
function gaussian(sigma: Rational, mu: Rational, m: Rational, step: Rational, cut: Rational): Estimate[] {
  const square = multiply(integer(2), multiply(sigma, sigma));
  const twice = subtract(add(multiply(integer(2), cut), step), multiply(integer(2), mu));
  const table = divide(multiply(add(m, step), subtract(twice, m)), square);
  // sup over |m₀| ≤ m of (|m₀| + Δ)(2M + Δ − m₀ − 2μ) is at m₀ = −m or, where 2M + Δ − 2μ is negative, at 0.
  const theorem = divide(maximum(multiply(step, twice), multiply(add(m, step), add(twice, m))), square);
  // Lattice points k ≥ M and k ≤ −M under the floor discretisation.
  const first = multiply(rational(ceiling(divide(cut, step))), step);
  const last = multiply(rational(floor(divide(negate(cut), step))), step);
  const upper = normalTail(divide(subtract(first, mu), sigma));
  const lower = normalCdf(divide(subtract(add(last, step), mu), sigma));
  return [
    {
      source: 'Table V',
      formula: '(m + Δ)(2M + Δ − m − 2μ) / 2σ², 2·Σ_{k ≥ M} p(k)',
      epsilon: exactly(table),
      delta: { lower: multiply(integer(2), upper.lower), upper: multiply(integer(2), upper.upper) },
    },
    {
      source: 'Theorem 3',
      formula: 'sup (|m₀| + Δ)(2M + Δ − m₀ − 2μ) / 2σ², Σ_Φ p(k)',
      epsilon: exactly(theorem),
      delta: { lower: add(lower.lower, upper.lower), upper: add(lower.upper, upper.upper) },
    },
  ];
}

/** Table V's ⌈m / aΔ⌉, and the sentence before it, c with caΔ < m ≤ (c + 1)aΔ, where that has c ≥ 1. */
function staircase(width: Rational, ratio: Rational, adjacency: number): Estimate[] {
  const stairs = ceiling(divide(integer(adjacency), width));
  const loss = log(rational(ratio.den, ratio.num), 160);
  const estimate = (source: string, formula: string, count: bigint): Estimate => ({
    source,
    formula,
    epsilon: { lower: multiply(rational(count), loss.lower), upper: multiply(rational(count), loss.upper) },
    delta: exactly(zero),
  });
  const readings = [estimate('Table V', '⌈m / aΔ⌉·log(1/ρ)', stairs)];
  if (stairs > 1n)
    readings.push(estimate('text before Eq. 21', 'c·log(1/ρ), caΔ < m ≤ (c + 1)aΔ', stairs - 1n));
  return readings;
}
