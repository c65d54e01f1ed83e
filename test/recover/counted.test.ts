// The distribution behind noisy counts, and what a reader will be able to recover.

import { describe, expect, it } from 'vitest';
import { rational } from '../../src/exact/index.js';
import { compile, finishOf, latticeOf, type Mechanism } from '../../src/mechanism/index.js';
import { windowPmf } from '../../src/pmf/index.js';
import { sampler, seededSource } from '../../src/random/index.js';
import { foretell, groupsOf, recover, recoverCounted } from '../../src/recover/index.js';
import { parseNoise } from '../../src/spec/index.js';

const one = rational(1n);
const laplace = (scale: number): Mechanism =>
  compile(
    parseNoise(`geometric:scale=${scale}`, one, () => []),
    1,
    { epsilon: rational(1n, BigInt(scale)), delta: rational(1n, 10n ** 6n) },
  );
const truth = Array.from({ length: 40 }, (_, k) => Math.round(20_000 * 0.15 * 0.85 ** k));
const rows = truth.reduce((sum, count) => sum + count, 0);
const sideBySide = (counts: readonly number[]) =>
  counts.map((count, k) => ({
    low: k === 0 ? -Infinity : k,
    high: k === counts.length - 1 ? Infinity : k,
    count,
  }));

function distance(masses: ArrayLike<number>, counts: readonly number[]): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let [ahead, sum] = [0, 0];
  counts.forEach((count, k) => {
    ahead += masses[k]! - count / all;
    sum += Math.abs(ahead);
  });
  return sum;
}

describe('noisy counts', () => {
  it('give back what they are counts of where the noise is next to nothing', () => {
    const { masses, gap } = recoverCounted(sideBySide(truth), 0.01, rows, [0, 39]);
    expect(gap).toBeLessThan(1e-6);
    truth.forEach((count, k) => {
      expect(masses[k]!).toBeCloseTo(count / rows, 4);
    });
  });

  it('are nearer the truth recovered than cut off at nothing', () => {
    const { pmf } = laplace(100);
    let [recovered, cutOff] = [0, 0];
    for (let seed = 0; seed < 20; seed++) {
      const noise = new BigInt64Array(40);
      sampler(pmf, seededSource(`counted ${seed}`)).fill(noise, 'saturate');
      const noisy = truth.map((count, k) => count + Number(noise[k]!));
      const all = noisy.reduce((sum, count) => sum + count, 0);
      const cut = noisy.map((count) => Math.max(0, count));
      const whole = cut.reduce((sum, count) => sum + count, 0);
      recovered += distance(recoverCounted(sideBySide(noisy), 100 * Math.SQRT2, all, [0, 39]).masses, truth);
      cutOff += distance(
        cut.map((count) => count / whole),
        truth,
      );
    }
    expect(recovered).toBeLessThan(0.8 * cutOff);
  });

  it('below thresholds tell the distribution at them', () => {
    const below = [5, 10, 15, 20, 25, 30, 35].map((t) => ({
      low: -Infinity,
      high: t - 1,
      count: truth.slice(0, t).reduce((sum, count) => sum + count, 0),
    }));
    const { masses } = recoverCounted(below, 0.1, rows, [0, 39]);
    for (const { high, count } of below) {
      const sum = masses.slice(0, high + 1).reduce((total, mass) => total + mass, 0);
      expect(sum).toBeCloseTo(count / rows, 3);
    }
  });

  it('say nothing where the noise drowns them, and fail at nothing', () => {
    const noisy = truth.map((_, k) => (k % 2 === 0 ? 900 : -900));
    const { masses } = recoverCounted(sideBySide(noisy), 1e4, 1, [0, 39]);
    expect(Math.max(...masses)).toBeLessThan(0.1);
    expect(masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(1, 9);
  });

  it('of a wide range are of groups', () => {
    expect(groupsOf(0, 511)).toEqual({ from: 0, last: 511, apart: 1, points: 512 });
    expect(groupsOf(-3, 1021)).toEqual({ from: -3, last: 1021, apart: 3, points: 342 });
  });
});

describe('what a reader will be able to recover', () => {
  const mechanism = laplace(5);
  const lattice = latticeOf(one);
  const bare = finishOf(lattice, null, null);
  const prior = windowPmf(
    one,
    0,
    truth.map((count) => BigInt(count)),
  );

  it('is what recoveries of such data are like', () => {
    const told = foretell(prior, mechanism, bare, rows);
    const column = truth.flatMap((count, k) => new Array<number>(count).fill(k));
    const mean = column.reduce((sum, value) => sum + value, 0) / rows;
    const found = Array.from({ length: 7 }, (_, seed) => {
      const noise = new BigInt64Array(column.length);
      sampler(mechanism.pmf, seededSource(`foretold ${seed}`)).fill(noise, 'saturate');
      const counts = new Map<number, number>();
      column.forEach((value, i) => {
        const out = value + Number(noise[i]!);
        counts.set(out, (counts.get(out) ?? 0) + 1);
      });
      return recover(counts, mechanism, { range: [0, 39], bins: false });
    });
    const width = ([low, high]: readonly number[]) => high! - low!;
    const first = found[0]!;
    expect(told.mean!.estimate).toBeCloseTo(mean, 9);
    expect(width(told.mean!.usual) / width(first.mean.usual)).toBeCloseTo(1, 6);
    expect(width(told.variance!.guaranteed!) / width(first.variance.guaranteed!)).toBeGreaterThan(0.8);
    expect(width(told.variance!.guaranteed!) / width(first.variance.guaranteed!)).toBeLessThan(1.25);
    const distances = found
      .map(({ distribution }) =>
        distance(
          distribution.map(({ mass }) => mass),
          truth,
        ),
      )
      .sort((a, b) => a - b);
    expect(told.wasserstein!).toBeGreaterThan(distances[3]! / 3);
    expect(told.wasserstein!).toBeLessThan(distances[3]! * 3);
  });

  it('knows a clamp and a rounding, and a step other than 1', () => {
    const clamp = { low: rational(0n), high: rational(39n) };
    const clamped = foretell(prior, mechanism, finishOf(lattice, clamp, rational(3n)), rows);
    const free = foretell(prior, mechanism, bare, rows);
    const width = ([low, high]: readonly number[]) => high! - low!;
    expect(width(clamped.mean!.guaranteed!)).toBeGreaterThan(width(free.mean!.guaranteed!));
    const halves = rational(1n, 2n);
    const scaled = foretell(
      { ...prior, step: halves },
      { ...mechanism, pmf: { ...mechanism.pmf, step: halves } },
      finishOf(latticeOf(halves), null, null),
      rows,
    );
    expect(scaled.wasserstein!).toBeCloseTo(free.wasserstein! / 2, 9);
    expect(width(scaled.mean!.usual)).toBeCloseTo(width(free.mean!.usual) / 2, 9);
  });

  it('without a prior is the error of the mean, or nothing', () => {
    const { mean, median } = foretell(null, mechanism, bare, 10_000);
    expect(mean!.estimate).toBeCloseTo(0, 12);
    expect(mean!.usual[1]).toBeCloseTo((1.96 * 5 * Math.SQRT2) / 100, 2);
    expect(median).toBeNull();
    const clamp = { low: rational(0n), high: rational(39n) };
    expect(foretell(null, mechanism, finishOf(lattice, clamp, null), 10_000).mean).toBeNull();
  });
});
