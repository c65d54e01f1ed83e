// Decimal text and doubles, to and from exact rationals. A lossy conversion names its direction.

import { invalid, quote } from '../error/index.js';
import {
  bitLength,
  ceiling,
  divideDown,
  divideUp,
  floor,
  negate,
  type Rational,
  rational,
} from './rational.js';

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/;
const FRACTION = /^([+-]?\d+)\/(\d+)$/;
const LONGEST = 20_000;

/**
 * The exact value of a decimal such as "0.25" or "1e-6". A double is refused: 0.1 is not a tenth.
 * `name` is what the error calls the value.
 */
export function parseDecimal(text: string, name = 'parseDecimal'): Rational {
  if (typeof text !== 'string')
    throw new TypeError(
      `${name}: expected a decimal as text, such as "0.25", got the ${typeof text} ${text}`,
    );
  const match = DECIMAL.exec(text.trim());
  if (!match)
    throw invalid(`${name}: expected a decimal such as 0.25 or 1e-6, got ${quote(text)}${pointWords(text)}`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent) - fraction.length;
  if (whole.length + fraction.length + Math.abs(shift) > LONGEST)
    throw invalid(`${name}: expected at most ${LONGEST} digits, got ${quote(text)}`);
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  return shift >= 0 ? rational(digits * 10n ** BigInt(shift)) : rational(digits, 10n ** BigInt(-shift));
}

/** The exact value of a decimal, or of a fraction such as "1/3". */
export function parseRational(text: string, name = 'parseRational'): Rational {
  const fraction = typeof text === 'string' ? FRACTION.exec(text.trim()) : null;
  if (!fraction) return parseDecimal(text, name);
  const [num, den] = [fraction[1]!, fraction[2]!];
  if (num.length + den.length > LONGEST)
    throw invalid(`${name}: expected at most ${LONGEST} digits, got ${quote(text)}`);
  if (BigInt(den) === 0n) throw invalid(`${name}: expected a denominator above 0, got ${quote(text)}`);
  return rational(BigInt(num), BigInt(den));
}

/** Of a comma before decimals: the same with a point. */
function pointWords(text: string): string {
  const [, sign, whole, fraction] = /^\s*([+-]?)(\d{1,20}),(\d{1,20})\s*$/.exec(text) ?? [];
  if (whole === undefined || fraction === undefined) return '';
  const grouped = fraction.length === 3 ? `, or ${sign}${whole}${fraction}` : '';
  return `; write ${sign}${whole}.${fraction}${grouped}`;
}

/** Exactly x: a decimal where one ends, else a fraction in lowest terms. */
export function exactText(x: Rational): string {
  const { num, den } = rational(x.num, x.den);
  return placesOf(den) === null ? `${num}/${den}` : toDecimal(x);
}

/** The terminating decimal that equals x; throws where there is none (1/3). */
export function toDecimal(x: Rational): string {
  const reduced = rational(x.num, x.den);
  const places = placesOf(reduced.den);
  if (places === null)
    throw invalid(`toDecimal: expected a terminating decimal, got ${reduced.num}/${reduced.den}`);
  const digits = ((reduced.num < 0n ? -reduced.num : reduced.num) * 10n ** BigInt(places)) / reduced.den;
  const text = digits.toString().padStart(places + 1, '0');
  const sign = reduced.num < 0n ? '-' : '';
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** Digits after the point of what has this denominator; null where they do not end. */
function placesOf(den: bigint): number | null {
  let rest = den;
  let places = 0;
  for (const prime of [2n, 5n]) {
    let count = 0;
    while (rest % prime === 0n) {
      rest /= prime;
      count++;
    }
    places = Math.max(places, count);
  }
  return rest === 1n ? places : null;
}

/** The least decimal of `digits` significant digits that is not below x ≥ 0. */
export function toDecimalUp(x: Rational, digits = 17): string {
  return significant(x, digits, divideUp);
}

/** The greatest decimal of `digits` significant digits that is not above x ≥ 0. */
export function toDecimalDown(x: Rational, digits = 17): string {
  return significant(x, digits, divideDown);
}

/** The least double that is not below x; Infinity beyond the largest. */
export function toNumberUp(x: Rational): number {
  return x.num < 0n ? -toNumberDown(negate(x)) : double(x, divideUp);
}

/** The greatest double that is not above x. */
export function toNumberDown(x: Rational): number {
  return x.num < 0n ? -toNumberUp(negate(x)) : Math.min(double(x, divideDown), Number.MAX_VALUE);
}

/** A double next to x, for figures that no guarantee rests on. */
export function toNumberNear(x: Rational): number {
  const up = toNumberUp(x);
  const down = toNumberDown(x);
  if (up === down) return up;
  if (up === Infinity) return down;
  const [low, high] = [fromNumber(down), fromNumber(up)];
  // Above the midpoint (low + high) / 2?
  return 2n * x.num * low.den * high.den > (low.num * high.den + high.num * low.den) * x.den ? up : down;
}

/** The exact value of a finite double. */
export function fromNumber(value: number): Rational {
  if (!Number.isFinite(value)) throw invalid(`fromNumber: expected a finite number, got ${value}`);
  let scaled = value;
  let shift = 0n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift++;
  }
  return rational(BigInt(scaled), 1n << shift);
}

/** Is x a whole number? */
export function isInteger(x: Rational): boolean {
  return floor(x) === ceiling(x);
}

type Division = (num: bigint, den: bigint) => bigint;

function significant(x: Rational, digits: number, division: Division): string {
  if (x.num < 0n) throw invalid(`toDecimal: expected a value of at least 0, got ${x.num}/${x.den}`);
  if (x.num === 0n) return '0';
  // 10^exponent ≤ x < 10^(exponent + 1)
  let exponent = Math.floor((bitLength(x.num) - bitLength(x.den)) * Math.LOG10E * Math.LN2);
  while (atLeastPower(x, exponent + 1)) exponent++;
  while (!atLeastPower(x, exponent)) exponent--;
  const shift = digits - 1 - exponent;
  let mantissa =
    shift >= 0
      ? division(x.num * 10n ** BigInt(shift), x.den)
      : division(x.num, x.den * 10n ** BigInt(-shift));
  if (mantissa === 10n ** BigInt(digits)) {
    mantissa /= 10n;
    exponent++;
  }
  const text = mantissa.toString().replace(/0+$/, '');
  if (exponent >= -5 && exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${text}`;
  if (exponent >= 0 && exponent < 21) {
    const padded = text.padEnd(exponent + 1, '0');
    const tail = padded.slice(exponent + 1);
    return tail === '' ? padded : `${padded.slice(0, exponent + 1)}.${tail}`;
  }
  return `${text[0]}${text.length > 1 ? `.${text.slice(1)}` : ''}e${exponent}`;
}

function atLeastPower(x: Rational, exponent: number): boolean {
  return exponent >= 0 ? x.num >= 10n ** BigInt(exponent) * x.den : x.num * 10n ** BigInt(-exponent) >= x.den;
}

/** x ≥ 0 as a double, with the last bit rounded by `division`. */
function double(x: Rational, division: Division): number {
  if (x.num === 0n) return 0;
  let exponent = bitLength(x.num) - bitLength(x.den);
  if (exponent >= 0 ? x.num < x.den << BigInt(exponent) : x.num << BigInt(-exponent) < x.den) exponent--;
  if (exponent > 1023) return Infinity;
  const shift = Math.min(52 - exponent, 1074);
  const mantissa =
    shift >= 0 ? division(x.num << BigInt(shift), x.den) : division(x.num, x.den << BigInt(-shift));
  return Number(mantissa) * 2 ** -shift;
}
