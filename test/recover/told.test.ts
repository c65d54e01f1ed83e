// Figures as they are printed hold what was computed.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rational } from '../../src/exact/index.js';
import { compile } from '../../src/mechanism/index.js';
import { sampler, seededSource } from '../../src/random/index.js';
import { recover, told, type Unit } from '../../src/recover/index.js';
import { parseNoise } from '../../src/spec/index.js';

const figures = fc
  .tuple(
    fc.constantFrom(1e-9, 1e-3, 1, 50, 1e4, 1e9),
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 9 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([size, at, width, digits, inside]) => {
    const low = size * at;
    const high = low + (size * width) / 10 ** digits;
    const estimate = Math.min(high, Math.max(low, low + inside * (high - low)));
    return { estimate, usual: [low, high] as const, guaranteed: [low, high] as const };
  });

const numbers = (text: string, unit: Unit) =>
  text
    .split(' to ')
    .map((part) => Number(part.replace(' %', '').replaceAll(',', '')) / (unit === 'share' ? 100 : 1));

describe('printed figures', () => {
  it('hold the interval, are at most 5 % wider, and have the estimate inside', () => {
    fc.assert(
      fc.property(figures, fc.constantFrom<Unit>('value', 'share'), (figure, unit) => {
        const { estimate, usual, guaranteed } = told(figure, unit);
        const [low, high] = numbers(usual, unit) as [number, number];
        const [a, b] = figure.usual;
        expect(guaranteed).toBe(usual);
        expect(low).toBeLessThanOrEqual(a);
        expect(high).toBeGreaterThanOrEqual(b);
        // Doubles have no more digits.
        const finest = 4e-14 * Math.max(Math.abs(a), Math.abs(b)) + 1e-99;
        expect(high - low).toBeLessThanOrEqual(1.05 * (b - a) + finest);
        const own = numbers(estimate, unit)[0]!;
        expect(own).toBeGreaterThanOrEqual(low);
        expect(own).toBeLessThanOrEqual(high);
      }),
      { numRuns: 2000 },
    );
  });

  it('have the digits that their width needs', () => {
    const figure = { estimate: 52_012.9999, usual: [52_012.9645, 52_013.0352] as const, guaranteed: null };
    expect(told(figure, 'value')).toEqual({
      estimate: '52013',
      usual: '52012.964 to 52013.036',
      guaranteed: null,
    });
    const share = { estimate: 0.9997, usual: [0.99951, 0.99988] as const, guaranteed: [0, 1] as const };
    expect(told(share, 'share')).toEqual({
      estimate: '99.97 %',
      usual: '99.951 % to 99.988 %',
      guaranteed: '0 % to 100 %',
    });
    expect(told(share, { rows: 12_000 })).toEqual({
      estimate: '11,996',
      usual: '11,994 to 11,999',
      guaranteed: '0 to 12,000',
    });
    expect(told({ estimate: 3, usual: [3, 3], guaranteed: null }, 'value').usual).toBe('3 to 3');
  });
});

describe('a column of two values', () => {
  const one = rational(1n);
  const mechanism = compile(
    parseNoise('geometric:scale=1', one, () => []),
    1,
    { epsilon: one, delta: rational(1n, 1000n) },
  );
  const errors = new BigInt64Array(1000);
  sampler(mechanism.pmf, seededSource('two values')).fill(errors, 'saturate');
  const counts = new Map<number, number>();
  errors.forEach((error, i) => {
    const released = (i < 300 ? 1 : 0) + Number(error);
    counts.set(released, (counts.get(released) ?? 0) + 1);
  });

  it('has one answer for its mean and for the share of the upper value, in all that is told', () => {
    const found = recover(counts, mechanism, { range: [0, 1], atLeast: [1] });
    const { estimate, usual, guaranteed } = found.mean;
    const share = found.atLeast['1']!;
    for (const [a, b] of [
      [estimate, share.estimate],
      [usual[0], share.usual[0]],
      [usual[1], share.usual[1]],
      [guaranteed![0], share.guaranteed![0]],
      [guaranteed![1], share.guaranteed![1]],
      [estimate, found.distribution[1]!.mass],
      [usual[1], found.distribution[1]!.high],
      [1 - usual[1], found.distribution[0]!.low],
      [estimate * (1 - estimate), found.variance.estimate],
    ] as const)
      expect(a).toBeCloseTo(b, 12);
    expect(found.quantiles['0.5']!.usual).toEqual([0, 0]);
  });
});
