// The figures of a target from what a caller gives: decimals as text, or as numbers, which stand for their shortest decimal.

import { invalid, quote } from '../error/index.js';
import {
  divide,
  exactText,
  isInteger,
  parseDecimal,
  parseRational,
  type Rational,
  toNumberUp,
} from '../exact/index.js';
import { MOST_ADJACENCY } from '../noise/index.js';

export type Decimal = string | number;

/** An exact value; `field` is what the error calls it. */
export function readDecimal(value: Decimal, field: string): Rational {
  if (typeof value === 'string') return parseDecimal(value, field);
  if (value === undefined) throw invalid(`${field}: expected a decimal such as '0.25' or 0.25, got none`);
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalid(
      `${field}: expected a decimal such as '0.25' or 0.25, got ${typeof value === 'number' || value === null ? value : `a ${typeof value}`}`,
    );
  return parseDecimal(String(value), field);
}

/** A distance, above 0: it may be a fraction such as '1/3'. */
export function readDistance(value: Decimal, field: string): Rational {
  if (typeof value !== 'string' || !value.includes('/')) return readPositive(value, field);
  const exact = parseRational(value, field);
  if (exact.num <= 0n)
    throw invalid(`${field}: expected a positive decimal or fraction, got ${quote(value)}`);
  return exact;
}

/** Above 0. */
export function readPositive(value: Decimal, field: string, what = 'a positive decimal'): Rational {
  const exact = readDecimal(value, field);
  if (exact.num <= 0n) throw invalid(`${field}: expected ${what}, got ${value}`);
  return exact;
}

const LARGEST_EPSILON = 1_000_000n;

/** From 0 on; see `readPositive` where 0 makes no sense. */
export function readEpsilon(value: Decimal, field = 'epsilon'): Rational {
  const exact = readDecimal(value, field);
  if (exact.num < 0n) throw invalid(`${field}: expected a value of at least 0, got ${value}`);
  if (exact.num > LARGEST_EPSILON * exact.den)
    throw invalid(`${field}: expected a value of at most ${LARGEST_EPSILON}, got ${value}`);
  return exact;
}

/** Above 0: noise with ε = 0 does not exist. */
export function readPositiveEpsilon(value: Decimal, field = 'epsilon'): Rational {
  readPositive(value, field, 'a value above 0');
  return readEpsilon(value, field);
}

/** Smaller gaps are lost in the rounding of doubles. */
const LEAST_GAP = 1e-9;

/** A part of a value. */
export function readGap(value: Decimal, field = 'gap'): number {
  const gap = toNumberUp(readPositive(value, field));
  if (!(gap >= LEAST_GAP && gap < 1))
    throw invalid(
      `${field}: expected a part of the value from ${LEAST_GAP} to below 1, as in 0.001, got ${value}`,
    );
  return gap;
}

/** From 0 on and below 1. */
export function readDelta(value: Decimal, field = 'delta'): Rational {
  const exact = readDecimal(value, field);
  if (exact.num < 0n || exact.num >= exact.den)
    throw invalid(`${field}: expected a value of at least 0 and below 1, got ${value}`);
  return exact;
}

/** A step, and an adjacency as a number of steps. */
export interface Steps {
  readonly step: Rational;
  readonly adjacency: number;
}

/** The adjacency must be a multiple of the step. */
export function readSteps(given: { readonly step: Decimal; readonly adjacency: Decimal }): Steps {
  const step = readDistance(given.step, 'step');
  const steps = divide(readDistance(given.adjacency, 'adjacency'), step);
  if (!isInteger(steps))
    throw invalid(
      `adjacency: expected a multiple of the step ${exactText(step)}, got ${given.adjacency}; change it or set {step}`,
    );
  const adjacency = toNumberUp(steps);
  if (adjacency > MOST_ADJACENCY)
    throw invalid(
      `adjacency: expected at most ${MOST_ADJACENCY} steps, got ${adjacency}; use a larger {step}`,
    );
  return { step, adjacency };
}
