// Enclosures of exp and log by interval arithmetic on bigints: every lower end is rounded down and
// every upper end up, so the true value lies between them whatever the precision.

import { invalid } from '../error/index.js';
import { bitLength, divideDown, divideUp, type Rational, rational } from './rational.js';

/** A real number between two rationals, ends included. */
export interface Enclosure {
  readonly lower: Rational;
  readonly upper: Rational;
}

/** Fixed-point ends: the value lies in [lower, upper] / 2^bits. */
interface Fixed {
  readonly lower: bigint;
  readonly upper: bigint;
}

/** The enclosure of a value that is known exactly. */
export function exactly(x: Rational): Enclosure {
  return { lower: x, upper: x };
}

/** e^x to a relative width of at most 2^−bits. */
export function exp(x: Rational, bits = 128): Enclosure {
  if (x.num === 0n) return exactly(rational(1n));
  const size = Math.max(0, bitLength(x.num) - bitLength(x.den) + 1);
  if (size > 40) throw invalid(`exp: expected an exponent below 2^40, got about 2^${size}`);
  const work = bits + size + 40;
  const w = BigInt(work);
  // x = n·ln 2 + f with 0 ≤ f < 2: n rounded down, and one further down below zero, where dividing by
  // the upper end of ln 2 may have rounded it up.
  const ln2 = logTwo(work);
  const scaledDown = divideDown(x.num << w, x.den);
  const scaledUp = divideUp(x.num << w, x.den);
  const n = divideDown(scaledDown, ln2.upper) - (x.num < 0n ? 1n : 0n);
  const fLower = scaledDown - (n >= 0n ? n * ln2.upper : n * ln2.lower);
  const fUpper = scaledUp - (n >= 0n ? n * ln2.lower : n * ln2.upper);
  const power = expFixed({ lower: fLower < 0n ? 0n : fLower, upper: fUpper }, work);
  return { lower: dyadic(power.lower, work - Number(n)), upper: dyadic(power.upper, work - Number(n)) };
}

/** log x for x > 0, to a width of at most 2^−bits relative to max(|log x|, 2^−bits). */
export function log(x: Rational, bits = 128): Enclosure {
  if (x.num <= 0n) throw invalid(`log: expected a value above 0, got ${x.num}/${x.den}`);
  if (x.num === x.den) return exactly(rational(0n));
  // Close to 1 the result is small: spend as many more bits as x − 1 has leading zeros.
  const distance = x.num > x.den ? x.num - x.den : x.den - x.num;
  const near = Math.max(0, bitLength(x.den) - bitLength(distance));
  const work = bits + near + 24;
  const w = BigInt(work);
  // x = 2^n·y with y in [1/2, 2); close to 1 it is y itself.
  const n = near > 2 ? 0 : bitLength(x.num) - bitLength(x.den);
  const num = n >= 0 ? x.num : x.num << BigInt(-n);
  const den = n >= 0 ? x.den << BigInt(n) : x.den;
  // log y = 2·atanh(z), z = (y − 1) / (y + 1), |z| ≤ 1/3
  const top = (num - den) << (w + 1n);
  const z = { lower: divideDown(top, num + den) >> 1n, upper: (divideUp(top, num + den) >> 1n) + 1n };
  const y = twiceArctanh(z, work);
  if (n === 0) return { lower: dyadic(y.lower, work), upper: dyadic(y.upper, work) };
  const ln2 = logTwo(work + bitLength(BigInt(n)));
  const extra = BigInt(bitLength(BigInt(n)));
  const big = BigInt(n);
  const multiple =
    n >= 0
      ? { lower: (big * ln2.lower) >> extra, upper: ((big * ln2.upper) >> extra) + 1n }
      : { lower: (big * ln2.upper) >> extra, upper: ((big * ln2.lower) >> extra) + 1n };
  return { lower: dyadic(y.lower + multiple.lower, work), upper: dyadic(y.upper + multiple.upper, work) };
}

/** √x for x ≥ 0, to a relative width of at most 2^−bits. */
export function squareRoot(x: Rational, bits = 128): Enclosure {
  if (x.num < 0n) throw invalid(`squareRoot: expected a value of at least 0, got ${x.num}/${x.den}`);
  if (x.num === 0n) return exactly(rational(0n));
  const size = bitLength(x.num) - bitLength(x.den);
  const work = BigInt(bits + 8 + Math.max(0, -size));
  const lower = integerRoot(divideDown(x.num << (2n * work), x.den));
  return { lower: rational(lower, 1n << work), upper: rational(lower + 1n, 1n << work) };
}

/** x^n for 0 < x < 1 and n ≥ 0: exact while short, else to a relative width of about 2^−bits. */
export function power(x: Rational, n: number, bits = 256): Enclosure {
  if (n * bitLength(x.den) <= 4096) return exactly({ num: x.num ** BigInt(n), den: x.den ** BigInt(n) });
  const work = bits + 2 * bitLength(BigInt(n)) + 8;
  return {
    lower: powerRounded(x, BigInt(n), work, divideDown, 0n),
    upper: powerRounded(x, BigInt(n), work, divideUp, 1n),
  };
}

/** By squaring, on mantissas of `work` bits that are cut down (carry 0) or up (carry 1). */
function powerRounded(
  x: Rational,
  n: bigint,
  work: number,
  division: (num: bigint, den: bigint) => bigint,
  carry: bigint,
): Rational {
  const shift = work + bitLength(x.den) - bitLength(x.num);
  let base = { mantissa: division(x.num << BigInt(shift), x.den), exponent: -shift };
  let result = { mantissa: 1n, exponent: 0 };
  const times = (a: typeof base, b: typeof base) => {
    const mantissa = a.mantissa * b.mantissa;
    const drop = Math.max(0, bitLength(mantissa) - work);
    const kept = mantissa >> BigInt(drop);
    return { mantissa: drop > 0 ? kept + carry : kept, exponent: a.exponent + b.exponent + drop };
  };
  for (let rest = n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = times(result, base);
    if (rest > 1n) base = times(base, base);
  }
  return { num: result.mantissa, den: 1n << BigInt(-result.exponent) };
}

/** value / 2^bits as a rational; bits may be negative. */
export function dyadic(value: bigint, bits: number): Rational {
  return bits >= 0 ? rational(value, 1n << BigInt(bits)) : rational(value << BigInt(-bits));
}

/** e^f for 0 ≤ f < 2: Taylor at f / 2^k, then k squarings. */
function expFixed(f: Fixed, work: number): Fixed {
  const halvings = Math.ceil(Math.sqrt(work) / 2) + 2;
  const bits = BigInt(work + 2 * halvings + 16);
  const lift = bits - BigInt(work) - BigInt(halvings);
  const lower = f.lower << lift;
  const upper = f.upper << lift;
  const unit = 1n << bits;
  let low = unit;
  let high = unit;
  let termLow = unit;
  let termHigh = unit;
  for (let n = 1n; termHigh > 1n; n++) {
    termLow = ((termLow * lower) >> bits) / n;
    termHigh = ((termHigh * upper) >> bits) / n + 1n;
    low += termLow;
    high += termHigh;
  }
  // What is left of the series is below the last term, as f / 2^k < 1/2.
  high += termHigh;
  for (let k = 0; k < halvings; k++) {
    low = (low * low) >> bits;
    high = ((high * high) >> bits) + 1n;
  }
  const drop = bits - BigInt(work);
  return { lower: low >> drop, upper: (high >> drop) + 1n };
}

/** 2·atanh(z) for |z| ≤ 1/2. */
function twiceArctanh(z: Fixed, work: number): Fixed {
  if (z.lower < 0n && z.upper > 0n) {
    const reach = -z.lower > z.upper ? -z.lower : z.upper;
    return { lower: -4n * reach, upper: 4n * reach };
  }
  if (z.lower < 0n) {
    const mirrored = twiceArctanh({ lower: -z.upper, upper: -z.lower }, work);
    return { lower: -mirrored.upper, upper: -mirrored.lower };
  }
  const w = BigInt(work);
  const squareLow = (z.lower * z.lower) >> w;
  const squareHigh = ((z.upper * z.upper) >> w) + 1n;
  let powerLow = z.lower;
  let powerHigh = z.upper;
  let low = 0n;
  let high = 0n;
  for (let n = 1n; ; n += 2n) {
    low += powerLow / n;
    high += powerHigh / n + 1n;
    if (powerHigh <= 2n) break;
    powerLow = (powerLow * squareLow) >> w;
    powerHigh = ((powerHigh * squareHigh) >> w) + 1n;
  }
  // The rest is at most z²/(1 − z²) ≤ 1/3 of the last power, which is at most 2.
  return { lower: 2n * low, upper: 2n * (high + 1n) };
}

const logTwoCache = new Map<number, Fixed>();

/** ln 2 = 2·atanh(1/3) in fixed point. */
function logTwo(work: number): Fixed {
  const known = logTwoCache.get(work);
  if (known) return known;
  const third = (1n << BigInt(work)) / 3n;
  const value = twiceArctanh({ lower: third, upper: third + 1n }, work);
  // The oldest makes room: a long run needs other precisions at its end than at its start.
  if (logTwoCache.size >= 64) logTwoCache.delete(logTwoCache.keys().next().value!);
  logTwoCache.set(work, value);
  return value;
}

/** ⌊√value⌋ by Newton's iteration from above. */
export function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((bitLength(value) + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
