// Exact fractions of bigints. The arithmetic here returns lowest terms; a literal {num, den}
// with den > 0 is a valid Rational too, so inner loops may skip the gcd.

import { invalid } from '../error/index.js';

export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

/** The fraction num / den in lowest terms, its denominator above 0. */
export function rational(num: bigint, den = 1n): Rational {
  if (den === 0n) throw invalid('rational: expected a denominator other than 0, got 0');
  if (den < 0n) return rational(-num, -den);
  if (den === 1n) return { num, den };
  const divisor = (den & (den - 1n)) === 0n ? commonPowerOfTwo(num, den) : gcd(num < 0n ? -num : num, den);
  return { num: num / divisor, den: den / divisor };
}

export const zero: Rational = { num: 0n, den: 1n };
export const one: Rational = { num: 1n, den: 1n };

/** A whole number as a rational. */
export function integer(value: number | bigint): Rational {
  return { num: BigInt(value), den: 1n };
}

/** The exact sum. */
export function add(a: Rational, b: Rational): Rational {
  if (a.den === b.den) return rational(a.num + b.num, a.den);
  return rational(a.num * b.den + b.num * a.den, a.den * b.den);
}

/** The exact difference. */
export function subtract(a: Rational, b: Rational): Rational {
  return add(a, negate(b));
}

/** The exact product. */
export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.num * b.num, a.den * b.den);
}

/** The exact quotient. */
export function divide(a: Rational, b: Rational): Rational {
  return rational(a.num * b.den, a.den * b.num);
}

/** The exact negative. */
export function negate(a: Rational): Rational {
  return { num: -a.num, den: a.den };
}

/** The exact absolute value. */
export function absolute(a: Rational): Rational {
  return a.num < 0n ? negate(a) : a;
}

/** Negative, zero or positive as a is below, equal to or above b. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.den === b.den ? a.num - b.num : a.num * b.den - b.num * a.den;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The larger of two. */
export function maximum(a: Rational, b: Rational): Rational {
  return compare(a, b) >= 0 ? a : b;
}

/** The smaller of two. */
export function minimum(a: Rational, b: Rational): Rational {
  return compare(a, b) <= 0 ? a : b;
}

/** The greatest whole number not above x. */
export function floor(a: Rational): bigint {
  return divideDown(a.num, a.den);
}

/** The least whole number not below x. */
export function ceiling(a: Rational): bigint {
  return divideUp(a.num, a.den);
}

/** ⌊num / den⌋ for den > 0; bigint division alone truncates toward zero. */
export function divideDown(num: bigint, den: bigint): bigint {
  const quotient = num / den;
  return num < 0n && quotient * den !== num ? quotient - 1n : quotient;
}

/** ⌈num / den⌉ for den > 0. */
export function divideUp(num: bigint, den: bigint): bigint {
  return -divideDown(-num, den);
}

/** The number of binary digits of |value|; 0 for 0. */
export function bitLength(value: bigint): number {
  let rest = value < 0n ? -value : value;
  let bits = 0;
  // Number() is exact enough to read a length below 2^1000; longer values are shortened first.
  while (rest >= LONG) {
    const drop = Math.max(960, 4 * (rest.toString(16).length - 200));
    rest >>= BigInt(drop);
    bits += drop;
  }
  if (rest === 0n) return bits;
  const guess = Math.floor(Math.log2(Number(rest)));
  const exact = rest >> BigInt(guess) === 0n ? guess : guess + (rest >> BigInt(guess + 1) === 0n ? 1 : 2);
  return bits + exact;
}

const LONG = 1n << 1000n;

/** The greatest common divisor with a power of two, quickly. */
function commonPowerOfTwo(num: bigint, den: bigint): bigint {
  if (num === 0n) return den;
  const lowest = num & -num;
  return lowest < den ? lowest : den;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
