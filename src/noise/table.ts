// A user's own mass function, from rows of value and probability, kept exactly.

import { invalid, wrong } from '../error/index.js';
import {
  absolute,
  add,
  compare,
  divide,
  isInteger,
  parseDecimal,
  type Rational,
  rational,
  subtract,
  toDecimalUp,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { type Pmf, windowPmf, withoutError } from '../pmf/index.js';
import type { Noise } from './noise.js';

export interface TableRow {
  readonly value: string;
  readonly probability: string;
}

const WIDEST = 10_000_000;
/** Sums this close to one are taken for rounded and normalised. */
const SLACK = rational(1n, 1_000_000_000n);

/** Noise from a table; `name` stands for it in specs and errors. */
export function tableNoise(rows: readonly TableRow[], step: Rational, name: string): Noise {
  const pmf = tablePmf(rows, step, `table ${name}`);
  return {
    family: 'table',
    parameters: { path: name },
    step,
    approximate: () => withoutError(pmf),
    pureEpsilon: () => null,
  };
}

/** The mass function of a table, kept exactly where its probabilities sum to one, and rescaled where they are rounded. */
export function tablePmf(rows: readonly TableRow[], step: Rational, name: string): Pmf {
  if (rows.length === 0)
    throw invalid(`${name}: expected at least one row of value and probability, got none`);
  const masses = new Map<number, Rational>();
  let sum = zero;
  rows.forEach(({ value, probability }, i) => {
    const index = divide(parseDecimal(value, `${name}, row ${i + 1}, value`), step);
    const mass = parseFraction(probability, `${name}, row ${i + 1}, probability`);
    if (!isInteger(index))
      throw wrong(
        `${name}, row ${i + 1}: expected a value that is a multiple of the step ${toDecimalUp(step)}, got ${value}; set {step}`,
      );
    if (mass.num < 0n)
      throw wrong(`${name}, row ${i + 1}: expected a probability of at least 0, got ${probability}`);
    const key = Number(index.num / index.den);
    if (!Number.isSafeInteger(key))
      throw wrong(`${name}, row ${i + 1}: expected a value below 2^53 steps, got ${value}`);
    if (masses.has(key)) throw wrong(`${name}, row ${i + 1}: expected each value once, got ${value} again`);
    masses.set(key, mass);
    sum = add(sum, mass);
  });
  const off = subtract(sum, rational(1n));
  if (compare(absolute(off), SLACK) > 0) {
    const text = `${off.num < 0n ? '-' : '+'}${toDecimalUp(absolute(off), 6)}`;
    throw invalid(
      `${name}: expected probabilities that sum to 1, got ${toNumberNear(sum)} (off by ${text}); rescale them`,
    );
  }
  return fromMasses(masses, step, name);
}

function fromMasses(masses: ReadonlyMap<number, Rational>, step: Rational, name: string): Pmf {
  const positive = [...masses].filter(([, mass]) => mass.num > 0n);
  const low = positive.reduce((least, [key]) => Math.min(least, key), Infinity);
  const high = positive.reduce((most, [key]) => Math.max(most, key), -Infinity);
  if (high - low >= WIDEST)
    throw invalid(`${name}: expected values within ${WIDEST} steps of each other, got ${high - low + 1}`);
  const den = positive.reduce((common, [, mass]) => leastCommonMultiple(common, mass.den), 1n);
  const weights = new Array<bigint>(high - low + 1).fill(0n);
  for (const [key, mass] of positive) weights[key - low] = mass.num * (den / mass.den);
  return windowPmf(step, low, weights);
}

/** A decimal, or a fraction such as 1/3. */
function parseFraction(text: string, name: string): Rational {
  const [top, bottom, ...more] = text.split('/');
  if (bottom === undefined || more.length > 0) return parseDecimal(text, name);
  const den = parseDecimal(bottom, name);
  if (den.num === 0n) throw invalid(`${name}: expected a denominator other than 0, got ${text}`);
  return divide(parseDecimal(top!, name), den);
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return b * rational(a, b).num;
}
