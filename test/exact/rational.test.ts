import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  bitLength,
  ceiling,
  compare,
  divide,
  divideDown,
  divideUp,
  floor,
  multiply,
  negate,
  rational,
  subtract,
} from '../../src/exact/index.js';

const bigint = () => fc.bigInt({ min: -(1n << 80n), max: 1n << 80n });
const fraction = () =>
  fc.tuple(bigint(), fc.bigInt({ min: 1n, max: 1n << 70n })).map(([n, d]) => rational(n, d));

describe('rationals', () => {
  it('are kept in lowest terms with a positive denominator', () => {
    expect(rational(6n, -4n)).toEqual({ num: -3n, den: 2n });
    expect(rational(0n, 7n)).toEqual({ num: 0n, den: 1n });
    expect(() => rational(1n, 0n)).toThrow(/denominator/);
  });

  it('form a field', () => {
    fc.assert(
      fc.property(fraction(), fraction(), fraction(), (a, b, c) => {
        expect(add(a, b)).toEqual(add(b, a));
        expect(multiply(a, add(b, c))).toEqual(add(multiply(a, b), multiply(a, c)));
        expect(subtract(add(a, b), b)).toEqual(a);
        if (b.num !== 0n) expect(multiply(divide(a, b), b)).toEqual(a);
      }),
    );
  });

  it('are ordered as their differences say', () => {
    fc.assert(
      fc.property(fraction(), fraction(), (a, b) => {
        const sign = subtract(a, b).num;
        expect(compare(a, b)).toBe(sign < 0n ? -1 : sign > 0n ? 1 : 0);
        expect(compare(negate(a), negate(b))).toBe(compare(b, a));
      }),
    );
  });

  it('round down and up to integers on either side of zero', () => {
    fc.assert(
      fc.property(bigint(), fc.bigInt({ min: 1n, max: 1n << 40n }), (n, d) => {
        const down = divideDown(n, d);
        expect(down * d <= n && n < (down + 1n) * d).toBe(true);
        const up = divideUp(n, d);
        expect((up - 1n) * d < n && n <= up * d).toBe(true);
        expect(floor(rational(n, d))).toBe(down);
        expect(ceiling(rational(n, d))).toBe(up);
      }),
    );
  });

  it('know the length of any integer', () => {
    for (const bits of [1, 2, 52, 53, 54, 63, 64, 999, 1000, 1001, 1024, 4096, 50_001]) {
      const power = 1n << BigInt(bits - 1);
      expect(bitLength(power)).toBe(bits);
      expect(bitLength(2n * power - 1n)).toBe(bits);
      expect(bitLength(-power)).toBe(bits);
    }
    expect(bitLength(0n)).toBe(0);
  });
});
