// The exponential mechanism [MT]: choose among named, public candidates by score. Weights are exact powers
// of one rational r ≤ e^(ε·step / 2s), so two score lists within sensitivity s of each other give each
// candidate probabilities within r^(2s/step) ≤ e^ε, none is zero, and no table vouches for its neighbour.
// Scores are private: no error, nor whether one occurs, depends on them beyond being on the lattice.

import {
  divide,
  exp,
  integer,
  isInteger,
  multiply,
  power,
  type Rational,
  rational,
  toNumberNear,
} from '../exact/index.js';
import type { BitSource } from './source.js';
import { wordReader } from './source.js';
import { uniformBelow, uniformBits, type Words } from './uniform.js';

export interface Candidate {
  readonly name: string;
  readonly score: Rational;
}

export interface Choice {
  /** r: the factor between candidates one step of score apart. */
  readonly ratio: Rational;
  /** How many steps each candidate is behind the best, in their order: P(i) ∝ r^(−behind). */
  readonly behind: readonly bigint[];
}

const RATIO_BITS = 64;

export function exponentialMechanism(
  candidates: readonly Candidate[],
  privacy: { epsilon: Rational; sensitivity: Rational; step: Rational },
): Choice {
  const { epsilon, sensitivity, step } = privacy;
  if (candidates.length === 0) throw new RangeError('candidates: expected at least one, got none');
  if (epsilon.num <= 0n) throw new RangeError('epsilon: expected a value above 0');
  if (step.num <= 0n) throw new RangeError('step: expected a value above 0');
  if (sensitivity.num <= 0n || !isInteger(divide(sensitivity, step))) {
    throw new RangeError('sensitivity: expected a positive multiple of the step');
  }
  const steps = candidates.map(({ name, score }) => {
    const index = divide(score, step);
    if (!isInteger(index)) {
      throw new RangeError(
        `candidate ${JSON.stringify(name)}: expected a score that is a multiple of the step; set --step`,
      );
    }
    return index.num;
  });
  const best = steps.reduce((a, b) => (a > b ? a : b));
  const ratio = ratioDown(divide(multiply(epsilon, step), multiply(integer(2), sensitivity)));
  return { ratio, behind: steps.map((k) => best - k) };
}

/** The index of the chosen candidate, drawn exactly: one at random, kept with probability r^(−behind), until one is. */
export function choose({ ratio, behind }: Choice, source: BitSource): number {
  const words: Words = { next: wordReader(source, 256), bits: 32 };
  const inverse = rational(ratio.den, ratio.num);
  const fall = Math.log2(toNumberNear(ratio));
  for (;;) {
    const i = Number(uniformBelow(BigInt(behind.length), words));
    if (powerCoin(inverse, behind[i]!, fall, words)) return i;
  }
}

/** True with probability x^n, exactly: binary digits of a uniform number until they tell on which side it is. */
function powerCoin(x: Rational, n: bigint, fall: number, words: Words): boolean {
  if (n === 0n || x.num === x.den) return true;
  let uniform = 0n;
  for (let bits = 64; ; bits += 64) {
    uniform = (uniform << 64n) | uniformBits(64, words);
    // x^n < 2^−bits: any digit that is not zero decides.
    if (Number(n) * fall * 0.999 > bits + 1) {
      if (uniform > 0n) return false;
      continue;
    }
    const { lower, upper } = power(x, Number(n), bits + 64);
    if ((uniform + 1n) * lower.den <= lower.num << BigInt(bits)) return true;
    if (uniform * upper.den >= upper.num << BigInt(bits)) return false;
  }
}

/** A fraction just below e^exponent, at least 1. */
function ratioDown(exponent: Rational): Rational {
  const { lower } = exp(exponent, 2 * RATIO_BITS);
  const ratio = rational((lower.num << BigInt(RATIO_BITS)) / lower.den, 1n << BigInt(RATIO_BITS));
  return ratio.num < ratio.den ? rational(1n) : ratio;
}
