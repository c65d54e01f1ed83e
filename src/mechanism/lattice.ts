// A protected value as a whole number of steps, and back, in integers: no float touches it. The same rule in SQL is in
// release/lattice-sql.ts. Every number has an index, whatever its size and digits: a refusal would tell of it.

import { invalid } from '../error/index.js';
import { compare, divide, exactText, isInteger, type Rational, rational, toDecimal } from '../exact/index.js';

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

/** Inputs beyond this many steps, to either side, become it. */
export const MOST_STEPS = 2n ** 53n;
/** Far enough from the end of 64 bits that a value of 2^53 can be taken from it. */
const MOST_SUM = 2n ** 63n - 1n - 2n ** 53n;

/** The lattice of a step, and the type that holds its values. */
export function latticeOf(step: Rational): Lattice {
  const text = exactText(step);
  if (text.includes('/'))
    throw invalid(
      `step: expected a decimal, got ${text}, as it is given or as the mechanism has it: values are written as decimals, and its multiples have none; use a step such as 0.25`,
    );
  const places = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  const unit = step.num * (10n ** BigInt(places) / step.den);
  if (places > 18 || unit > 10n ** 18n)
    throw invalid(`step: expected at most 18 digits before and after the point, got ${text}`);
  // 18 digits are a machine word, 38 the most there are; one of them stays before the point.
  const digits = places === 0 ? 0 : MOST_STEPS * unit < 10n ** 18n && places < 18 ? 18 : 38;
  const largest = places === 0 ? 2n ** 63n - 1n : 10n ** BigInt(digits) - 1n;
  const fitting = largest / unit;
  return { step, unit, places, digits, limit: fitting < MOST_SUM ? fitting : MOST_SUM };
}

/** Whole numbers far within 2^53: most there are. */
const SHORT = /^-?\d{1,15}$/;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Integer digits, in tenths of 10^−places, beyond which a number is out of range for any step. */
const FAR = 60;

/** The index of a decimal's text: the nearest multiple of the step, halves up, held within 2^53 steps; null where it is no number. */
export function indexOfText(text: string, { unit, places }: Lattice): bigint | null {
  if (places === 0 && unit === 1n && SHORT.test(text)) return BigInt(text);
  const match = NUMBER.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  // The value is digits·10^shift tenths of 10^−places, a number with `size` digits before its point.
  const shift = Number(exponent) - fraction.length + places + 1;
  const size = digits.length + shift;
  if (digits === '' || size <= 0) return 0n;
  if (size > FAR) return sign === '-' ? -MOST_STEPS : MOST_STEPS;
  // Whole tenths are enough, for halves of the step are multiples of them: cut downward, a negative number's size upward.
  const cut = shift < 0 && /[1-9]/.test(digits.slice(size));
  const tenths = BigInt(digits.slice(0, size)) * 10n ** BigInt(Math.max(0, shift));
  const value = sign === '-' ? -(cut ? tenths + 1n : tenths) : tenths;
  return within(floorDivide(2n * value + 10n * unit, 20n * unit));
}

/** The same of a whole number. */
export function indexOfInteger(value: bigint, { unit, places }: Lattice): bigint {
  if (unit === 1n && places === 0) return within(value);
  return within(floorDivide(2n * value * 10n ** BigInt(places) + unit, 2n * unit));
}

/** The same of many, into a copy. */
export function indicesOfIntegers(values: BigInt64Array, lattice: Lattice): BigInt64Array {
  const indices = values.slice();
  const halves = halvesOf(indices);
  const plain = lattice.unit === 1n && lattice.places === 0 && LOW_FIRST;
  for (let i = 0; i < indices.length; i++) {
    const high = halves[2 * i + 1]!;
    if (plain && high >= -SMALL && high < SMALL) continue;
    indices[i] = indexOfInteger(values[i]!, lattice);
  }
  return indices;
}

function within(index: bigint): bigint {
  return index > MOST_STEPS ? MOST_STEPS : index < -MOST_STEPS ? -MOST_STEPS : index;
}

/** Does a text that is no number stand for a value all the same, as 85+, <5 and 1,234 do? */
export function holdsDigit(text: string): boolean {
  return /\p{N}/u.test(text);
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

/** Adds noise to every index and finishes it, in place: the same as `finished` for each, without a bigint for most. */
export function finishAll(indices: BigInt64Array, noise: BigInt64Array, finish: Finish): void {
  const [to, by] = [halvesOf(indices), halvesOf(noise)];
  const plain = finish.roundTo === 1n && LOW_FIRST;
  // Bounds that a sum within reach of doubles cannot pass need not be exact.
  const [low, high] = [Number(finish.low), Number(finish.high)];
  for (let i = 0; i < indices.length; i++) {
    const [value, add] = [to[2 * i + 1]!, by[2 * i + 1]!];
    if (plain && value >= -SMALL && value < SMALL && add >= -SMALL && add < SMALL) {
      const both = (value + add) * WORD + (to[2 * i]! >>> 0) + (by[2 * i]! >>> 0);
      const sum = both < low ? low : both > high ? high : both;
      to[2 * i] = sum | 0;
      to[2 * i + 1] = Math.floor(sum / WORD);
    } else indices[i] = finished(indices[i]! + noise[i]!, finish);
  }
}

const WORD = 2 ** 32;
/** Words whose upper half is below it are below 2^52: doubles hold them, their sums and the bounds these can pass. */
const SMALL = 2 ** 20;
const LOW_FIRST = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function halvesOf({ buffer, byteOffset, length }: BigInt64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, 2 * length);
}

/** Bounds and rounding in steps: what is done to noisy values, free of privacy cost. */
export function finishOf(
  lattice: Lattice,
  clamp: { readonly low: Rational; readonly high: Rational } | null,
  roundTo: Rational | null,
): Finish {
  const steps = (value: Rational, field: string): bigint => {
    const index = divide(value, lattice.step);
    if (!isInteger(index))
      throw invalid(
        `${field}: expected a multiple of the step ${toDecimal(lattice.step)}, got ${toDecimal(value)}`,
      );
    const { num } = rational(index.num, index.den);
    return num > lattice.limit ? lattice.limit : num < -lattice.limit ? -lattice.limit : num;
  };
  if (clamp && compare(clamp.low, clamp.high) > 0)
    throw invalid(
      `clamp: expected low,high with low not above high, got ${toDecimal(clamp.low)},${toDecimal(clamp.high)}`,
    );
  if (roundTo && roundTo.num <= 0n)
    throw invalid(`roundTo: expected a positive decimal, got ${toDecimal(roundTo)}`);
  return {
    low: clamp ? steps(clamp.low, 'clamp') : -lattice.limit,
    high: clamp ? steps(clamp.high, 'clamp') : lattice.limit,
    roundTo: roundTo ? steps(roundTo, 'roundTo') : 1n,
  };
}

function floorDivide(num: bigint, den: bigint): bigint {
  const quotient = num / den;
  return num % den < 0n ? quotient - 1n : quotient;
}
