// A user's own mass function, from rows of value and probability, kept exactly.

import { invalid, wrong } from '../error/index.js';
import {
  absolute,
  add,
  compare,
  divide,
  isInteger,
  multiply,
  parseDecimal,
  parseRational,
  type Rational,
  rational,
  subtract,
  toDecimalUp,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { makePmf, type Pmf, type Tail, total, windowPmf, withoutError } from '../pmf/index.js';
import { supRatio } from '../privacy/index.js';
import type { Noise } from './noise.js';

export interface TableRow {
  /** Or `left tail` and `right tail`: from there on the outermost block repeats, each time by the ratio that stands for the probability. */
  readonly value: string;
  readonly probability: string;
  /** Of a tail: points of its block; one where it is not said. */
  readonly period?: string;
}

const WIDEST = 10_000_000;
/** Sums this close to one are taken for rounded and normalised. */
const SLACK = rational(1n, 1_000_000_000n);

/** Noise from a table, with tails or without; `name` stands for it in specs and errors. */
export function tableNoise(rows: readonly TableRow[], step: Rational, name: string): Noise {
  const tails = rows.filter(isTail);
  const points = tails.length === 0 ? rows : rows.filter((row) => !isTail(row));
  const pmf =
    tails.length === 0
      ? tablePmf(rows, step, `table ${name}`)
      : withTails(massesOf(points, step, `table ${name}`), tails, step, `table ${name}`);
  return pmfNoise(pmf, 'table', name);
}

/** Noise whose integers are there already: of a table, or of a mechanism's file. */
export function pmfNoise(pmf: Pmf, family: 'table' | 'mechanism', path: string): Noise {
  return {
    family,
    parameters: { path },
    step: pmf.step,
    approximate: () => withoutError(pmf),
    pureEpsilon: (adjacency) => {
      if (!pmf.left || !pmf.right) return null;
      const sup = supRatio(pmf, adjacency);
      return sup.finite ? sup.epsilon(512) : null;
    },
  };
}

/** The mass function of a table, kept exactly where its probabilities sum to one, and rescaled where they are rounded. */
export function tablePmf(rows: readonly TableRow[], step: Rational, name: string): Pmf {
  if (rows.some(isTail))
    throw invalid(`${name}: expected values and probabilities, got a tail; only noise has tails`);
  const masses = massesOf(rows, step, name);
  checkSum(
    [...masses.values()].reduce((sum, mass) => add(sum, mass), zero),
    name,
  );
  return fromMasses(masses, step, name);
}

const TAIL = /^\s*(left|right) tail\s*$/i;

function isTail({ value }: TableRow): boolean {
  return TAIL.test(value);
}

/** The window of a table, and beyond its ends blocks that repeat: all of it sums to one. */
function withTails(
  masses: ReadonlyMap<number, Rational>,
  tails: readonly TableRow[],
  step: Rational,
  name: string,
): Pmf {
  const pmf = fromMasses(masses, step, name);
  const sides: { left: Tail | null; right: Tail | null } = { left: null, right: null };
  for (const { value, probability, period = '1' } of tails) {
    const side = TAIL.exec(value)![1]!.toLowerCase() as 'left' | 'right';
    const where = `${name}, ${side} tail`;
    if (sides[side]) throw wrong(`${where}: expected one, got another`);
    const ratio = parseFraction(probability, `${where}, ratio`);
    if (ratio.num <= 0n || ratio.num >= ratio.den)
      throw wrong(`${where}: expected a ratio between 0 and 1, as in 1/2, got ${probability}`);
    const points = /^[1-9]\d{0,7}$/.test(period.trim()) ? Number(period) : 0;
    if (points < 1 || points > pmf.weights.length)
      throw wrong(
        `${where}: expected a period from 1 to the table's ${pmf.weights.length} points, got ${period}`,
      );
    sides[side] = { period: points, ratio };
  }
  const noise = makePmf({ ...pmf, ...sides });
  const whole = total(noise);
  const inside = [...masses.values()].reduce((sum, mass) => add(sum, mass), zero);
  const points = noise.weights.reduce((sum, weight) => sum + weight, 0n);
  // As much as the window is of the whole, as much of 1 must its probabilities be.
  checkSum(multiply(inside, divide(whole, rational(points))), name, true);
  return noise;
}

function massesOf(rows: readonly TableRow[], step: Rational, name: string): Map<number, Rational> {
  if (rows.length === 0)
    throw invalid(`${name}: expected at least one row of value and probability, got none`);
  const masses = new Map<number, Rational>();
  rows.forEach(({ value, probability }, i) => {
    const index = divide(parseRational(value, `${name}, row ${i + 1}, value`), step);
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
  });
  return masses;
}

function checkSum(sum: Rational, name: string, hasTails = false): void {
  const off = subtract(sum, rational(1n));
  if (compare(absolute(off), SLACK) > 0) {
    const text = `${off.num < 0n ? '-' : '+'}${toDecimalUp(absolute(off), 6)}`;
    throw invalid(
      `${name}: expected probabilities that sum to 1, got ${toNumberNear(sum)} (off by ${text}); rescale them${hasTails ? ': what lies in the tails counts' : ''}`,
    );
  }
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
