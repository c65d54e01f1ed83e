// Theorem 1 [QHFL, Thm 1]: noise is ε-DP at adjacency m if and only if no two probabilities within a
// distance of m differ by more than the factor e^ε. The largest ratio c_b over the whole lattice is a
// sliding-window minimum under every numerator; proofs/sup-ratio.md shows that window and one period
// of each tail are numerators enough, so the cost is linear in the window whatever m is.

import {
  add,
  compare,
  type Enclosure,
  exactly,
  integer,
  log,
  maximum,
  multiply,
  negate,
  type Rational,
  rational,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { lastIndex, type Pmf, type Value, valueAt } from '../pmf/index.js';
import { log2 } from './log2.js';
import { slidingMinimum } from './sliding-window.js';

/** p(k − shift) / p(k) = c_b, in steps. */
export interface RatioWitness {
  readonly k: number;
  readonly shift: number;
}

export type SupRatio =
  | {
      readonly finite: true;
      readonly witness: RatioWitness;
      /** Its logarithm, enclosed to so many bits. */
      readonly epsilon: (bits?: number) => Enclosure;
    }
  /** p(k) = 0 and p(k − shift) > 0: no ε suffices. */
  | { readonly finite: false; readonly witness: RatioWitness };

/** The largest ratio of probabilities within the adjacency, exactly, with the place where it is attained: e^ε of Theorem 1 (proofs/sup-ratio.md). */
export function supRatio(pmf: Pmf, adjacency: number): SupRatio {
  const gap = zeroWitness(pmf);
  if (gap) return { finite: false, witness: gap };
  const order = latticeOrder(pmf, adjacency);
  const { from } = pmf;
  const last = lastIndex(pmf);
  const leftPeriod = pmf.left!.period;
  const rightPeriod = pmf.right!.period;
  const first = from - leftPeriod;
  const count = pmf.weights.length + leftPeriod + rightPeriod;
  const end = first + count - 1;

  // The least value within reach of numerator i lies in the window, in the outermost period that is
  // in reach of the right tail, or in the same of the left tail.
  const windowLeast = slidingMinimum(order.below, {
    count,
    low: (n) => Math.max(from, first + n - adjacency),
    high: (n) => Math.min(last, first + n + adjacency),
  });
  const rightLeast = slidingMinimum(order.below, {
    count,
    low: (n) => Math.max(last + 1, first + n - adjacency, first + n + adjacency - rightPeriod + 1),
    high: (n) => first + n + adjacency,
  });
  // The left tail is searched from the right, so that its windows too move in one direction.
  const leftLeast = slidingMinimum((a, b) => order.below(-a, -b), {
    count,
    low: (n) => Math.max(1 - from, n - end - adjacency, n - end + adjacency - leftPeriod + 1),
    high: (n) => n - end + adjacency,
  });

  let best: Ratio | null = null;
  let ties: Ratio[] = [];
  for (let n = 0; n < count; n++) {
    const i = first + n;
    const denominators = [windowLeast[n]!, rightLeast[n]!, -leftLeast[count - 1 - n]!];
    for (const k of denominators) {
      if (Number.isNaN(k)) continue;
      const size = order.log2At(i) - order.log2At(k);
      if (best && size < best.size - order.margin) continue;
      const candidate = order.ratio(i, k, size);
      const sign = best ? order.compareRatios(candidate, best) : 1;
      if (sign === 'unresolved') ties.push(candidate);
      else if (sign > 0)
        [best, ties] = [candidate, ties.filter((tie) => order.compareRatios(tie, candidate) !== -1)];
    }
  }
  const attained = best!;
  return {
    finite: true,
    witness: { k: attained.k, shift: attained.k - attained.i },
    epsilon: (bits = 128) =>
      ties.reduce(
        (most, tie) => {
          const other = order.log(tie, bits);
          return { lower: maximum(most.lower, other.lower), upper: maximum(most.upper, other.upper) };
        },
        order.log(attained, bits),
      ),
  };
}

/** Is ε at least log c_b? Decided for certain: log c_b is irrational, so some precision tells. */
export function reachesSup(sup: SupRatio, epsilon: Rational): boolean {
  if (!sup.finite) return false;
  for (let bits = 128; bits <= 65_536; bits *= 2) {
    const bound = sup.epsilon(bits);
    if (compare(bound.upper, epsilon) <= 0) return true;
    if (compare(bound.lower, epsilon) > 0) return false;
  }
  return false;
}

/** A point of zero probability next to one of positive probability. */
function zeroWitness(pmf: Pmf): RatioWitness | null {
  if (!pmf.left) return { k: pmf.from - 1, shift: -1 };
  if (!pmf.right) return { k: lastIndex(pmf) + 1, shift: 1 };
  const hole = pmf.weights.indexOf(0n);
  return hole < 0 ? null : { k: pmf.from + hole, shift: 1 };
}

interface Ratio {
  readonly i: number;
  readonly k: number;
  readonly over: bigint;
  readonly under: bigint;
  readonly leftPower: number;
  readonly rightPower: number;
  readonly size: number;
}

/** Comparisons of values on the lattice: doubles decide where they safely can, integers elsewhere. */
function latticeOrder(pmf: Pmf, adjacency: number) {
  const logs = Float64Array.from(pmf.weights, log2);
  const last = lastIndex(pmf);
  const leftRatio = pmf.left!.ratio;
  const rightRatio = pmf.right!.ratio;
  const leftLog = log2OfRatio(leftRatio);
  const rightLog = log2OfRatio(rightRatio);
  // Errors of the logarithms are a few ulp of the largest; this leaves five decimal orders to spare.
  const powers = [pmf.left!, pmf.right!].map((tail) => (adjacency + pmf.weights.length) / tail.period + 2);
  const tails = Math.abs(powers[0]! * leftLog) + Math.abs(powers[1]! * rightLog);
  const margin = 1e-10 * logs.reduce((most, value) => Math.max(most, Math.abs(value)), 1 + tails);

  const [leftPeriod, rightPeriod] = [pmf.left!.period, pmf.right!.period];
  /** As valueAt, without making an object of it. */
  const log2At = (index: number): number => {
    if (index >= pmf.from && index <= last) return logs[index - pmf.from]!;
    if (index < pmf.from) {
      const beyond = pmf.from - index - 1;
      return logs[leftPeriod - 1 - (beyond % leftPeriod)]! + (Math.floor(beyond / leftPeriod) + 1) * leftLog;
    }
    const beyond = index - last - 1;
    const inBlock = logs.length - rightPeriod + (beyond % rightPeriod);
    return logs[inBlock]! + (Math.floor(beyond / rightPeriod) + 1) * rightLog;
  };
  const below = (a: number, b: number): boolean => {
    const difference = log2At(a) - log2At(b);
    if (Math.abs(difference) > margin) return difference < 0;
    return compareValues(valueAt(pmf, a), valueAt(pmf, b)) < 0;
  };
  const compareValues = (x: Value, y: Value): number =>
    compareProducts(x.weight, y.weight, x.leftPower - y.leftPower, x.rightPower - y.rightPower);
  /** Sign of a·leftRatio^left·rightRatio^right − b, for powers that differ little. */
  const compareProducts = (a: bigint, b: bigint, left: number, right: number): number => {
    let [x, y] = [a, b];
    for (const [ratio, power] of [
      [leftRatio, left],
      [rightRatio, right],
    ] as const) {
      const up = power > 0 ? ratio.num : ratio.den;
      const down = power > 0 ? ratio.den : ratio.num;
      const times = BigInt(Math.abs(power));
      x *= up ** times;
      y *= down ** times;
    }
    return x < y ? -1 : x > y ? 1 : 0;
  };
  const ratio = (i: number, k: number, size: number): Ratio => {
    const over = valueAt(pmf, i);
    const under = valueAt(pmf, k);
    return {
      i,
      k,
      over: over.weight,
      under: under.weight,
      leftPower: over.leftPower - under.leftPower,
      rightPower: over.rightPower - under.rightPower,
      size,
    };
  };
  const logarithm = (of: Ratio, bits: number): Enclosure =>
    [
      [leftRatio, of.leftPower],
      [rightRatio, of.rightPower],
    ].reduce(
      (sum, [base, times]) => sumOf(sum, scaled(log(base as Rational, bits + 40), times as number)),
      of.over === of.under ? exactly(zero) : log(rational(of.over, of.under), bits + 8),
    );
  const compareRatios = (a: Ratio, b: Ratio): number | 'unresolved' => {
    if (Math.abs(a.size - b.size) > margin) return a.size - b.size;
    const left = a.leftPower - b.leftPower;
    const right = a.rightPower - b.rightPower;
    if (Math.abs(left) + Math.abs(right) <= 64)
      return compareProducts(a.over * b.under, b.over * a.under, left, right);
    const [x, y] = [logarithm(a, 512), logarithm(b, 512)];
    if (compare(x.lower, y.upper) > 0) return 1;
    return compare(x.upper, y.lower) < 0 ? -1 : 'unresolved';
  };
  return { below, log2At, ratio, compareRatios, log: logarithm, margin };
}

/** log₂ of a ratio below 1, precise however close to 1 it is. */
function log2OfRatio({ num, den }: Rational): number {
  return Math.log1p(-toNumberNear({ num: den - num, den })) / Math.LN2;
}

function scaled(x: Enclosure, times: number): Enclosure {
  const factor = integer(Math.abs(times));
  const product = { lower: multiply(x.lower, factor), upper: multiply(x.upper, factor) };
  return times >= 0 ? product : { lower: negate(product.upper), upper: negate(product.lower) };
}

function sumOf(a: Enclosure, b: Enclosure): Enclosure {
  return { lower: add(a.lower, b.lower), upper: add(a.upper, b.upper) };
}
