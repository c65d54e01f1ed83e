// Accounts that once went wrong: too low, too wide, or not done.

import { describe, expect, it } from 'vitest';
import { totalOf } from '../../src/account/index.js';
import { noise, pmfOf, release } from './releases.js';

/** A weight times a factor. */
function scaled(weight: bigint, factor: number): bigint {
  return (weight * BigInt(Math.round(factor * 2 ** 52))) >> 52n;
}

describe('what once went wrong', () => {
  it.each([-0.8, 0.8])('losses that are a little off a progression, δ near 1 (%d)', (part) => {
    // Extremes on a progression of spacing 1, all others off it by nearly as much as is allowed.
    const off = part * 4 * 2 ** -40;
    const steps = [-4, 1 - off, -2 - off, 2 - off, -1 - off, 1 - off, 4];
    const weights = [10n ** 45n];
    for (const loss of steps) weights.push(scaled(weights.at(-1)!, Math.exp(-loss)));
    const pmf = { ...pmfOf([1]), weights };
    const whole = Number(weights.reduce((sum, weight) => sum + weight, 0n));
    const times = 30;
    // Down throughout: outcomes by their place and by how many of them are off it.
    const losses = weights.slice(1).map((weight, i) => ({
      place: -Math.round(steps[i]!),
      moved: Number.isInteger(steps[i]!) ? 0 : 1,
      mass: Number(weight) / whole,
    }));
    let sums = new Map([[0, 1]]);
    for (let n = 0; n < times; n++) {
      const next = new Map<number, number>();
      for (const [key, mass] of sums)
        for (const one of losses) {
          const at = key + (one.place + 8) * 64 + one.moved;
          next.set(at, (next.get(at) ?? 0) + mass * one.mass);
        }
      sums = next;
    }
    const infinite = 1 - (1 - Number(weights[0]!) / whole) ** times;
    const total = totalOf([release(pmf, 1, times)]);
    for (const epsilon of [11.5, 19.18, 26.85]) {
      let truth = infinite;
      for (const [key, mass] of sums) {
        const loss = Math.floor(key / 64) - 8 * times + off * (key % 64);
        if (loss > epsilon) truth -= mass * Math.expm1(epsilon - loss);
      }
      expect(total.deltaAt(epsilon).upper).toBeGreaterThan(truth * (1 - 1e-13));
    }
  });

  it('a δ that is too small for a double is not 0', () => {
    const total = totalOf([release(noise('geometric:scale=3'), 1, 3000)]);
    expect(total.deltaAt(990).upper).toBeGreaterThan(0);
    expect(total.deltaAt(1000.1)).toEqual({ lower: 0, upper: 0 });
  });

  it('very many places of a progression are blurred, and far out a bound is enough', () => {
    const total = totalOf([
      release(noise('geometric:scale=1'), 1, 1000),
      release(noise('geometric:scale=1000000'), 1, 1000),
    ]);
    const { lower, upper } = total.epsilonAt(1e-6);
    expect((upper - lower) / upper).toBeLessThan(1e-4);
    expect(total.method).toBe('grid');
    const edge = totalOf([release(noise('laplace:scale=4,mu=0.3'), 1, 60)]).deltaAt(15);
    expect(edge.lower).toBeGreaterThanOrEqual(0);
    expect(edge.upper).toBeLessThan(1e-25);
  });

  it('asymmetric noise of few losses is close, and where a pair dominates it is said', () => {
    const total = totalOf([release(noise('laplace:scale=4,mu=0.3'), 1, 100)]);
    const { lower, upper } = total.epsilonAt(1e-6);
    expect((upper - lower) / upper).toBeLessThan(1e-4);
    expect(total.dominated).toBe(false);
    const many = totalOf([release(pmfOf([1, 9000, 4000, 3000, 2000, 1]), 1, 30_000)]);
    many.deltaAt(100_000);
    expect(many.dominated).toBe(true);
  });

  it('a group of more releases than can be', () => {
    const all = [release(noise('geometric:scale=3'), 1, 1e9)];
    expect(() => totalOf(all, 1e9)).toThrow(/^group: expected at most 1000000000 releases/);
  });

  it('a sampled record whose value the others hardly reach', () => {
    for (const [text, adjacency] of [
      ['discrete-gaussian:sigma=0.3', 20],
      ['discrete-gaussian:sigma=1', 17],
      ['discrete-gaussian:sigma=1', 14],
      ['geometric:scale=0.01', 7],
    ] as const) {
      const sampled = release(noise(text, adjacency), adjacency, 1, { of: 'counts', sampling: 0.1 });
      const { lower, upper } = totalOf([sampled]).deltaAt(1);
      // All but next to nothing of the sample shows.
      expect(lower).toBeLessThanOrEqual(0.1);
      expect(upper).toBeGreaterThan(0.0999999999990767);
    }
  });

  it('a pair that dominates several with infinite loss', () => {
    const table = pmfOf([100, 101, 99, 99, 1]);
    const { lower, upper } = totalOf([release(table, 1, 60)]).deltaAt(0.1);
    expect(upper).toBeGreaterThanOrEqual(1 - 0.75 ** 60);
    expect(lower).toBeLessThanOrEqual(upper);
    const bell = Array.from({ length: 25 }, (_, i) => Math.round(1e9 * Math.exp(-((i - 12) ** 2) / 50)));
    bell[13]! += 3000;
    bell[10]! += 1500;
    const total = totalOf([release(pmfOf(bell), 1, 100)]);
    for (const epsilon of [0, 1, 3]) {
      const found = total.deltaAt(epsilon);
      expect(found.lower).toBeLessThanOrEqual(found.upper);
    }
    expect(total.deltaAt(1).upper).toBeGreaterThan(0.662);
  });

  it('probabilities that are too small one by one', () => {
    const sampled = release(noise('geometric:scale=0.5'), 1, 900, { of: 'counts', sampling: 0.1 });
    const { lower, upper } = totalOf([sampled]).deltaAt(190);
    expect(lower).toBeLessThanOrEqual(1.0522e-102);
    expect(upper).toBeGreaterThan(1.052e-102);
  });

  it('many losses, and none beyond the largest', () => {
    const wide = totalOf([release(noise('discrete-gaussian:sigma=700'), 1, 1)]).epsilonAt(1e-6);
    expect((wide.upper - wide.lower) / wide.upper).toBeLessThan(1e-9);
    expect(totalOf([release(noise('geometric:scale=10'), 1, 1)]).deltaAt(0.11)).toEqual({
      lower: 0,
      upper: 0,
    });
    const { lower, upper } = totalOf([release(noise('geometric:scale=0.1'), 1, 10_000)]).epsilonAt(0.01);
    expect((upper - lower) / upper).toBeLessThan(1e-6);
    expect(() => totalOf([release(noise('geometric:scale=10'), 1, 1, { of: 'counts' })], 1e9)).toThrow(
      /group: expected/,
    );
  });

  it('a progression with very many places, of which the runs all round the circle are bounded', () => {
    const all = [release(noise('geometric:scale=1000', 3000), 3000, 10_000)];
    const total = totalOf(all);
    const { lower, upper } = total.epsilonAt(1e-6);
    expect((upper - lower) / upper).toBeLessThan(1e-6);
    expect(total.method).toBe('native');
    // A little of another noise leaves the progression: the blurred losses must agree.
    const more = totalOf([...all, release(noise('geometric:scale=1e7'), 1, 1)]).epsilonAt(1e-6);
    expect(more.upper).toBeGreaterThan(lower);
    expect(more.lower).toBeLessThan(upper + 1e-6);
  });

  it('several geometric noises of coarse losses', () => {
    const total = totalOf(
      [0.1, 0.17, 1.17].map((scale) => release(noise(`geometric:scale=${scale}`), 1, 100)),
    );
    const { lower, upper } = total.epsilonAt(1e-6);
    expect((upper - lower) / upper).toBeLessThan(1e-4);
  });

  it('losses so large that δ hardly falls from one ε to the next', () => {
    const total = totalOf([release(noise('discrete-gaussian:sigma=3', 20), 20, 1_000_000)]);
    const { lower, upper } = total.epsilonAt(1e-3);
    expect((upper - lower) / upper).toBeLessThan(1e-6);
  });
});
