// W₂ and W∞ against their definition: two lists of equal length, sorted, one beside the other.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rational } from '../../src/exact/index.js';
import {
  makePmf,
  outputOf,
  type Pmf,
  wasserstein,
  wassersteinMost,
  wassersteinTwo,
} from '../../src/pmf/index.js';

const step = rational(1n, 3n);
const unit = 1 / 3;
const weights = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 7 }).map((list) => [1, ...list, 1]);
const pmfOf = (from: number, list: readonly number[]): Pmf =>
  makePmf({ step, from, weights: list.map(BigInt), left: null, right: null });

/** Each value as often as its weight says. */
function listed(from: number, list: readonly number[], times: number): number[] {
  return list.flatMap((count, i) => Array.from({ length: count * times }, () => from + i));
}

describe('W₂', () => {
  it('is the root of the mean square between sorted lists', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9, max: 9 }),
        weights,
        fc.integer({ min: -9, max: 9 }),
        weights,
        (a, first, b, second) => {
          const [n, m] = [first, second].map((list) => list.reduce((x, y) => x + y)) as [number, number];
          const [p, q] = [listed(a, first, m), listed(b, second, n)];
          const square = p.reduce((sum, x, i) => sum + (x - q[i]!) ** 2, 0) / p.length;
          const found = wassersteinTwo(pmfOf(a, first), pmfOf(b, second));
          expect(found).toBeCloseTo(Math.sqrt(square) * unit, 9);
          expect(found).toBeGreaterThanOrEqual(wasserstein(pmfOf(a, first), pmfOf(b, second)) - 1e-12);
        },
      ),
    );
  });

  it('of noise with tails is that of a long window', () => {
    const tail = { period: 1, ratio: rational(9n, 10n) };
    const noise = makePmf({ step, from: 0, weights: [1n], left: tail, right: tail });
    const long = Array.from(
      { length: 1601 },
      (_, i) => BigInt(Math.round(1e40 * 0.9 ** Math.abs(i - 800))) + 1n,
    );
    const cut = makePmf({ step, from: -800, weights: long, left: null, right: null });
    const input = pmfOf(2, [3, 1, 2]);
    expect(wassersteinTwo(input, outputOf(input, noise))).toBeCloseTo(
      wassersteinTwo(input, outputOf(input, cut)),
      9,
    );
  });
});

describe('W∞', () => {
  it('of input + noise is the largest distance between sorted lists, whatever the input', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: -9, max: 5 }), weights, (input, from, noise) => {
        const output = new Map<number, number>();
        input.forEach((x, i) => {
          noise.forEach((y, j) => {
            output.set(i + j, (output.get(i + j) ?? 0) + x * y);
          });
        });
        const mass = noise.reduce((a, b) => a + b);
        const list = Array.from({ length: input.length + noise.length - 1 }, (_, k) => output.get(k) ?? 0);
        const [p, q] = [listed(0, input, mass), listed(from, list, 1)];
        const furthest = p.reduce((most, x, i) => Math.max(most, Math.abs(x - q[i]!)), 0);
        expect(wassersteinMost(pmfOf(from, noise))).toBeCloseTo(furthest * unit, 12);
      }),
    );
  });

  it('is infinite with a tail', () => {
    const tail = { period: 1, ratio: rational(1n, 2n) };
    expect(wassersteinMost(makePmf({ step, from: 0, weights: [1n], left: null, right: tail }))).toBe(
      Infinity,
    );
  });
});
