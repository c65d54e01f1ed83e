// Terms of divergences against their formulas in long arithmetic, near and far.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, divide, fromNumber, log, multiply, subtract, toNumberNear } from '../../src/exact/index.js';
import { jsTerm, klTerm } from '../../src/pmf/index.js';

/** Evenly spread by their logarithms: doubles as such are nearly all next to 0. */
const masses = fc
  .tuple(fc.integer({ min: -120, max: 0 }), fc.integer({ min: -1400, max: 300 }), fc.boolean())
  .map(([size, power, isMore]) => {
    const p = 10 ** (size / 10);
    return [p, Math.max(1e-15, p * (1 + (isMore ? 1 : -0.999) * Math.min(1, 10 ** (power / 100))))] as const;
  });
const logOf = (x: ReturnType<typeof fromNumber>) => log(x, 200).lower;

describe('terms of divergences', () => {
  it('have all their digits', () => {
    fc.assert(
      fc.property(masses, ([x, y]) => {
        const [p, q] = [fromNumber(x), fromNumber(y)];
        const kl = toNumberNear(add(multiply(p, logOf(divide(p, q))), subtract(q, p)));
        expect(Math.abs(klTerm(x, y) - kl)).toBeLessThanOrEqual(1e-9 * kl + 1e-300);
        const middle = (one: typeof p) => logOf(divide(add(one, one), add(p, q)));
        const js = toNumberNear(add(multiply(p, middle(p)), multiply(q, middle(q)))) / 2;
        expect(Math.abs(jsTerm(x, y) - js)).toBeLessThanOrEqual(1e-9 * js + 1e-300);
      }),
      { numRuns: 1000 },
    );
  });

  it('are finite where one mass is next to nothing, and what they are where one is none', () => {
    expect(klTerm(0.5, 5e-324)).toBeGreaterThan(300);
    expect(klTerm(5e-324, 0.5)).toBe(0.5);
    expect(jsTerm(5e-324, 0.5)).toBeCloseTo(Math.LN2 / 4, 12);
    expect(jsTerm(0.5, 5e-324)).toBeCloseTo(Math.LN2 / 4, 12);
    expect([klTerm(0, 0.5), klTerm(0.5, 0), jsTerm(0, 0)]).toEqual([0.5, Infinity, 0]);
  });
});
