// Exact samplers for the discrete Laplace and the discrete Gaussian with rational parameters and no
// truncation [CKS, Alg. 1 to 3]: coins of probability e^(−γ) made of rational coins, and rejection.
// Slower than a table by far, and independent of it: they check each other.

import { floor, integerRoot, multiply, type Rational, rational } from '../exact/index.js';
import type { BitSource } from './source.js';
import { wordReader } from './source.js';
import { coin, uniformBelow, type Words } from './uniform.js';

/** Draws k with probability ∝ e^(−|k| / scale), in steps. */
export function discreteLaplaceSampler(scale: Rational, source: BitSource): () => bigint {
  const words: Words = { next: wordReader(source, 1024), bits: 32 };
  return () => discreteLaplace(scale, words);
}

/** Draws k with probability ∝ e^(−k² / 2σ²) for a rational σ², in steps. */
export function discreteGaussianSampler(variance: Rational, source: BitSource): () => bigint {
  const words: Words = { next: wordReader(source, 1024), bits: 32 };
  // The scale of the Laplace proposal is ⌊σ⌋ + 1.
  const scale = rational(integerRoot(floor(variance)) + 1n);
  return () => {
    for (;;) {
      const y = discreteLaplace(scale, words);
      // Accept with probability e^(−(|y| − σ²/t)² / 2σ²).
      const magnitude = y < 0n ? -y : y;
      const offset = rational(magnitude * scale.num * variance.den - variance.num, scale.num * variance.den);
      const square = multiply(offset, offset);
      if (expCoin(rational(square.num * variance.den, 2n * square.den * variance.num), words)) return y;
    }
  };
}

/** [CKS, Alg. 2]: e^(−|k|·s/t) for scale t/s. */
function discreteLaplace({ num: t, den: s }: Rational, words: Words): bigint {
  for (;;) {
    const u = uniformBelow(t, words);
    if (!expCoin({ num: u, den: t }, words)) continue;
    let v = 0n;
    while (expCoin({ num: 1n, den: 1n }, words)) v++;
    const magnitude = (u + t * v) / s;
    const negative = coin(1n, 2n, words);
    if (negative && magnitude === 0n) continue;
    return negative ? -magnitude : magnitude;
  }
}

/** [CKS, Alg. 1]: true with probability e^(−γ), γ ≥ 0. */
function expCoin({ num, den }: Rational, words: Words): boolean {
  for (let whole = num / den; whole > 0n; whole--)
    if (!smallExpCoin({ num: 1n, den: 1n }, words)) return false;
  return smallExpCoin({ num: num % den, den }, words);
}

/** For γ ≤ 1: the parity of the first failure in a run of coins γ/1, γ/2, γ/3, … */
function smallExpCoin({ num, den }: Rational, words: Words): boolean {
  let k = 1n;
  while (coin(num, den * k, words)) k++;
  return k % 2n === 1n;
}
