// Recovery: the kernel, the fit and its gap, smoothing, and intervals that cover.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rational } from '../../src/exact/index.js';
import { compile, finished, finishOf, latticeOf, type Mechanism } from '../../src/mechanism/index.js';
import { sampler, seededSource } from '../../src/random/index.js';
import { outputsOf } from '../../src/recover/cells.js';
import { directOf } from '../../src/recover/column.js';
import { directMean } from '../../src/recover/figures.js';
import { allowedAt, nearShares } from '../../src/recover/guaranteed.js';
import { recover } from '../../src/recover/index.js';
import { noiseMean } from '../../src/recover/noise-mean.js';
import { parseNoise } from '../../src/spec/index.js';

const one = rational(1n);
const mechanismOf = (noise: string, step = one): Mechanism =>
  compile(
    parseNoise(noise, step, () => []),
    1,
    { epsilon: one, delta: rational(1n, 10n ** 6n) },
  );
const visits = readFileSync(new URL('../../examples/doctor-visits.csv', import.meta.url), 'utf8')
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => Number(line.split(',')[3]));
const few = [0, 0, 1, 3, 3, 3, 9, 14];
const copies = (values: readonly number[], times: number) =>
  Array.from({ length: times }, () => values).flat();

/** What a release would write, counted. */
function released(
  values: readonly number[],
  { pmf }: Mechanism,
  seed: string,
  after: { clamp?: readonly [number, number]; roundTo?: number } = {},
): Map<number, number> {
  const lattice = latticeOf(pmf.step);
  const finish = finishOf(
    lattice,
    after.clamp ? { low: rational(BigInt(after.clamp[0])), high: rational(BigInt(after.clamp[1])) } : null,
    after.roundTo ? rational(BigInt(after.roundTo)) : null,
  );
  const noise = new BigInt64Array(values.length);
  sampler(pmf, seededSource(seed)).fill(noise, 'saturate');
  const counts = new Map<number, number>();
  values.forEach((value, i) => {
    const out = Number(finished(BigInt(value) + noise[i]!, finish));
    counts.set(out, (counts.get(out) ?? 0) + 1);
  });
  return counts;
}

/** W between a recovered distribution and the column's own. */
function distance(
  distribution: readonly { value: number; mass: number }[],
  values: readonly number[],
): number {
  let [sum, gap] = [0, 0];
  for (const { value, mass } of distribution) {
    gap += mass - values.filter((v) => v === value).length / values.length;
    sum += Math.abs(gap);
  }
  return sum;
}

const meanOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe('the recovered distribution', () => {
  it('is at least 20 times nearer to the true column than what was released, and 10 times nearer than clipping', () => {
    const mechanism = mechanismOf('geometric:scale=5');
    const seeds = Array.from({ length: 9 }, (_, i) => `s${i}`);
    const found = seeds.map((seed) => {
      const counts = released(visits, mechanism, seed);
      const { distribution, gap } = recover(counts, mechanism, {
        range: [0, 77],
        bins: false,
        quantiles: [],
      });
      expect(gap).toBeLessThan(1e-6);
      return distance(distribution, visits);
    });
    // Released 3.54, clipped to the range 1.83.
    expect(found.sort((a, b) => a - b)[4]).toBeLessThan(0.177);
  });

  it('sees through every kind of noise, one-sided and shifted included', () => {
    // A transposed kernel would see −θ.
    for (const noise of ['exponential:rate=0.5', 'gaussian:sigma=3', 'staircase:width=3,ratio=0.4']) {
      const mechanism = mechanismOf(noise);
      const values = copies(few, 2000);
      const { mean, distribution } = recover(released(values, mechanism, noise), mechanism, {
        range: [0, 20],
        bins: false,
      });
      expect(Math.abs(mean.estimate - meanOf(values))).toBeLessThan(0.3);
      expect(distance(distribution, values)).toBeLessThan(1.2);
    }
  });

  it('takes a clamped cell as censored, and a rounded one as all that is rounded to it', () => {
    const mechanism = mechanismOf('geometric:scale=5');
    const values = copies(few, 4000);
    for (const after of [{ clamp: [0, 15] }, { roundTo: 5 }, { clamp: [1, 13], roundTo: 5 }] as const) {
      const { mean, distribution } = recover(released(values, mechanism, 'x', after), mechanism, {
        ...{ range: [0, 20], bins: false },
        ...after,
      });
      const truth = meanOf(values);
      expect(mean.guaranteed![0]).toBeLessThan(truth);
      expect(mean.guaranteed![1]).toBeGreaterThan(truth);
      // Clamped values taken as exact would be off by 1.5 and more.
      expect(
        Math.abs(distribution.reduce((sum, { value, mass }) => sum + value * mass, 0) - truth),
      ).toBeLessThan(0.5);
    }
  });

  it('has the plain maximum on request, a handful of spikes', () => {
    const mechanism = mechanismOf('geometric:scale=5');
    const counts = released(visits, mechanism, 'a');
    const plain = recover(counts, mechanism, { range: [0, 77], bins: false, smooth: 'none' });
    expect(plain.smoothing).toBeNull();
    expect(plain.distribution.filter(({ mass }) => mass > 1e-4).length).toBeLessThan(30);
    expect(plain.gap).toBeLessThan(1e-6);
  });

  it('is of one point where all values are the same', () => {
    const mechanism = mechanismOf('geometric:scale=5');
    const values = copies([20], 20_000);
    const { quantiles, mean } = recover(released(values, mechanism, 'x'), mechanism, {
      range: [0, 77],
      bins: false,
    });
    expect(Math.abs(mean.estimate - 20)).toBeLessThan(0.2);
    expect(Math.abs(quantiles['0.5']!.estimate - 20)).toBeLessThanOrEqual(1);
  });

  it('is told by groups of values where there are many, in data units', () => {
    const mechanism = mechanismOf('geometric:scale=500', rational(1n));
    const values = Array.from({ length: 20_000 }, (_, i) => 3000 + (i % 4000));
    const { distribution, mean } = recover(released(values, mechanism, 'x'), mechanism, {
      range: [0, 9999],
      bins: false,
    });
    expect(distribution.length).toBeLessThanOrEqual(1024);
    expect(distribution[0]).toMatchObject({ value: 0, through: 43 });
    expect(Math.abs(mean.estimate - meanOf(values))).toBeLessThan(30);
  });
});

describe('intervals', () => {
  // 1000 releases: 95 ± 2 % is more than two standard deviations of the simulation.
  it('of the mean cover as often as they say: usual in 95 ± 2 %, guaranteed in at least 95 %', () => {
    const mechanism = mechanismOf('geometric:scale=5');
    const lattice = latticeOf(one);
    const truth = meanOf(visits);
    let [usual, guaranteed] = [0, 0];
    for (let run = 0; run < 1000; run++) {
      const counts = released(visits, mechanism, `cover ${run}`);
      const outputs = outputsOf(counts, finishOf(lattice, null, null), lattice, String);
      const mean = directMean(directOf(outputs, mechanism.pmf, 0.05)!, 0.95, [0, 77]);
      if (mean.usual[0] <= truth && truth <= mean.usual[1]) usual++;
      if (mean.guaranteed![0] <= truth && truth <= mean.guaranteed![1]) guaranteed++;
    }
    expect(Math.abs(usual - 950)).toBeLessThanOrEqual(20);
    expect(guaranteed).toBeGreaterThanOrEqual(950);
  });

  it.each([rational(1n, 2n), rational(10n)])('are in data units, whatever the step', (step) => {
    const unit = Number(step.num) / Number(step.den);
    // The same column and noise in steps.
    const plain = mechanismOf('geometric:scale=5');
    const counts = released(copies(few, 500), plain, 'unit');
    const stepped = { ...plain, pmf: { ...plain.pmf, step } };
    const own = recover(counts, plain, { range: [0, 20], bins: false });
    const other = recover(
      [...counts].map(([value, count]) => [value * unit, count] as const),
      stepped,
      { range: [0, 20 * unit], bins: false },
    );
    for (const [a, b, power] of [
      [own.mean, other.mean, 1],
      [own.variance, other.variance, 2],
      [own.quantiles['0.5']!, other.quantiles['0.5']!, 1],
    ] as const)
      for (const [x, y] of [
        [a.estimate, b.estimate],
        [a.usual[0], b.usual[0]],
        [a.guaranteed![0], b.guaranteed![0]],
        [a.guaranteed![1], b.guaranteed![1]],
      ] as const)
        expect(y).toBeCloseTo(x * unit ** power, 8);
  });

  it('that are guaranteed hold every figure at once', () => {
    const mechanism = mechanismOf('geometric:scale=3');
    const values = copies(few, 400);
    let held = 0;
    for (let run = 0; run < 20; run++) {
      const { distribution, variance, quantiles, atLeast } = recover(
        released(values, mechanism, `all ${run}`),
        mechanism,
        { range: [0, 15], atLeast: [3, 10], quantiles: ['0.5', '0.9'] },
      );
      const inside = (interval: readonly [number, number] | null, truth: number) =>
        interval![0] <= truth && truth <= interval![1];
      const mean = meanOf(values);
      const all = [
        ...distribution.map(({ value, guaranteed }) =>
          inside(guaranteed, values.filter((v) => v === value).length / values.length),
        ),
        inside(variance.guaranteed, meanOf(values.map((v) => (v - mean) ** 2))),
        inside(quantiles['0.5']!.guaranteed, 3),
        inside(quantiles['0.9']!.guaranteed, 14),
        inside(atLeast['3']!.guaranteed, 5 / 8),
        inside(atLeast['10']!.guaranteed, 1 / 8),
      ];
      if (all.every(Boolean)) held++;
    }
    // One in twenty may fail; these bounds are wider than they need be.
    expect(held).toBeGreaterThanOrEqual(19);
  });

  it('of shares allow for rows that are not alike, and for every threshold', () => {
    // P(S ≥ s) of 200 indicators with means that differ, exactly, against what the bound allows.
    const means = Array.from({ length: 200 }, (_, i) => (i % 4 === 0 ? 0.9 : 0.05));
    let law = [1];
    for (const p of means)
      law = Array.from({ length: law.length + 1 }, (_, k) => (law[k] ?? 0) * (1 - p) + (law[k - 1] ?? 0) * p);
    const mean = meanOf(means);
    for (const alpha of [0.05, 0.001]) {
      let missed = 0;
      law.forEach((mass, s) => {
        const [low, high] = nearShares(s / 200, allowedAt(1, 200, alpha));
        if (mean < low || mean > high) missed += mass;
      });
      expect(missed).toBeLessThan(alpha);
      // By any of 64 thresholds, on either side, as often as all of them together may.
      const [low, high] = nearShares(0.5, allowedAt(64, 1000, alpha));
      for (const F of [low, high]) {
        const divergence = 0.5 * Math.log(0.5 / F) + 0.5 * Math.log(0.5 / (1 - F));
        expect((128 * Math.exp(-1000 * divergence)) / alpha).toBeCloseTo(1, 6);
      }
    }
  });

  it('from the noise’s own law are never too short', () => {
    // 50 draws of a law whose mean is known in full: the exact chance of being further off.
    const { pmf } = mechanismOf('geometric:scale=2');
    const { mean, above, below } = noiseMean(pmf, 50, 0.05);
    const draws = new BigInt64Array(50 * 4000);
    sampler(pmf, seededSource('law')).fill(draws, 'saturate');
    let outside = 0;
    for (let run = 0; run < 4000; run++) {
      let sum = 0;
      for (let i = 0; i < 50; i++) sum += Number(draws[50 * run + i]!);
      if (sum / 50 > mean + above || sum / 50 < mean - below) outside++;
    }
    expect(outside / 4000).toBeLessThan(0.05);
    expect(above).toBeLessThan((3 * Math.sqrt(2 * 4.2)) / Math.sqrt(50));
  });

  it('say that nothing is certain of three rows', () => {
    const mechanism = mechanismOf('geometric:scale=5');
    const { mean, quantiles, variance } = recover(
      new Map([
        [3, 1],
        [5, 1],
        [8, 1],
      ]),
      mechanism,
      { range: [0, 77] },
    );
    expect(quantiles['0.5']!.guaranteed).toEqual([0, 77]);
    expect(variance.guaranteed![0]).toBe(0);
    expect(mean.guaranteed![1] - mean.guaranteed![0]).toBeGreaterThan(10);
  });
});

describe('what cannot be', () => {
  const mechanism = mechanismOf('geometric:scale=5');
  it.each([
    [new Map([[0.5, 3]]), {}, /expected multiples of the mechanism's step 1, got 0.5/],
    [new Map(), {}, /expected at least one value, got none/],
    [new Map([[3, 1.5]]), {}, /counts that are whole numbers/],
    [new Map([[200, 5000]]), { range: [0, 77] }, /at most once in 20 times/],
    [new Map([[3, 5]]), { range: [7, 0] }, /low not above high/],
    [new Map([[3, 5]]), { clamp: [0, 2] }, /no value that this clamp and rounding leave/],
    [new Map([[3, 5]]), { confidence: 1 }, /confidence: expected a number between 0.5 and 1/],
  ] as const)('%# is told', (histogram, options, message) => {
    expect(() => recover(histogram as Map<number, number>, mechanism, options as object)).toThrow(message);
  });

  it('is told of a mechanism that tells its release in another way', () => {
    for (const release of [
      null,
      'x',
      { columns: 'visits' },
      { columns: [], clamp: '0,9' },
      { columns: [], roundTo: 5 },
    ])
      expect(() => recover(new Map([[3, 5]]), { ...mechanism, origin: { release } })).toThrow(
        /origin\.release/,
      );
  });

  it('is told of noise that does not reach', () => {
    const narrow = mechanismOf('uniform:low=-2,high=2');
    expect(() => recover(new Map([[9, 5]]), narrow, { range: [0, 5] })).toThrow(/further outside this range/);
  });
});

describe('ranges that are not those of the data', () => {
  const noise = mechanismOf('geometric:scale=5');
  const counts = released(visits, noise, 'wide');

  it('are no matter where they are too wide', () => {
    const own = recover(counts, noise, { range: [0, 77], bins: false, atLeast: [10] });
    const wide = recover(counts, noise, { range: [0, 3000], bins: false, atLeast: [10] });
    expect(wide.quantiles['0.5']!.estimate).toBeLessThanOrEqual(2);
    expect(wide.variance.estimate / own.variance.estimate).toBeCloseTo(1, 1);
    expect(wide.atLeast['10']!.estimate).toBeCloseTo(own.atLeast['10']!.estimate, 1);
  });

  it('are told where what is most likely is not possible', () => {
    expect(recover(counts, noise, { range: [0, 77], bins: false }).warning).toBeNull();
    const found = recover(counts, noise, { range: [0, 42], bins: false, impossible: 'warn' });
    expect(found.warning).toMatch(/outside of what is possible|at most once in 20 times/);
  });

  it('reach to both sides of 0 alike', () => {
    const flat = mechanismOf('uniform:low=-5,high=5');
    const column = copies([-500, -500, -500, 0, 499], 600);
    const { variance, smoothing, quantiles, distribution } = recover(released(column, flat, 'both'), flat, {
      range: [-500, 500],
      bins: false,
    });
    expect(variance.estimate / 159_840).toBeCloseTo(1, 1);
    expect(smoothing!.degrees).toBeGreaterThan(0);
    expect(quantiles['0.5']!.estimate).toBeLessThan(-480);
    expect(distribution.at(-1)!.through ?? distribution.at(-1)!.value).toBe(500);
  });

  it('count a threshold between two values as the next one', () => {
    const { atLeast } = recover(counts, noise, { range: [0, 77], bins: false, atLeast: ['3.5', 4] });
    expect(atLeast['3.5']).toEqual(atLeast['4']);
  });
});

describe('what is no question', () => {
  const noise = mechanismOf('geometric:scale=5');

  it('may come from something that can be read once', () => {
    const once = function* () {
      yield [3, 20] as const;
      yield [4, 30] as const;
    };
    expect(recover(once(), noise, { bins: false }).rows).toBe(50);
  });

  it.each([
    [[1, 2, 3], noise, {}, 'histogram: expected pairs'],
    [new Map([[1, 2]]), 'text', {}, 'mechanism: expected a mechanism'],
    [new Map([[1, 2]]), noise, { quantile: [0.9] }, 'quantile: is no option; did you mean quantiles'],
    [new Map([[1, 2]]), noise, { range: '0,77' }, 'range: expected [low, high]'],
  ])('gets a word on what to do: %#', (histogram, mechanism, options, words) => {
    expect(() => recover(histogram as never, mechanism as never, options as never)).toThrow(words);
  });
});
