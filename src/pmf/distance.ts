// Distances between two mass functions, in doubles: they measure utility, no guarantee rests on them.

import { invalid } from '../error/index.js';
import { bitLength, compare, type Rational, toNumberNear } from '../exact/index.js';
import { jsTerm, klTerm } from './divergence.js';
import { convolveDoubles } from './fourier.js';
import { lastIndex, type Pmf, type Tail, total } from './pmf.js';

/** Probabilities as doubles, with tails that continue them: what distances are measured on. */
export interface Masses {
  readonly step: Rational;
  readonly from: number;
  readonly p: Float64Array;
  readonly left: Tail | null;
  readonly right: Tail | null;
}

/** A mass function in doubles, with what lies beyond its window. */
export function toMasses(pmf: Pmf): Masses {
  const { step, from, left, right } = pmf;
  return { step, from, p: probabilities(pmf, from, lastIndex(pmf)).p, left, right };
}

/** The distribution of input + noise, in doubles; the input has no tails, the noise may. */
export function outputOf(input: Pmf, noise: Pmf): Masses {
  if (compare(input.step, noise.step) !== 0)
    throw invalid('outputOf: expected two mass functions of the same step');
  if (input.left || input.right) throw invalid('outputOf: expected an input without tails');
  // The noise written out as far as the input reaches, so that the sums at the seams are complete.
  const reach = input.weights.length - 1;
  const from = noise.from - (noise.left ? reach : 0);
  const to = lastIndex(noise) + (noise.right ? reach : 0);
  const sums = convolveDoubles(toMasses(input).p, probabilities(noise, from, to).p);
  const start = noise.left ? reach : 0;
  const end = sums.length - (noise.right ? reach : 0);
  return {
    step: input.step,
    from: input.from + from + start,
    p: sums.slice(start, end),
    left: noise.left,
    right: noise.right,
  };
}

/** Total mass that may be left beyond the common window; the rest is added in closed form. */
const NEGLIGIBLE = 1e-18;
const WIDEST = 50_000_000;

/** Wasserstein-1 in data units: step · Σ |F(k) − G(k)|. */
export function wasserstein(a: Pmf | Masses, b: Pmf | Masses): number {
  const { p, q, pBeyond, qBeyond } = align(asMasses(a), asMasses(b));
  // From the left up to the middle with lower sums, from the right with upper sums: no cancellation.
  let sum = 0;
  let gap = pBeyond.left.mass - qBeyond.left.mass;
  const middle = p.length >> 1;
  for (let i = 0; i < middle; i++) {
    gap += p[i]! - q[i]!;
    sum += Math.abs(gap);
  }
  gap = pBeyond.right.mass - qBeyond.right.mass;
  for (let i = p.length - 1; i > middle; i--) {
    gap += p[i]! - q[i]!;
    sum += Math.abs(gap);
  }
  for (const side of ['left', 'right'] as const) sum += Math.abs(pBeyond[side].sums - qBeyond[side].sums);
  return sum * toNumberNear(a.step);
}

/** ½ Σ |p − q| */
export function totalVariation(a: Pmf | Masses, b: Pmf | Masses): number {
  const { p, q, pBeyond, qBeyond } = align(asMasses(a), asMasses(b));
  let sum =
    Math.abs(pBeyond.left.mass - qBeyond.left.mass) + Math.abs(pBeyond.right.mass - qBeyond.right.mass);
  for (let i = 0; i < p.length; i++) sum += Math.abs(p[i]! - q[i]!);
  return sum / 2;
}

/** Kullback-Leibler divergence Σ p·log(p / q) in nats; Infinity where q is zero and p is not. */
export function kullbackLeibler(a: Pmf | Masses, b: Pmf | Masses): number {
  const { p, q, pBeyond, qBeyond } = align(asMasses(a), asMasses(b));
  let sum = 0;
  for (let i = 0; i < p.length; i++) sum += klTerm(p[i]!, q[i]!);
  for (const side of ['left', 'right'] as const) sum += klTerm(pBeyond[side].mass, qBeyond[side].mass);
  return sum;
}

/** Jensen-Shannon divergence in nats, at most log 2. */
export function jensenShannon(a: Pmf | Masses, b: Pmf | Masses): number {
  const { p, q, pBeyond, qBeyond } = align(asMasses(a), asMasses(b));
  let sum = 0;
  for (let i = 0; i < p.length; i++) sum += jsTerm(p[i]!, q[i]!);
  for (const side of ['left', 'right'] as const) sum += jsTerm(pBeyond[side].mass, qBeyond[side].mass);
  return sum;
}

/** What lies beyond one end of a window. */
export interface Beyond {
  readonly mass: number;
  /** Σ over the points beyond the window of the mass from there outward. */
  readonly sums: number;
}

interface Aligned {
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly pBeyond: { left: Beyond; right: Beyond };
  readonly qBeyond: { left: Beyond; right: Beyond };
}

/**
 * Both on one window. Where only one of them has a tail on a side the rest is in closed form; where
 * both have one, the window reaches out until what is left of either is negligible.
 */
function align(a: Masses, b: Masses): Aligned {
  if (compare(a.step, b.step) !== 0) throw invalid('distance: expected two mass functions of the same step');
  const reach = (side: 'left' | 'right') =>
    a[side] && b[side] ? Math.max(reachOf(a, side), reachOf(b, side)) : 0;
  const from = Math.min(a.from, b.from) - reach('left');
  const to = Math.max(a.from + a.p.length, b.from + b.p.length) - 1 + reach('right');
  if (to - from > WIDEST)
    throw invalid(`distance: expected a common window of at most ${WIDEST} points, got ${to - from}`);
  const first = widened(a, from, to);
  const second = widened(b, from, to);
  return { p: first.p, pBeyond: first.beyond, q: second.p, qBeyond: second.beyond };
}

function reachOf(pmf: Masses, side: 'left' | 'right'): number {
  const { period, ratio } = pmf[side]!;
  return (
    period *
    Math.ceil(
      Math.log(NEGLIGIBLE) / Math.log1p(-toNumberNear({ num: ratio.den - ratio.num, den: ratio.den })),
    )
  );
}

/** The probabilities on a range that covers the window, as doubles, and what lies beyond it. */
export function probabilities(
  pmf: Pmf,
  from: number,
  to: number,
): { p: Float64Array; beyond: { left: Beyond; right: Beyond } } {
  const p = new Float64Array(pmf.weights.length);
  const mass = total(pmf);
  // A common shift keeps the quotient of weight and total within doubles.
  const shift = BigInt(Math.max(0, bitLength(mass.num / mass.den + 1n) - 1000));
  const scale = toNumberNear({ num: mass.num, den: mass.den << shift });
  pmf.weights.forEach((weight, i) => {
    p[i] = Number(weight >> shift) / scale;
  });
  return widened({ ...pmf, p }, from, to);
}

/** The same on a wider range, tails written out, and what lies beyond it. */
export function widened(
  masses: Masses,
  from: number,
  to: number,
): { p: Float64Array; beyond: { left: Beyond; right: Beyond } } {
  const p = new Float64Array(to - from + 1);
  const offset = masses.from - from;
  p.set(masses.p, offset);
  return {
    p,
    beyond: {
      left: continueTail(masses.left, p, offset - 1, -1),
      right: continueTail(masses.right, p, offset + masses.p.length, 1),
    },
  };
}

function asMasses(mass: Pmf | Masses): Masses {
  return 'p' in mass ? mass : toMasses(mass);
}

/** Fill p outward from `start` with a tail, and sum up what lies beyond the array. */
function continueTail(tail: Pmf['left'], p: Float64Array, start: number, direction: 1 | -1): Beyond {
  if (!tail) return { mass: 0, sums: 0 };
  const ratio = toNumberNear(tail.ratio);
  const complement = toNumberNear({ num: tail.ratio.den - tail.ratio.num, den: tail.ratio.den });
  let i = start;
  for (; i >= 0 && i < p.length; i += direction) p[i] = p[i - direction * tail.period]! * ratio;
  // Beyond: the last block, at positions 1 … period outward, repeated.
  let block = 0;
  let positions = 0;
  for (let j = 0; j < tail.period; j++) {
    const weight = p[i - direction * (tail.period - j)]! * ratio;
    block += weight;
    positions += weight * (j + 1);
  }
  const mass = block / complement;
  return { mass, sums: positions / complement + (tail.period * mass * ratio) / complement };
}
