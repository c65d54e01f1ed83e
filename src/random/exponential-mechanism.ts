// The exponential mechanism [MT]: choose among named, public candidates by score. Weights are exact powers
// of one rational r ≤ e^(ε / 2s), s the sensitivity in steps, so two score lists within s of each other give each
// candidate probabilities within r^(2s) ≤ e^ε, none is zero, and no table vouches for its neighbour.
// Scores are private: no error, nor whether one occurs, depends on them. They are rounded to the lattice, halves up, and
// held within 2^52 steps: neither takes two lists further apart than ⌈sensitivity / step⌉ steps.

import { invalid } from '../error/index.js';
import {
  ceiling,
  divide,
  exp,
  floor,
  integer,
  multiply,
  power,
  type Rational,
  rational,
  subtract,
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
/** No two scores are further apart than a double counts by ones. */
const FURTHEST = 2n ** 52n;

/** The exponential mechanism over candidates, with exact probabilities: ε-DP where no record moves a score by more than the sensitivity (proofs/release.md). */
export function exponentialMechanism(
  candidates: readonly Candidate[],
  privacy: { epsilon: Rational; sensitivity: Rational; step: Rational },
): Choice {
  const { epsilon, sensitivity, step } = privacy;
  if (candidates.length === 0) throw invalid('candidates: expected at least one, got none');
  if (epsilon.num <= 0n) throw invalid('epsilon: expected a value above 0');
  if (step.num <= 0n) throw invalid('step: expected a value above 0');
  if (sensitivity.num <= 0n) throw invalid('sensitivity: expected a value above 0');
  const steps = candidates.map(({ score }) => indexOf(score, step));
  const best = steps.reduce((a, b) => (a > b ? a : b));
  const moves = ceiling(divide(sensitivity, step));
  return {
    ratio: ratioDown(divide(epsilon, multiply(integer(2), rational(moves)))),
    behind: steps.map((k) => best - k),
  };
}

/** The nearest step, halves up, held within bounds. */
function indexOf(score: Rational, step: Rational): bigint {
  const { num, den } = divide(score, step);
  const index = floor(rational(2n * num + den, 2n * den));
  return index > FURTHEST ? FURTHEST : index < -FURTHEST ? -FURTHEST : index;
}

/** The index of the chosen candidate, drawn exactly: one at random, kept with probability r^(−behind), until one is. */
export function choose({ ratio, behind }: Choice, source: BitSource): number {
  const words: Words = { next: wordReader(source, 256), bits: 32 };
  for (;;) {
    const i = Number(uniformBelow(BigInt(behind.length), words));
    if (powerCoin(ratio, behind[i]!, words)) return i;
  }
}

/** True with probability r^(−n), exactly: binary digits of a uniform number until they tell on which side it is. */
function powerCoin(r: Rational, n: bigint, words: Words): boolean {
  if (n === 0n || r.num === r.den) return true;
  const inverse = rational(r.den, r.num);
  const least = bitsBelow(r, n);
  let uniform = 0n;
  for (let bits = 64; ; bits += 64) {
    uniform = (uniform << 64n) | uniformBits(64, words);
    // r^(−n) < 2^−bits: any digit that is not zero decides.
    if (least >= BigInt(bits)) {
      if (uniform > 0n) return false;
      continue;
    }
    const { lower, upper } = power(inverse, Number(n), bits + 64);
    if ((uniform + 1n) * lower.den <= lower.num << BigInt(bits)) return true;
    if (uniform * upper.den >= upper.num << BigInt(bits)) return false;
  }
}

/** A number of bits b with r^n > 2^b: n·log2 r ≥ n·(1 − 1/r) / ln 2, and 1 / ln 2 > 36 / 25. */
function bitsBelow(r: Rational, n: bigint): bigint {
  const loss = multiply(rational(n), subtract(integer(1), rational(r.den, r.num)));
  return floor(multiply(loss, rational(36n, 25n)));
}

/** A fraction just below e^exponent, at least 1. */
function ratioDown(exponent: Rational): Rational {
  const { lower } = exp(exponent, 2 * RATIO_BITS);
  const ratio = rational((lower.num << BigInt(RATIO_BITS)) / lower.den, 1n << BigInt(RATIO_BITS));
  return ratio.num < ratio.den ? rational(1n) : ratio;
}
