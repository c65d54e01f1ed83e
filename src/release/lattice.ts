// A protected value as a whole number of steps, and back, in integers: no float touches it. The same rules in SQL are in
// lattice-sql.ts.

import {
  compare,
  divide,
  isInteger,
  multiply,
  parseDecimal,
  type Rational,
  rational,
  toDecimal,
} from '../exact/index.js';

/** Step = unit / 10^places. */
export interface Lattice {
  readonly step: Rational;
  readonly unit: bigint;
  readonly places: number;
  /** Columns are written as this type: BIGINT for whole steps, else DECIMAL with the step's digits. */
  readonly digits: number;
  /** Sums beyond this many steps, to either side, become it. */
  readonly limit: bigint;
}

/** Inputs beyond this many steps are refused. */
export const MOST_STEPS = 2n ** 53n;
/** Far enough from the end of 64 bits that a value of 2^53 can be taken from it. */
const MOST_SUM = 2n ** 63n - 1n - 2n ** 53n;
const LONGEST = 400;

export function latticeOf(step: Rational): Lattice {
  const text = toDecimal(step);
  const places = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  const unit = step.num * (10n ** BigInt(places) / step.den);
  if (places > 18 || unit > 10n ** 18n)
    throw new RangeError(`step: expected at most 18 digits before and after the point, got ${text}`);
  // 18 digits are a machine word, 38 the most there are; one of them stays before the point.
  const digits = places === 0 ? 0 : MOST_STEPS * unit < 10n ** 18n && places < 18 ? 18 : 38;
  const largest = places === 0 ? 2n ** 63n - 1n : 10n ** BigInt(digits) - 1n;
  const fitting = largest / unit;
  return { step, unit, places, digits, limit: fitting < MOST_SUM ? fitting : MOST_SUM };
}

const NUMBER = /^\s*([+-]?)(\d+)?(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?\s*$/;

/** The index of a decimal's text; null where it is no number, off the lattice (unless snapped) or out of range. */
export function indexOfText(text: string, { unit, places }: Lattice, snap: boolean): bigint | null {
  const match = text.length > LONGEST ? null : NUMBER.exec(text);
  if (!match || ((match[2] ?? '') === '' && (match[3] ?? '') === '')) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  // The value in steps is digits·10^shift / unit.
  const shift = Number(exponent) - fraction.length + places;
  if (digits === 0n) return 0n;
  if (whole.length + fraction.length + shift > 60) return null;
  if (whole.length + fraction.length + shift < -60) return snap ? 0n : null;
  const value = sign === '-' ? -digits : digits;
  const num = shift >= 0 ? value * 10n ** BigInt(shift) : value;
  const den = shift >= 0 ? unit : unit * 10n ** BigInt(-shift);
  const index = snap ? floorDivide(2n * num + den, 2n * den) : num % den === 0n ? num / den : null;
  return index === null || index > MOST_STEPS || index < -MOST_STEPS ? null : index;
}

/** The canonical decimal of an index: always the step's digits after the point. */
export function textOfIndex(index: bigint, { unit, places }: Lattice): string {
  const scaled = index * unit;
  if (places === 0) return scaled.toString();
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** What is done to a noisy index: post-processing, free of privacy cost. All in steps. */
export interface Finish {
  readonly low: bigint;
  readonly high: bigint;
  /** Round to multiples of this many steps, halves up; 1 leaves it alone. */
  readonly roundTo: bigint;
}

/** Round, then clamp; without either, what the output's type can hold. */
export function finished(sum: bigint, { low, high, roundTo }: Finish): bigint {
  const rounded = roundTo === 1n ? sum : floorDivide(2n * sum + roundTo, 2n * roundTo) * roundTo;
  return rounded < low ? low : rounded > high ? high : rounded;
}

export function finishOf(
  lattice: Lattice,
  clamp: { readonly low: Rational; readonly high: Rational } | null,
  roundTo: Rational | null,
): Finish {
  const steps = (value: Rational, flag: string): bigint => {
    const index = divide(value, lattice.step);
    if (!isInteger(index))
      throw new RangeError(
        `${flag}: expected a multiple of the step ${toDecimal(lattice.step)}, got ${toDecimal(value)}`,
      );
    const { num } = rational(index.num, index.den);
    return num > lattice.limit ? lattice.limit : num < -lattice.limit ? -lattice.limit : num;
  };
  if (clamp && compare(clamp.low, clamp.high) > 0)
    throw new RangeError(
      `--clamp: expected low,high with low not above high, got ${toDecimal(clamp.low)},${toDecimal(clamp.high)}`,
    );
  if (roundTo && roundTo.num <= 0n) throw new RangeError('--round-to: expected a positive decimal');
  return {
    low: clamp ? steps(clamp.low, '--clamp') : -lattice.limit,
    high: clamp ? steps(clamp.high, '--clamp') : lattice.limit,
    roundTo: roundTo ? steps(roundTo, '--round-to') : 1n,
  };
}

/** An index in data units. */
export function valueOfIndex(index: bigint, { step }: Lattice): Rational {
  return multiply(rational(index), step);
}

/** Of a mechanism file's step or --step. */
export function readStep(text: string): Lattice {
  const step = parseDecimal(text, '--step');
  if (step.num <= 0n) throw new RangeError(`--step: expected a positive decimal, got ${text}`);
  return latticeOf(step);
}

function floorDivide(num: bigint, den: bigint): bigint {
  const quotient = num / den;
  return num % den < 0n ? quotient - 1n : quotient;
}
