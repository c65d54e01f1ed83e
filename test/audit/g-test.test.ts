import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chiSquareTail,
  emptyHistogram,
  gTest,
  type Histogram,
  histogramRange,
} from '../../src/audit/index.js';
import { divide, rational, subtract, toNumberNear } from '../../src/exact/index.js';
import { cumulativeWeight, lastIndex, makePmf, type Pmf, tailWeight, total } from '../../src/pmf/index.js';
import { sampler, seededSource } from '../../src/random/index.js';
import { anyPmf, probabilityAt } from '../arbitrary.js';

const finite = (weights: readonly bigint[], from = 0) =>
  makePmf({ step: rational(1n), from, weights, left: null, right: null });
const flat = (points: number) => finite(new Array<bigint>(points).fill(1n));
const geometric = makePmf({
  step: rational(1n),
  from: 0,
  weights: [1n],
  left: { period: 1, ratio: rational(4n, 5n) },
  right: { period: 1, ratio: rational(4n, 5n) },
});

/** Seeded draws of one law, counted where another one lies. */
function drawn(law: Pmf, draws: number, seed: string, range = histogramRange(law)): Histogram {
  const histogram = emptyHistogram(range);
  const values = new Int32Array(draws);
  sampler(law, seededSource(seed)).fill(values, 'saturate');
  for (const value of values) {
    if (value < range.from) histogram.below++;
    else if (value > range.to) histogram.above++;
    else histogram.counts[value - range.from]!++;
  }
  return histogram;
}

const counted = (...counts: number[]): Histogram => ({
  from: 0,
  counts: Float64Array.from(counts),
  below: 0,
  above: 0,
});

/** The statistic from the cells themselves. */
function byHand(cells: readonly (readonly [observed: number, share: number])[]) {
  const draws = cells.reduce((sum, [observed]) => sum + observed, 0);
  const raw = cells.reduce(
    (sum, [observed, share]) =>
      sum + (observed === 0 ? 0 : 2 * observed * Math.log(observed / (share * draws))),
    0,
  );
  const degrees = cells.length - 1;
  const inverse = cells.reduce((sum, [, share]) => sum + 1 / share, 0);
  const statistic = raw / (1 + (inverse - 1) / (6 * draws * degrees));
  return { statistic, degrees, pValue: chiSquareTail(statistic, degrees) };
}

function expectSame(test: ReturnType<typeof gTest>, expected: ReturnType<typeof byHand>) {
  expect(test.degrees).toBe(expected.degrees);
  expect(test.statistic).toBeCloseTo(expected.statistic, 8);
  expect(test.pValue).toBeCloseTo(expected.pValue, 10);
}

describe('the G-test', () => {
  it('of a coin that fell 60 times in 100 is 4.027, corrected to 4.007, and p = 0.0453', () => {
    const test = gTest(flat(2), counted(60, 40));
    expect(test.statistic).toBeCloseTo(4.02710268 / 1.005, 6);
    expect([test.degrees, test.pValue]).toEqual([1, expect.closeTo(0.0453, 4)]);
    expect(gTest(flat(2), counted(50, 50))).toEqual({ statistic: 0, degrees: 1, pValue: 1 });
  });

  it('is computed from cells that are large enough, each with its own share', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 400 })), {
          minLength: 2,
          maxLength: 8,
        }),
        (pairs) => {
          const weights = pairs.map(([weight]) => BigInt(weight));
          const sum = pairs.reduce((all, [weight]) => all + weight, 0);
          const draws = pairs.reduce((all, [, count]) => all + count, 0);
          fc.pre(draws > 0 && pairs.every(([weight]) => (weight / sum) * draws >= 25));
          expectSame(
            gTest(finite(weights), counted(...pairs.map(([, count]) => count))),
            byHand(pairs.map(([weight, count]) => [count, weight / sum])),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('joins cells with an expectation below 25 with the next, the last with the one before', () => {
    // Ten of an expectation of 10 each: three, three, and four.
    expectSame(
      gTest(flat(10), counted(3, 17, 9, 10, 11, 12, 20, 2, 5, 11)),
      byHand([
        [29, 0.3],
        [33, 0.3],
        [38, 0.4],
      ]),
    );
    expectSame(
      gTest(flat(4), counted(30, 20, 30, 20)),
      byHand([
        [30, 0.25],
        [20, 0.25],
        [30, 0.25],
        [20, 0.25],
      ]),
    );
    expectSame(
      gTest(flat(4), counted(29, 20, 30, 20)),
      byHand([
        [49, 0.5],
        [50, 0.5],
      ]),
    );
  });

  it('counts what fell below and above at the ends, where the law has tails', () => {
    const share = (from: number, to: number) => {
      let sum = 0;
      for (let k = from; k <= to; k++) sum += toNumberNear(probabilityAt(geometric, k));
      return sum;
    };
    const histogram = { from: -1, counts: Float64Array.from([90, 105, 95]), below: 340, above: 370 };
    expectSame(
      gTest(geometric, histogram),
      byHand([
        [430, share(-300, -1)],
        [105, share(0, 0)],
        [465, share(1, 300)],
      ]),
    );
  });

  it('says nothing where there is nothing to compare', () => {
    expect(gTest(flat(1), counted(1000))).toMatchObject({ degrees: 0, pValue: 1 });
    expect(gTest(flat(5), counted(0, 0, 0, 0, 0))).toMatchObject({ degrees: 0, pValue: 1 });
    expect(gTest(flat(5), counted(9, 0, 0, 0, 0))).toMatchObject({ degrees: 0, pValue: 1 });
  });

  it('accepts a million draws of the law, and rejects weights that are 1 % off', () => {
    const law = finite(new Array<bigint>(10).fill(100n));
    const other = finite(Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 101n : 99n)));
    const [own, wrong] = [law, other].map((pmf) => drawn(pmf, 1_000_000, 'weights'));
    expect(gTest(law, own!).pValue).toBeGreaterThan(0.001);
    expect(gTest(other, wrong!).pValue).toBeGreaterThan(0.001);
    expect(gTest(law, wrong!).pValue).toBeLessThan(1e-6);
    expect(gTest(other, own!).pValue).toBeLessThan(1e-6);
  });

  it('accepts draws of a law with tails, and rejects a scale that is 1 % off and a shift by one', () => {
    const range = histogramRange(geometric);
    expect(gTest(geometric, drawn(geometric, 1_000_000, 'tails')).pValue).toBeGreaterThan(0.001);
    // 4/5 to the power of 1 / 1.01
    const ratio = rational(8017n, 10_000n);
    const wider = makePmf({ ...geometric, left: { period: 1, ratio }, right: { period: 1, ratio } });
    expect(gTest(geometric, drawn(wider, 1_000_000, 'tails', range)).pValue).toBeLessThan(1e-6);
    const shifted = { ...geometric, from: 1 };
    expect(gTest(geometric, drawn(shifted, 10_000, 'tails', range)).pValue).toBeLessThan(1e-6);
  });

  it('has values of p that are uniform where the law is true', () => {
    const tests = Array.from({ length: 1000 }, (_, i) =>
      gTest(geometric, drawn(geometric, 1500, `uniform ${i}`)),
    );
    // Four standard deviations to either side of what is expected.
    for (const level of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      const below = tests.filter(({ pValue }) => pValue < level).length;
      expect(Math.abs(below - 1000 * level)).toBeLessThan(4 * Math.sqrt(1000 * level * (1 - level)));
    }
  });
});

describe('the range of a histogram', () => {
  it('is the window where there are no tails', () => {
    expect(histogramRange(finite([1n, 2n, 3n], -7))).toEqual({ from: -7, to: -5 });
  });

  it('leaves about 1e-12 of each tail outside, whole periods', () => {
    fc.assert(
      fc.property(anyPmf(), (pmf) => {
        const { from, to } = histogramRange(pmf);
        const cumulative = cumulativeWeight(pmf);
        const mass = total(pmf);
        const below = toNumberNear(divide(cumulative(from - 1).lower, mass));
        const above = toNumberNear(divide(subtract(mass, cumulative(to).lower), mass));
        expect(below).toBeLessThan(1e-12);
        expect(above).toBeLessThan(1e-12);
        if (pmf.left) {
          expect((pmf.from - from) % pmf.left.period).toBe(0);
          const tail = toNumberNear(divide(tailWeight(pmf, 'left'), mass));
          expect(below).toBeGreaterThan(tail * toNumberNear(pmf.left.ratio) * 0.9 * Math.exp(-28));
        } else expect(from).toBe(pmf.from);
        if (pmf.right) expect((to - lastIndex(pmf)) % pmf.right.period).toBe(0);
        else expect(to).toBe(lastIndex(pmf));
      }),
    );
  });

  it('reaches equally far to both sides of a symmetric law', () => {
    const { from, to } = histogramRange(geometric);
    expect(from).toBe(-to);
    // 28 / −log(4/5), rounded up
    expect(to).toBe(126);
  });

  it('goes no further than it may, however slow the tails are', () => {
    const ratio = rational((1n << 80n) - 1n, 1n << 80n);
    const slow = makePmf({ ...geometric, from: 5, left: { period: 1, ratio }, right: { period: 1, ratio } });
    expect(histogramRange(slow)).toEqual({ from: 5 - 2_000_000, to: 5 + 2_000_000 });
    expect(histogramRange(slow, 100)).toEqual({ from: -45, to: 55 });
    expect(histogramRange({ ...slow, left: null }, 100)).toEqual({ from: 5, to: 55 });
  });

  it('is one count for each point, all of them zero at first', () => {
    const histogram = emptyHistogram({ from: -3, to: 5 });
    expect(histogram).toMatchObject({ from: -3, below: 0, above: 0 });
    expect([...histogram.counts]).toEqual(new Array(9).fill(0));
    expect(emptyHistogram({ from: 4, to: 4 }).counts).toHaveLength(1);
  });
});

describe('a value that cannot be drawn', () => {
  it('refutes the law, however well the others fit', () => {
    const uniform = flat(10);
    const counts = Float64Array.from({ length: 10 }, (_, i) => (i < 9 ? 1000 : 0));
    expect(gTest(uniform, { from: 0, counts, below: 0, above: 1000 }).pValue).toBe(0);
    expect(gTest(uniform, { from: 0, counts, below: 1, above: 0 }).pValue).toBe(0);
    expect(gTest(finite([1n, 0n, 1n]), counted(500, 250, 250)).pValue).toBe(0);
    expect(gTest(finite([1n, 0n, 1n]), counted(500, 0, 500)).pValue).toBe(1);
  });
});
