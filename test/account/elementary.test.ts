// The account rests on the engine's elementary functions being right to two units in the last place.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../../src/account/normal.js';
import {
  exp,
  fromNumber,
  log,
  normalCdf,
  normalTail,
  type Rational,
  subtract,
  toNumberDown,
  toNumberUp,
} from '../../src/exact/index.js';

/** Two units in the last place away, either way. */
const near = (found: number, { lower, upper }: { lower: number; upper: number }) => {
  const unit = 2 ** -52 * Math.max(Math.abs(found), Number.MIN_VALUE);
  expect([found >= lower - 2 * unit, found <= upper + 2 * unit]).toEqual([true, true]);
};

describe('the elementary functions of this engine', () => {
  it('exp and expm1', () => {
    fc.assert(
      fc.property(fc.double({ min: -300, max: 300, noNaN: true }), (x) => {
        const { lower, upper } = exp(fromNumber(x), 200);
        near(Math.exp(x), { lower: toNumberDown(lower), upper: toNumberUp(upper) });
        const one = { num: 1n, den: 1n };
        near(Math.expm1(x), {
          lower: toNumberDown(subtract(lower, one)),
          upper: toNumberUp(subtract(upper, one)),
        });
      }),
      { numRuns: 400 },
    );
  });

  it('log and log1p', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (x) => {
        const value = log(fromNumber(x), 200);
        near(Math.log(x), { lower: toNumberDown(value.lower), upper: toNumberUp(value.upper) });
        const { num, den } = fromNumber(x);
        const more = log({ num: num + den, den }, 200);
        near(Math.log1p(x), { lower: toNumberDown(more.lower), upper: toNumberUp(more.upper) });
      }),
      { numRuns: 400 },
    );
  });

  it('sin and cos, by their squares and by doubling', () => {
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (x) => {
        expect(Math.abs(Math.sin(x) ** 2 + Math.cos(x) ** 2 - 1)).toBeLessThan(2 ** -50);
        expect(Math.abs(Math.sin(2 * x) - 2 * Math.sin(x) * Math.cos(x))).toBeLessThan(2 ** -49);
      }),
    );
  });

  it('the quantiles of the normal distribution, by enclosure', () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => {
        const of = (tail: { upper: Rational }) => toNumberUp(tail.upper);
        const [p, rest] = [of(normalCdf(fromNumber(x), 90)), of(normalTail(fromNumber(x), 90))];
        expect(Math.abs(normalQuantile(p, rest) - x)).toBeLessThan(1e-12 * (1 + Math.abs(x)));
      }),
      { numRuns: 200 },
    );
  });
});
