// Bounds on transforms far out: never below the transform itself.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { farBound } from '../../src/account/smooth.js';

/** |Σ q e^(ikθ)| */
function sizeAt(x: Float64Array, q: Float64Array, angle: number): number {
  let [real, imaginary] = [0, 0];
  for (let j = 0; j < x.length; j++) {
    real += q[j]! * Math.cos(x[j]! * angle);
    imaginary += q[j]! * Math.sin(x[j]! * angle);
  }
  return Math.hypot(real, imaginary);
}

function lawOf(masses: readonly number[]) {
  const whole = masses.reduce((sum, v) => sum + v, 0);
  return {
    x: Float64Array.from(masses, (_, j) => j - masses.length / 2),
    q: Float64Array.from(masses, (v) => v / whole),
  };
}

const bell = (spread: number) =>
  lawOf(
    Array.from({ length: 20 * spread + 1 }, (_, j) => Math.exp(-(((j - 10 * spread) / spread) ** 2) / 2)),
  );

describe('the transform of slowly changing masses', () => {
  it('is at most its bound, whatever the masses', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 60 }),
        fc.double({ min: 1e-3, max: 3, noNaN: true }),
        fc.double({ min: 1, max: 1.3, noNaN: true }),
        (masses, low, factor) => {
          fc.pre(masses.some((v) => v > 1e-3));
          const { x, q } = lawOf(masses);
          const high = Math.min(low * factor, Math.PI);
          const most = farBound(x, q)(low, high);
          for (const part of [0, 0.3, 0.7, 1])
            expect(sizeAt(x, q, low + part * (high - low))).toBeLessThanOrEqual(most + 1e-14);
        },
      ),
    );
  });

  it('is bounded by next to nothing where a bell has none, and by no less than it is', () => {
    const { x, q } = bell(100);
    const bound = farBound(x, q);
    for (let angle = 0.005; angle < 3.1; angle *= 1.05)
      expect(bound(angle, angle * 1.04)).toBeGreaterThanOrEqual(sizeAt(x, q, angle) - 1e-15);
    // e^(−(σθ)²/2) is 1e-87 at σθ = 20, and 1e-22 at 10.
    expect(bound(0.3, 0.31)).toBeLessThan(1e-11);
    expect(bound(0.1, 0.104)).toBeLessThan(1e-3);
  });

  it('says nothing at 0, and beyond half a circle', () => {
    const { x, q } = bell(10);
    expect(farBound(x, q)(0, 0.1)).toBe(Infinity);
    expect(farBound(x, q)(3, 3.2)).toBe(Infinity);
  });
});
