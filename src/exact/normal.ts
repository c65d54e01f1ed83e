// Enclosures of the standard normal distribution function, accurate relative to the smaller side.
// Near zero: the series of positive terms; further out: Laplace's continued fraction, whose
// convergents lie on alternate sides of the value [AS, 26.2.11 and 26.2.14].

import { toNumberUp } from './decimal.js';
import { dyadic, type Enclosure, exactly, exp, squareRoot } from './elementary.js';
import {
  divide,
  divideDown,
  divideUp,
  integer,
  multiply,
  negate,
  one,
  type Rational,
  rational,
  subtract,
} from './rational.js';

/** Φ(x); for x < 0 to a relative width of at most 2^−bits, else as 1 − Φ(−x). */
export function normalCdf(x: Rational, bits = 128): Enclosure {
  if (x.num < 0n) return normalTail(negate(x), bits);
  const tail = normalTail(x, bits);
  return { lower: subtract(one, tail.upper), upper: subtract(one, tail.lower) };
}

/** 1 − Φ(x) for x ≥ 0 to a relative width of at most 2^−bits; beyond 1200 only as below 2^−1000000. */
export function normalTail(x: Rational, bits = 128): Enclosure {
  if (x.num < 0n) {
    const other = normalTail(negate(x), bits);
    return { lower: subtract(one, other.upper), upper: subtract(one, other.lower) };
  }
  if (x.num === 0n) return exactly(rational(1n, 2n));
  // e^(−1200²/2) < 2^−1000000
  if (x.num > 1200n * x.den) return { lower: rational(0n), upper: { num: 1n, den: 1n << 1_000_000n } };
  return toNumberUp(x) < 6 ? tailBySeries(x, bits) : tailByFraction(x, bits);
}

/** The normal density at x to a relative width of about 2^−bits. */
export function normalDensity(x: Rational, bits = 128): Enclosure {
  const power = exp(divide(multiply(x, x), integer(-2)), bits + 4);
  const root = circleRoot(bits + 4);
  return { lower: divide(power.lower, root.upper), upper: divide(power.upper, root.lower) };
}

/** ½ − φ(x)·Σ x^(2n+1) / (2n+1)!!; the difference costs x²/2 nats of precision. */
function tailBySeries(x: Rational, bits: number): Enclosure {
  const reach = toNumberUp(x);
  const work = bits + Math.ceil((reach * reach * Math.LOG2E) / 2) + 24;
  const w = BigInt(work);
  const squareLow = divideDown((x.num * x.num) << w, x.den * x.den);
  const squareHigh = squareLow + 1n;
  let termLow = divideDown(x.num << w, x.den);
  let termHigh = termLow + 1n;
  let low = termLow;
  let high = termHigh;
  for (let n = 3n; ; n += 2n) {
    termLow = ((termLow * squareLow) >> w) / n;
    termHigh = ((termHigh * squareHigh) >> w) / n + 1n;
    low += termLow;
    high += termHigh;
    // Beyond 2x² the terms at least halve: what is left is below the last one.
    if (termHigh <= 1n && squareHigh * 2n < n << w) break;
  }
  high += termHigh;
  const density = normalDensity(x, work);
  const half = rational(1n, 2n);
  return {
    lower: subtract(half, multiply(density.upper, dyadic(high, work))),
    upper: subtract(half, multiply(density.lower, dyadic(low, work))),
  };
}

/** φ(x) / (x + 1/(x + 2/(x + 3/(x + …)))). */
function tailByFraction(x: Rational, bits: number): Enclosure {
  const work = bits + 32;
  const density = normalDensity(x, bits + 8);
  for (let depth = 32; ; depth *= 2) {
    const even = convergent(x, depth, work);
    const odd = convergent(x, depth + 1, work);
    const lower = even.lower < odd.lower ? even.lower : odd.lower;
    const upper = even.upper > odd.upper ? even.upper : odd.upper;
    if ((upper - lower) << BigInt(bits + 4) <= lower)
      return {
        lower: divide(density.lower, dyadic(upper, work)),
        upper: divide(density.upper, dyadic(lower, work)),
      };
  }
}

/** x + 1/(x + 2/(… + depth/x)) in fixed point. */
function convergent(x: Rational, depth: number, work: number): { lower: bigint; upper: bigint } {
  const w = BigInt(work);
  const xLow = divideDown(x.num << w, x.den);
  const xHigh = xLow + 1n;
  let low = xLow;
  let high = xHigh;
  for (let j = BigInt(depth); j >= 1n; j--) {
    const numerator = j << (2n * w);
    [low, high] = [xLow + numerator / high, xHigh + divideUp(numerator, low)];
  }
  return { lower: low, upper: high };
}

/** √(2π) */
function circleRoot(bits: number): Enclosure {
  const pi = circle(bits + 8);
  return {
    lower: squareRoot(multiply(integer(2), pi.lower), bits + 8).lower,
    upper: squareRoot(multiply(integer(2), pi.upper), bits + 8).upper,
  };
}

/** π by Machin's formula. */
function circle(bits: number): Enclosure {
  const fifth = arctanOfInverse(5n, bits + 8);
  const other = arctanOfInverse(239n, bits + 8);
  const scale = (a: Rational, b: Rational) => subtract(multiply(integer(16), a), multiply(integer(4), b));
  return { lower: scale(fifth.lower, other.upper), upper: scale(fifth.upper, other.lower) };
}

function arctanOfInverse(n: bigint, bits: number): Enclosure {
  const work = bits + 16;
  const error = BigInt(work);
  let power = (1n << BigInt(work)) / n;
  let sum = power;
  for (let k = 3n; power > 0n; k += 2n) {
    power /= n * n;
    sum += (k & 2n ? -power : power) / k;
  }
  // Each of the fewer than `work` terms is off by less than 2.
  return { lower: dyadic(sum - 2n * error, work), upper: dyadic(sum + 2n * error, work) };
}
