import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomialLower, binomialUpper, chiSquareTail, incompleteBeta } from '../../src/audit/index.js';
import { normalCdf, rational, toNumberNear } from '../../src/exact/index.js';

/** P(at least `hits` of `trials`) where each has the probability num / den, exactly. */
function atLeast(hits: number, trials: number, num: bigint, den: bigint): number {
  let sum = 0n;
  let ways = 1n;
  for (let k = 0; k <= trials; k++) {
    if (k >= hits) sum += ways * num ** BigInt(k) * (den - num) ** BigInt(trials - k);
    ways = (ways * BigInt(trials - k)) / BigInt(k + 1);
  }
  return toNumberNear(rational(sum, den ** BigInt(trials)));
}

/** The same in doubles, for probabilities that are no fractions. */
function atLeastNear(hits: number, trials: number, p: number): number {
  let sum = 0;
  for (let k = hits; k <= trials; k++) {
    let term = 1;
    for (let i = 0; i < k; i++) term *= ((trials - i) / (k - i)) * p;
    sum += term * (1 - p) ** (trials - k);
  }
  return sum;
}

const relative = (got: number, expected: number) => Math.abs(got / expected - 1);

describe('the tail of χ²', () => {
  it.each([
    [3.841459, 1, 0.05],
    [6.634897, 1, 0.01],
    [10.827566, 1, 0.001],
    [0.0039321, 1, 0.95],
    [5.991465, 2, 0.05],
    [7.814728, 3, 0.05],
    [0.351846, 3, 0.95],
    [11.070498, 5, 0.05],
    [18.307038, 10, 0.05],
    [23.209251, 10, 0.01],
    [3.940299, 10, 0.95],
    [43.772972, 30, 0.05],
    [124.342113, 100, 0.05],
    [77.929465, 100, 0.95],
  ])('at %d with %d degrees of freedom is %d, as in tables', (x, degrees, expected) => {
    expect(relative(chiSquareTail(x, degrees), expected)).toBeLessThan(1e-5);
  });

  it('is a sum of Poisson probabilities for an even number of degrees', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 300, noNaN: true }),
        fc.integer({ min: 1, max: 60 }),
        (x, k) => {
          let [sum, term] = [0, Math.exp(-x / 2)];
          for (let i = 0; i < k; i++) {
            sum += term;
            term *= x / 2 / (i + 1);
          }
          expect(relative(chiSquareTail(x, 2 * k), sum)).toBeLessThan(1e-10);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is that of a squared normal for one degree, and grows by one term for two more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 800 }), fc.integer({ min: 0, max: 20 }), (hundredths, half) => {
        const x = (hundredths / 100) ** 2;
        const below = normalCdf(rational(BigInt(-hundredths), 100n), 200).lower;
        expect(relative(chiSquareTail(x, 1), 2 * toNumberNear(below))).toBeLessThan(1e-9);
        const degrees = 2 * half + 1;
        // (x/2)^(k/2) e^(−x/2) / Γ(k/2 + 1), from Γ(1/2) = √π up.
        let term = Math.exp(-x / 2) / Math.sqrt(Math.PI);
        for (let i = 0; i <= half; i++) term *= (i === 0 ? Math.sqrt(x / 2) : x / 2) / (i + 0.5);
        const gained = chiSquareTail(x, degrees + 2) - chiSquareTail(x, degrees);
        expect(Math.abs(gained - term)).toBeLessThan(1e-12);
      }),
      { numRuns: 300 },
    );
  });

  it('is 1 at 0 and below, falls, and keeps its digits where it is next to nothing', () => {
    expect([chiSquareTail(0, 3), chiSquareTail(-1, 3)]).toEqual([1, 1]);
    expect(relative(chiSquareTail(1000, 2), Math.exp(-500))).toBeLessThan(1e-12);
    expect(relative(chiSquareTail(1200, 4), 601 * Math.exp(-600))).toBeLessThan(1e-12);
    for (const degrees of [1, 2, 7, 50, 999]) {
      const tails = Array.from({ length: 200 }, (_, i) => chiSquareTail((i * degrees) / 50, degrees));
      for (let i = 1; i < tails.length; i++) expect(tails[i]).toBeLessThanOrEqual(tails[i - 1]!);
      expect(tails[199]).toBeLessThan(0.06);
    }
  });

  it('is near one half at the median of a million degrees', () => {
    const degrees = 1e6;
    expect(chiSquareTail(degrees * (1 - 2 / (9 * degrees)) ** 3, degrees)).toBeCloseTo(0.5, 6);
  });
});

describe('the incomplete beta function', () => {
  it('is a binomial tail for whole numbers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 63 }),
        (a, b, i) => {
          const exact = atLeast(a, a + b - 1, BigInt(i), 64n);
          expect(Math.abs(incompleteBeta(i / 64, a, b) - exact)).toBeLessThan(1e-12);
          if (i / 64 <= (a + 1) / (a + b + 2))
            expect(relative(incompleteBeta(i / 64, a, b), exact)).toBeLessThan(1e-10);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('has closed forms where a parameter is 1, and where both are one half', () => {
    for (const x of [0.001, 0.1, 0.25, 0.5, 0.7, 0.999]) {
      for (const a of [0.5, 1, 3, 17.25]) {
        expect(incompleteBeta(x, a, 1)).toBeCloseTo(x ** a, 12);
        expect(incompleteBeta(x, 1, a)).toBeCloseTo(1 - (1 - x) ** a, 12);
        expect(incompleteBeta(0.5, a, a)).toBeCloseTo(0.5, 12);
      }
      expect(incompleteBeta(x, 0.5, 0.5)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(x)), 11);
    }
    expect(incompleteBeta(0.25, 2, 3)).toBeCloseTo(67 / 256, 12);
  });

  it('turns around with its parameters, and goes from 0 to 1', () => {
    const parameter = fc.double({ min: 0.5, max: 2000, noNaN: true });
    fc.assert(
      fc.property(parameter, parameter, fc.integer({ min: 1, max: 1023 }), (a, b, i) => {
        const x = i / 1024;
        const value = incompleteBeta(x, a, b);
        expect(value + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 10);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(incompleteBeta(x + 1 / 2048, a, b)).toBeGreaterThanOrEqual(value - 1e-12);
        // One success more: less by x^a (1 − x)^b / (a B(a, b)), which is not negative.
        expect(incompleteBeta(x, a + 1, b)).toBeLessThanOrEqual(value + 1e-12);
        expect(incompleteBeta(x, a, b + 1)).toBeGreaterThanOrEqual(value - 1e-12);
      }),
      { numRuns: 500 },
    );
    expect([-1, 0, 1, 2].map((x) => incompleteBeta(x, 2, 3))).toEqual([0, 0, 1, 1]);
  });
});

describe('limits for a probability', () => {
  it.each([
    [0, 10, 0, 0.3085],
    [1, 10, 0.0025, 0.445],
    [2, 10, 0.0252, 0.5561],
    [5, 10, 0.1871, 0.8129],
    [9, 10, 0.555, 0.9975],
    [10, 10, 0.6915, 1],
    [4, 20, 0.0573, 0.4366],
    [10, 100, 0.049, 0.1762],
    [50, 100, 0.3983, 0.6017],
  ])('after %d in %d are %d and %d at a confidence of 0.95', (hits, trials, lower, upper) => {
    expect(Math.abs(binomialLower(hits, trials, 0.025) - lower)).toBeLessThanOrEqual(0.00006);
    expect(Math.abs(binomialUpper(hits, trials, 0.025) - upper)).toBeLessThanOrEqual(0.00006);
  });

  it('leave exactly the error beyond what was seen', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.nat(),
        fc.constantFrom(0.4, 0.05, 0.005, 1e-6),
        (trials, any, error) => {
          const hits = any % (trials + 1);
          const [lower, upper] = [
            binomialLower(hits, trials, error),
            binomialUpper(hits, trials, error),
          ] as const;
          if (hits === 0) expect(lower).toBe(0);
          else expect(relative(atLeastNear(hits, trials, lower), error)).toBeLessThan(1e-8);
          if (hits === trials) expect(upper).toBe(1);
          else expect(relative(atLeastNear(trials - hits, trials, 1 - upper), error)).toBeLessThan(1e-8);
          expect(lower).toBeLessThan(hits / trials + (hits === 0 ? 1e-300 : 0));
          expect(upper).toBeGreaterThan(hits / trials - (hits === trials ? 1e-15 : 0));
          expect(upper).toBeCloseTo(1 - binomialLower(trials - hits, trials, error), 9);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('have closed forms where all or none were seen, a million times as well', () => {
    for (const trials of [1, 2, 100, 1_000_000]) {
      for (const error of [0.05, 1e-9]) {
        expect(relative(binomialLower(trials, trials, error), error ** (1 / trials))).toBeLessThan(1e-9);
        expect(relative(binomialUpper(0, trials, error), -Math.expm1(Math.log(error) / trials))).toBeLessThan(
          1e-6,
        );
      }
    }
    expect([binomialLower(0, 7, 0.05), binomialUpper(7, 7, 0.05)]).toEqual([0, 1]);
    expect([binomialLower(0, 0, 0.05), binomialUpper(0, 0, 0.05)]).toEqual([0, 1]);
  });

  it('come closer with more trials and a larger error', () => {
    const width = (trials: number, error: number) =>
      binomialUpper(trials / 10, trials, error) - binomialLower(trials / 10, trials, error);
    for (const trials of [10, 100, 10_000, 1_000_000]) {
      expect(width(trials, 0.05)).toBeLessThan(width(trials, 0.005));
      expect(width(trials * 10, 0.05)).toBeLessThan(width(trials, 0.05) / 2.5);
    }
    // The normal approximation: 1.959964 standard deviations to either side.
    expect(width(1_000_000, 0.025)).toBeCloseTo(2 * 1.959964 * Math.sqrt(0.09 / 1e6), 5);
  });
});
