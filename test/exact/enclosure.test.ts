import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compare,
  type Enclosure,
  exp,
  log,
  negate,
  normalCdf,
  normalTail,
  parseDecimal,
  power,
  type Rational,
  rational,
  squareRoot,
  subtract,
  toNumberNear,
} from '../../src/exact/index.js';

type Vectors = Record<'exp' | 'log' | 'normalTail', [string, string][]>;
const vectors = JSON.parse(
  readFileSync(new URL('../vectors/elementary.json', import.meta.url), 'utf8'),
) as Vectors;

function expectEncloses({ lower, upper }: Enclosure, value: Rational, bits: number) {
  expect(compare(lower, upper)).toBeLessThanOrEqual(0);
  // The reference has 90 digits: allow for its own rounding.
  const slack = { num: value.num < 0n ? -value.num : value.num, den: value.den * 10n ** 88n };
  expect(compare(subtract(lower, slack), value)).toBeLessThanOrEqual(0);
  expect(
    compare(value, { num: upper.num * slack.den + slack.num * upper.den, den: upper.den * slack.den }),
  ).toBeLessThanOrEqual(0);
  const width = subtract(upper, lower);
  const size = value.num < 0n ? negate(value) : value;
  expect(width.num * size.den * (1n << BigInt(bits)) <= size.num * width.den).toBe(true);
}

describe.each([16, 64, 128, 256])('at %i bits', (bits) => {
  it.each(vectors.exp)('exp(%s) is enclosed', (x, value) => {
    expectEncloses(exp(parseDecimal(x), bits), parseDecimal(value), bits);
  });
  it.each(vectors.log)('log(%s) is enclosed', (x, value) => {
    expectEncloses(log(parseDecimal(x), bits), parseDecimal(value), bits);
  });
  it.each(vectors.normalTail)('the normal tail beyond %s is enclosed', (x, value) => {
    expectEncloses(normalTail(parseDecimal(x), bits), parseDecimal(value), bits);
  });
});

describe('laws', () => {
  const argument = () =>
    fc
      .tuple(fc.integer({ min: -40_000, max: 40_000 }), fc.integer({ min: 1, max: 999 }))
      .map(([n, d]) => rational(BigInt(n), BigInt(d)));

  it('a higher precision gives an enclosure that meets the lower one', () => {
    fc.assert(
      fc.property(argument(), (x) => {
        const [coarse, fine] = [exp(x, 20), exp(x, 300)];
        expect(compare(coarse.lower, fine.upper)).toBeLessThanOrEqual(0);
        expect(compare(fine.lower, coarse.upper)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('log undoes exp', () => {
    fc.assert(
      fc.property(argument(), (x) => {
        fc.pre(x.num !== 0n);
        const y = exp(x, 200);
        expect(compare(log(y.lower, 150).lower, x)).toBeLessThanOrEqual(0);
        expect(compare(log(y.upper, 150).upper, x)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('exp is exact at 0, log at 1, the normal distribution at 0', () => {
    expect(exp(rational(0n))).toEqual({ lower: rational(1n), upper: rational(1n) });
    expect(log(rational(1n))).toEqual({ lower: rational(0n), upper: rational(0n) });
    expect(normalCdf(rational(0n)).lower).toEqual(rational(1n, 2n));
    expect(() => log(rational(0n))).toThrow(/above 0/);
  });

  it('the normal distribution is symmetric', () => {
    for (const x of ['0.3', '2', '7.5', '12']) {
      const [below, above] = [normalCdf(negate(parseDecimal(x)), 80), normalCdf(parseDecimal(x), 80)];
      expect(toNumberNear(below.lower) + toNumberNear(above.lower)).toBeCloseTo(1, 14);
    }
  });

  it('the two expansions of the normal tail agree where they meet', () => {
    for (const x of ['5.9999', '6', '6.0001']) {
      const a = normalTail(parseDecimal(x), 200);
      const b = normalTail(parseDecimal('6'), 200);
      const slope = Math.abs(Number(x) - 6) * 6.2;
      expect(Math.abs(toNumberNear(a.lower) / toNumberNear(b.upper) - 1)).toBeLessThanOrEqual(
        slope * 1.1 + 1e-15,
      );
    }
  });

  it('squares of the root bracket the value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 1n << 200n }),
        fc.bigInt({ min: 1n, max: 1n << 200n }),
        (n, d) => {
          const x = rational(n, d);
          const { lower, upper } = squareRoot(x, 60);
          expect(compare({ num: lower.num ** 2n, den: lower.den ** 2n }, x)).toBeLessThanOrEqual(0);
          expect(compare({ num: upper.num ** 2n, den: upper.den ** 2n }, x)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it('powers are enclosed, exactly while short', () => {
    const x = rational(10n ** 30n - 7n, 10n ** 30n);
    expect(power(x, 3).lower).toEqual(power(x, 3).upper);
    const exact = { num: x.num ** 500n, den: x.den ** 500n };
    const { lower, upper } = power(x, 500, 100);
    expect(compare(lower, exact)).toBeLessThan(0);
    expect(compare(upper, exact)).toBeGreaterThan(0);
    expect(Math.abs(toNumberNear(subtract(upper, lower)))).toBeLessThan(2 ** -95);
  });
});
