// Canonical noise of (ε, δ) [AR]: the least E|θ|, E θ² and tails of all noise with this guarantee at an adjacency of one step, in closed
// form. At m steps each of its masses is spread evenly over m points (proofs/canonical.md).

import { invalid } from '../error/index.js';
import {
  add,
  bitLength,
  compare,
  divide,
  divideUp,
  exactText,
  exp,
  integer,
  isInteger,
  multiply,
  one,
  parseDecimal,
  parseRational,
  type Rational,
  rational,
  subtract,
  toDecimalDown,
  toNumberNear,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { type Approximation, windowPmf } from '../pmf/index.js';
import { ratioUp } from './_geometric-tail.js';
import { type Family, isPositive, parameter } from './noise.js';

/** Points of the noise at most. */
const WIDEST = 1_000_000;
/** Bits of the least mass but the last, and of a last one that is known to many digits. */
const BITS = 320;
const FEW = 160;
/** Digits that ε is written with where it is worked out. */
const DIGITS = 25;

export const canonical: Family = {
  name: 'canonical',
  meaning: 'canonical noise of (ε, δ), the least there is at an adjacency of one step',
  parameters: [
    { key: 'epsilon', meaning: 'ε that the noise has at its own δ and adjacency' },
    { key: 'delta', meaning: 'δ, above 0 and below 1' },
    { key: 'adjacency', meaning: 'the adjacency it is for, in data units' },
  ],
  dial: {
    key: 'epsilon',
    grows: false,
    notPure: 'its support is bounded; without δ it is geometric noise',
    solve: ({ epsilon, delta, adjacency }, values, step) => {
      const own = exactText(multiply(integer(adjacency), step));
      const at = values.adjacency === undefined ? own : exactText(parseRational(values.adjacency));
      const apart = values.delta === undefined ? delta : parseDecimal(values.delta, 'canonical: delta');
      if (at !== own || compare(apart, delta) > 0) return null;
      return {
        epsilon: toDecimalDown(epsilon, DIGITS),
        delta: toDecimalDown(apart, DIGITS),
        adjacency: own,
      };
    },
    guess: ({ epsilon }) => toNumberUp(epsilon),
    range: { lower: 0, upper: Infinity },
  },
  build(values, step) {
    const epsilon = parameter('canonical', values, 'epsilon', 'above 0', isPositive);
    const isShare = (value: Rational) => value.num > 0n && compare(value, one) < 0;
    const delta = parameter('canonical', values, 'delta', 'above 0 and below 1', isShare);
    const inSteps = (value: Rational) => divide(value, step);
    const fits = (value: Rational) =>
      isInteger(inSteps(value)) && value.num > 0n && toNumberUp(inSteps(value)) <= WIDEST;
    const condition = `a positive multiple of the step ${exactText(step)}, up to ${WIDEST} steps`;
    const adjacency = parameter('canonical', values, 'adjacency', condition, fits);
    const block = toNumberUp(inSteps(adjacency));
    return {
      family: 'canonical',
      parameters: {
        epsilon: exactText(epsilon),
        delta: exactText(delta),
        adjacency: exactText(adjacency),
      },
      step,
      approximate: () => approximated(epsilon, delta, block, step),
      pureEpsilon: () => null,
    };
  },
};

function approximated(epsilon: Rational, delta: Rational, block: number, step: Rational): Approximation {
  const { masses, relative, outside } = massesOf(epsilon, delta, block);
  const last = masses.length - 1;
  const at = (j: number) => masses[Math.abs(j)] ?? 0n;
  // An even block is half of one that begins at its left, half of one that ends at its right, so that the noise is symmetric.
  const reach = last * block + Math.floor(block / 2);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const k = Math.abs(i - reach);
    const j = Math.floor((k + Math.floor(block / 2)) / block);
    if (block % 2 === 1) return at(j);
    return (k + block / 2) % block === 0 ? at(j - 1) + at(j) : 2n * at(j);
  });
  return { pmf: windowPmf(step, -reach, weights), error: () => ({ relative, outside }) };
}

/**
 * Integers N₀, N₁, … for the masses at 0 and at ±1, ±2, …: each the one before times q ≥ e^−ε, rounded up, and the last the least with
 * which (ε, δ) holds at one step: N − N′/q + N′ ≤ δ·(sum of all), with N′ ≤ q·N behind N.
 */
function massesOf(epsilon: Rational, delta: Rational, block: number) {
  const { ratio: q, relative: off } = ratioUp(epsilon, 'canonical: epsilon');
  const [e, d] = [toNumberNear(epsilon), toNumberNear(delta)];
  const about = 1 + Math.log1p((1 / d - 1) * Math.tanh(e / 2)) / e;
  if (!(2 * about * block <= WIDEST))
    throw invalid(
      `canonical: expected noise of at most ${WIDEST} points, got about ${(2 * about * block).toPrecision(3)}; use a larger step`,
    );
  const small = (value: Rational) => Math.max(0, bitLength(value.den) - bitLength(value.num) + 1);
  const scale =
    BITS + small(delta) + small(subtract(one, delta)) + small(q) + 2 * Math.ceil(Math.log2(about + 2));
  const masses: bigint[] = [];
  let mass = 1n << BigInt(scale);
  let sum = -mass;
  for (;;) {
    masses.push(mass);
    sum += 2n * mass;
    const lacking = mass * delta.den - delta.num * sum;
    if (lacking <= 0n) break;
    const next = divideUp(mass * q.num, q.den);
    const end = divideUp(lacking * q.num, (q.den - q.num) * delta.den + 2n * delta.num * q.num);
    if (end * q.den <= mass * q.num) {
      masses.push(end);
      break;
    }
    mass = next;
  }
  // The last mass may be next to nothing; the others are known to many digits.
  const isTiny = bitLength(masses.at(-1)!) < scale / 2;
  const growth = exp(epsilon).upper;
  const count = masses.length + 4;
  return {
    masses,
    relative: add(
      divide(multiply(off, integer(4 * count)), subtract(one, q)),
      rational(BigInt(count), 1n << BigInt(FEW - 8)),
    ),
    outside: isTiny ? divide(add(one, growth), rational(1n << BigInt(Math.floor(scale / 2)))) : zero,
  };
}
