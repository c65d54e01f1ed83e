// Random mass functions for property tests, and slow but obvious references to check fast code against.

import fc from 'fast-check';
import {
  add,
  bitLength,
  compare,
  multiply,
  type Rational,
  rational,
  subtract,
  zero,
} from '../src/exact/index.js';
import { lastIndex, makePmf, type Pmf, type Tail, total, valueAt } from '../src/pmf/index.js';

export interface Shape {
  readonly mostWeights?: number;
  readonly tails?: boolean;
  readonly zeros?: boolean;
  readonly mostWeight?: bigint;
}

/** Small mass functions of all shapes: with or without tails, zeros inside, unimodal or not. */
export function anyPmf({
  mostWeights = 8,
  tails = true,
  zeros = true,
  mostWeight = 20n,
}: Shape = {}): fc.Arbitrary<Pmf> {
  const weight = fc.bigInt({ min: zeros ? 0n : 1n, max: mostWeight });
  return fc
    .tuple(
      fc.array(weight, { minLength: 1, maxLength: mostWeights }),
      fc.integer({ min: -6, max: 6 }),
      fc.option(anyTail(), { freq: 2 }),
      fc.option(anyTail(), { freq: 2 }),
    )
    .map(([raw, from, leftTail, rightTail]) => {
      const weights = raw.map((w, i) => (i === 0 || i === raw.length - 1 ? w + 1n : w));
      const fitTail = (tail: Tail | null, block: (period: number) => bigint[]): Tail | null => {
        if (!tail || !tails) return null;
        const period = Math.min(tail.period, weights.length);
        return block(period).every((w) => w > 0n) ? { ...tail, period } : null;
      };
      return makePmf({
        step: rational(1n),
        from,
        weights,
        left: fitTail(leftTail, (p) => weights.slice(0, p)),
        right: fitTail(rightTail, (p) => weights.slice(-p)),
      });
    });
}

function anyTail(): fc.Arbitrary<Tail> {
  return fc
    .tuple(fc.integer({ min: 1, max: 7 }), fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 1n, max: 9n }))
    .map(([period, a, b]) => ({ period, ratio: rational(a, a + b) }));
}

/** The exact probability of one lattice point; in lowest terms unless that would take long. */
export function probabilityAt(pmf: Pmf, index: number): Rational {
  const { weight, leftPower, rightPower } = valueAt(pmf, index);
  const mass = total(pmf);
  let [num, den] = [weight * mass.den, mass.num];
  for (const [tail, times] of [
    [pmf.left, leftPower],
    [pmf.right, rightPower],
  ] as const) {
    if (times === 0) continue;
    num *= tail!.ratio.num ** BigInt(times);
    den *= tail!.ratio.den ** BigInt(times);
  }
  return bitLength(den) < 4000 ? rational(num, den) : { num, den };
}

/** Probabilities on the window and `reach` points beyond either edge that has a tail. */
export function writtenOut(pmf: Pmf, reach: number): Map<number, Rational> {
  const points = new Map<number, Rational>();
  const from = pmf.from - (pmf.left ? reach : 0);
  const to = lastIndex(pmf) + (pmf.right ? reach : 0);
  for (let k = from; k <= to; k++) points.set(k, probabilityAt(pmf, k));
  return points;
}

/** max over shifts of Σ max(0, p(i) − factor·p(i + s)), straight from the definition, for finite support. */
export function bruteProfile(
  p: ReadonlyMap<number, Rational>,
  adjacency: number,
  factor: Rational,
): Rational {
  let best = zero;
  for (let s = -adjacency; s <= adjacency; s++) {
    let sum = zero;
    for (const [i, mass] of p) {
      const gap = subtract(mass, multiply(factor, p.get(i + s) ?? zero));
      if (gap.num > 0n) sum = add(sum, gap);
    }
    if (compare(sum, best) > 0) best = sum;
  }
  return best;
}
