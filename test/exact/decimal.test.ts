import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compare,
  fromNumber,
  parseDecimal,
  rational,
  toDecimal,
  toDecimalDown,
  toDecimalUp,
  toNumberDown,
  toNumberNear,
  toNumberUp,
} from '../../src/exact/index.js';

describe('decimal text', () => {
  it('is read exactly', () => {
    expect(parseDecimal('0.25')).toEqual(rational(1n, 4n));
    expect(parseDecimal('1e-6')).toEqual(rational(1n, 1_000_000n));
    expect(parseDecimal('-12.50E+2')).toEqual(rational(-1250n));
    expect(parseDecimal(' +7 ')).toEqual(rational(7n));
  });

  it.each(['', '.', '.5', '5.', '1e', '0x10', '1,5', '1/3', 'NaN', 'Infinity', '1e9999999', '--1', '１'])(
    'refuses %j and says what is expected',
    (text) => {
      expect(() => parseDecimal(text, '--step')).toThrow(/^--step: expected a decimal such as 0.25/);
    },
  );

  it.each([
    ['1,5', /got "1,5"; write 1\.5$/],
    ['-0,25', /; write -0\.25$/],
    ['1,000', /; write 1\.000, or 1000$/],
    ['1,5,5', /got "1,5,5"$/],
  ])('says how %j is written with a point', (text, words) => {
    expect(() => parseDecimal(text)).toThrow(words);
  });

  it('refuses exponents that would need too many digits', () => {
    expect(() => parseDecimal('1e-99999')).toThrow(/at most 20000 digits/);
  });

  it('refuses a double, which is not the decimal it was written as', () => {
    expect(() => parseDecimal(0.1 as never)).toThrow(TypeError);
  });

  it('survives a round trip', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 25 }),
        (n, places) => {
          const value = rational(n, 10n ** BigInt(places));
          expect(parseDecimal(toDecimal(value))).toEqual(value);
        },
      ),
    );
    expect(() => toDecimal(rational(1n, 3n))).toThrow(/terminating/);
  });

  it('brackets the value when rounded to digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 40n }),
        fc.bigInt({ min: 1n, max: 10n ** 60n }),
        fc.integer({ min: 1, max: 20 }),
        (n, d, digits) => {
          const x = rational(n, d);
          const [down, up] = [toDecimalDown(x, digits), toDecimalUp(x, digits)].map((text) =>
            parseDecimal(text),
          ) as [typeof x, typeof x];
          expect(compare(down, x)).toBeLessThanOrEqual(0);
          expect(compare(up, x)).toBeGreaterThanOrEqual(0);
          // Within one unit of the last digit of each other.
          const width = up.num * down.den - down.num * up.den;
          expect(width * 10n ** BigInt(digits - 1) <= down.num * up.den).toBe(true);
        },
      ),
    );
    expect(toDecimalUp(rational(999_999n, 1_000_000n), 3)).toBe('1');
    expect(toDecimalUp(rational(1n, 10n ** 400n), 5)).toBe('1e-400');
    expect(toDecimalUp(rational(123n), 2)).toBe('130');
    expect(toDecimalDown(rational(0n))).toBe('0');
  });
});

describe('doubles', () => {
  it('are the nearest ones on the asked side', () => {
    const bits = new DataView(new ArrayBuffer(8));
    const next = (x: number) => {
      bits.setFloat64(0, x);
      bits.setBigInt64(0, bits.getBigInt64(0) + 1n);
      return bits.getFloat64(0);
    };
    fc.assert(
      fc.property(
        fc.double({ min: 5e-324, max: 1e300, noNaN: true }),
        fc.integer({ min: 1, max: 9 }),
        (x, tenths) => {
          const [low, high] = [fromNumber(x), fromNumber(next(x))];
          const between = rational(
            low.num * high.den * BigInt(10 - tenths) + high.num * low.den * BigInt(tenths),
            10n * low.den * high.den,
          );
          expect(toNumberUp(between)).toBe(next(x));
          expect(toNumberDown(between)).toBe(x);
          if (tenths !== 5) expect(toNumberNear(between)).toBe(tenths < 5 ? x : next(x));
          expect(toNumberUp(low)).toBe(x);
          expect(toNumberDown(low)).toBe(x);
        },
      ),
    );
  });

  it('never round a positive value to zero upward, nor a huge one to a finite number', () => {
    expect(toNumberUp(rational(1n, 10n ** 500n))).toBe(5e-324);
    expect(toNumberDown(rational(1n, 10n ** 500n))).toBe(0);
    expect(toNumberUp(rational(10n ** 400n))).toBe(Infinity);
    expect(toNumberDown(rational(10n ** 400n))).toBe(Number.MAX_VALUE);
    expect(toNumberUp(rational(-1n, 3n))).toBe(-0.3333333333333333);
  });
});
