// The exponential mechanism [MT]: choose among named, public candidates by score. Weights are exact powers
// of one rational r ≤ e^(ε·step / 2s), so two score lists within sensitivity s of each other give each
// candidate probabilities within r^(2s/step) ≤ e^ε, none is zero, and no table vouches for its neighbour.

import {
  bitLength,
  divide,
  exp,
  integer,
  isInteger,
  multiply,
  type Rational,
  rational,
  toDecimalUp,
} from '../exact/index.js';
import type { BitSource } from './source.js';
import { wordReader } from './source.js';
import { uniformBelow } from './uniform.js';

export interface Candidate {
  readonly name: string;
  readonly score: Rational;
}

export interface Choice {
  /** r: the factor between candidates one step of score apart. */
  readonly ratio: Rational;
  /** In the order of the candidates; P(i) = weights[i] / Σ weights. */
  readonly weights: readonly bigint[];
  readonly total: bigint;
}

const RATIO_BITS = 64;
const MOST_BITS = 200_000_000;

export function exponentialWeights(
  candidates: readonly Candidate[],
  privacy: { epsilon: Rational; sensitivity: Rational; step: Rational },
): Choice {
  const { epsilon, sensitivity, step } = privacy;
  if (candidates.length === 0) throw new RangeError('candidates: expected at least one, got none');
  if (epsilon.num <= 0n) throw new RangeError('epsilon: expected a value above 0');
  if (step.num <= 0n) throw new RangeError('step: expected a value above 0');
  const reach = divide(sensitivity, step);
  if (sensitivity.num <= 0n || !isInteger(reach)) {
    throw new RangeError('sensitivity: expected a positive multiple of the step');
  }
  const steps = candidates.map(({ name, score }) => {
    const index = divide(score, step);
    if (!isInteger(index)) {
      throw new RangeError(
        `candidate ${JSON.stringify(name)}: expected a score that is a multiple of the step, got ${toDecimalUp({ num: score.num < 0n ? -score.num : score.num, den: score.den })}; set --step`,
      );
    }
    return index.num;
  });
  const ratio = ratioDown(divide(multiply(epsilon, step), multiply(integer(2), sensitivity)));
  const [low, high] = [steps.reduce((a, b) => (a < b ? a : b)), steps.reduce((a, b) => (a > b ? a : b))];
  const length = Number(high - low) * bitLength(ratio.num);
  if (length * candidates.length > MOST_BITS) {
    throw new RangeError(`scores: expected a range of fewer steps, got ${high - low}; use a larger step`);
  }
  const weights = steps.map((k) => ratio.num ** (k - low) * ratio.den ** (high - k));
  return { ratio, weights, total: weights.reduce((a, b) => a + b, 0n) };
}

/** The index of the chosen candidate, drawn exactly. */
export function choose({ weights, total }: Choice, source: BitSource): number {
  let at = uniformBelow(total, { next: wordReader(source, 64), bits: 32 });
  let i = 0;
  while (at >= weights[i]!) at -= weights[i++]!;
  return i;
}

/** A fraction just below e^exponent, above 1 for exponent > 2^−RATIO_BITS. */
function ratioDown(exponent: Rational): Rational {
  const { lower } = exp(exponent, 2 * RATIO_BITS);
  const ratio = rational((lower.num << BigInt(RATIO_BITS)) / lower.den, 1n << BigInt(RATIO_BITS));
  return ratio.num < ratio.den ? rational(1n) : ratio;
}
