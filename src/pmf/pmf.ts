// A mass function on the lattice {k·step}: integer weights on a window, and on either side nothing
// or an exact geometric tail. Every probability is a weight over the total; there are no floats.

import { invalid, wrong } from '../error/index.js';
import { add, multiply, type Rational, rational } from '../exact/index.js';

/** Beyond its edge the weights repeat the window's outermost `period` weights times `ratio`, again and again. */
export interface Tail {
  readonly period: number;
  readonly ratio: Rational;
}

export interface Pmf {
  readonly step: Rational;
  /** Lattice index of the first weight. */
  readonly from: number;
  readonly weights: readonly bigint[];
  readonly left: Tail | null;
  readonly right: Tail | null;
}

/** A weight of the window times powers of the tails' ratios: the value at any lattice point. */
export interface Value {
  readonly weight: bigint;
  readonly leftPower: number;
  readonly rightPower: number;
}

/** Lattice indices stay where doubles count by ones, whatever is added to them. */
export const FURTHEST = 2 ** 50;

/** A checked mass function; the errors say which rule of the mechanism file is broken. */
export function makePmf(parts: Pmf): Pmf {
  const { step, from, weights, left, right } = parts;
  if (step.num <= 0n) throw invalid('step: expected a positive decimal, got one that is not above 0');
  if (!Number.isSafeInteger(from) || Math.abs(from) > FURTHEST)
    throw invalid(
      `from: expected a whole number within ±2^50, got ${from}; the noise lies too far from 0 for its step`,
    );
  if (weights.length === 0) throw invalid('weights: expected at least one weight, got none');
  weights.forEach((weight, index) => {
    if (weight < 0n) throw wrong(`weights[${index}]: expected a weight of at least 0, got ${weight}`);
  });
  for (const index of [0, weights.length - 1])
    if (weights[index] === 0n)
      throw wrong(`weights[${index}]: expected a positive weight at the end of the window, got 0; drop it`);
  checkTail('left', left, weights);
  checkTail('right', right, weights);
  return parts;
}

/** The same of weights alone, without tails. */
export function windowPmf(step: Rational, from: number, weights: readonly bigint[]): Pmf {
  return makePmf({ step, from, weights, left: null, right: null });
}

/** Lattice index of the last weight. */
export function lastIndex(pmf: Pmf): number {
  return pmf.from + pmf.weights.length - 1;
}

/** The exact weight at an index, tails included. */
export function valueAt(pmf: Pmf, index: number): Value {
  const { from, weights, left, right } = pmf;
  const position = index - from;
  if (position >= 0 && position < weights.length)
    return { weight: weights[position]!, leftPower: 0, rightPower: 0 };
  if (position < 0 && left) {
    const beyond = -position - 1;
    const inBlock = left.period - 1 - (beyond % left.period);
    return { weight: weights[inBlock]!, leftPower: Math.floor(beyond / left.period) + 1, rightPower: 0 };
  }
  if (position >= weights.length && right) {
    const beyond = position - weights.length;
    const inBlock = weights.length - right.period + (beyond % right.period);
    return { weight: weights[inBlock]!, leftPower: 0, rightPower: Math.floor(beyond / right.period) + 1 };
  }
  return { weight: 0n, leftPower: 0, rightPower: 0 };
}

/** The sum of all weights, tails included, exactly. */
export function total(pmf: Pmf): Rational {
  let sum = 0n;
  for (const weight of pmf.weights) sum += weight;
  return add(add(rational(sum), tailWeight(pmf, 'left')), tailWeight(pmf, 'right'));
}

/** The weight beyond one edge of the window. */
export function tailWeight(pmf: Pmf, side: 'left' | 'right'): Rational {
  const tail = pmf[side];
  if (!tail) return rational(0n);
  let block = 0n;
  for (const weight of tailBlock(pmf, side)) block += weight;
  return multiply(rational(block), geometricFactor(tail));
}

/** The window's weights that the tail repeats. */
export function tailBlock(pmf: Pmf, side: 'left' | 'right'): readonly bigint[] {
  const tail = pmf[side];
  if (!tail) return [];
  return side === 'left' ? pmf.weights.slice(0, tail.period) : pmf.weights.slice(-tail.period);
}

/** ratio + ratio² + … = ratio / (1 − ratio) */
export function geometricFactor(tail: Tail): Rational {
  return rational(tail.ratio.num, tail.ratio.den - tail.ratio.num);
}

/** The mass function of −θ. */
export function mirror(pmf: Pmf): Pmf {
  return {
    step: pmf.step,
    from: -lastIndex(pmf),
    weights: [...pmf.weights].reverse(),
    left: pmf.right,
    right: pmf.left,
  };
}

/**
 * Do the weights rise to a single peak and fall from it, on the whole lattice? Zeros beyond the ends
 * of a window without tails count as falling.
 */
export function isUnimodal(pmf: Pmf): boolean {
  const { weights, left, right } = pmf;
  let peak = 0;
  while (peak + 1 < weights.length && weights[peak + 1]! >= weights[peak]!) peak++;
  for (let i = peak; i + 1 < weights.length; i++) if (weights[i + 1]! > weights[i]!) return false;
  // A tail descends where its block does and the seam from one block to the next does.
  return descends(left, [...tailBlock(pmf, 'left')].reverse()) && descends(right, tailBlock(pmf, 'right'));
}

function descends(tail: Tail | null, outward: readonly bigint[]): boolean {
  if (!tail) return true;
  for (let i = 0; i + 1 < outward.length; i++) if (outward[i + 1]! > outward[i]!) return false;
  return outward[0]! * tail.ratio.num <= outward[outward.length - 1]! * tail.ratio.den;
}

function checkTail(side: 'left' | 'right', tail: Tail | null, weights: readonly bigint[]): void {
  if (!tail) return;
  const { period, ratio } = tail;
  if (!Number.isSafeInteger(period) || period < 1 || period > weights.length)
    throw wrong(
      `tails.${side}.period: expected a whole number from 1 to ${weights.length}, the number of weights, got ${period}`,
    );
  if (ratio.num <= 0n || ratio.num >= ratio.den)
    throw wrong(`tails.${side}.ratio: expected a ratio above 0 and below 1, got ${shortRatio(ratio)}`);
  const start = side === 'left' ? 0 : weights.length - period;
  for (let i = start; i < start + period; i++)
    if (weights[i] === 0n)
      throw wrong(
        `weights[${i}]: expected positive weights in the block that the ${side} tail repeats, got 0; shorten the period or extend the window`,
      );
}

function shortRatio({ num, den }: Rational): string {
  const text = `${num}/${den}`;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
