// Noise with a mean of zero: as it is where it has one, else two neighbouring shifts of it, mixed so that their means cancel. A
// shift keeps every guarantee, and so does a coin that nobody sees: δ(ε) is convex in the pair of distributions.

import { add, compare, divide, floor, integer, type Rational, rational, subtract } from '../exact/index.js';
import { makePmf, moments, type Pmf, type Tail } from '../pmf/index.js';
import type { Mechanism } from './mechanism.js';

/** Shares of the two shifts are multiples of 2^−60, so a mean of less than that, in steps, is left. */
const SHARE_BITS = 60n;

/** The mechanism with a mean of zero and the same guarantee: a mixture of two shifts (proofs/release.md). */
export function centred(mechanism: Mechanism): Mechanism {
  const { pmf, origin } = mechanism;
  const mean = divide(moments(pmf).mean, pmf.step);
  const most = rational(1n, 1n << 40n);
  if (compare(mean, most) <= 0 && compare(subtract(integer(0), most), mean) <= 0) return mechanism;
  // A shift by −⌊mean⌋ leaves a mean from 0 up to 1, one more step down takes it below 0.
  const whole = floor(mean);
  const share = floor(
    add(divide(subtract(mean, rational(whole)), rational(1n, 1n << SHARE_BITS)), rational(1n, 2n)),
  );
  const shifted = { ...pmf, from: pmf.from - Number(whole) - 1 };
  const mixed = mixedWithNext(shifted, share, (1n << SHARE_BITS) - share);
  return { ...mechanism, pmf: mixed, origin: { ...origin, centred: true } };
}

/** `own`·p(k) + `next`·p(k − 1), tails and all. */
function mixedWithNext(pmf: Pmf, own: bigint, next: bigint): Pmf {
  if (own === 0n) return { ...pmf, from: pmf.from + 1 };
  if (next === 0n) return pmf;
  // The value just outside of either edge, and a factor that makes both whole numbers.
  const outside = (tail: Tail | null, inner: bigint): Rational =>
    tail ? rational(inner * tail.ratio.num, tail.ratio.den) : rational(0n);
  const { weights, left, right } = pmf;
  const before = outside(left, left ? weights[left.period - 1]! : 0n);
  const after = outside(right, right ? weights[weights.length - right.period]! : 0n);
  const factor = before.den * after.den;
  const at = (i: number): bigint => {
    if (i < 0) return (before.num * factor) / before.den;
    return i < weights.length ? weights[i]! * factor : (after.num * factor) / after.den;
  };
  const mixed = Array.from({ length: weights.length + 1 }, (_, i) => own * at(i) + next * at(i - 1));
  return makePmf({ step: pmf.step, from: pmf.from, weights: mixed, left, right });
}
