import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rational, toNumberNear } from '../../src/exact/index.js';
import { convolveDoubles } from '../../src/pmf/fourier.js';
import {
  convolve,
  jensenShannon,
  kullbackLeibler,
  lastIndex,
  makePmf,
  moments,
  outputOf,
  type Pmf,
  totalVariation,
  wasserstein,
} from '../../src/pmf/index.js';
import { anyPmf, probabilityAt } from '../arbitrary.js';

const point = (at: number, step = rational(1n)) =>
  makePmf({ step, from: at, weights: [1n], left: null, right: null });

/** The four distances by summing far into the tails. */
function reference(a: Pmf, b: Pmf) {
  const low = Math.min(a.from, b.from) - 400;
  const high = Math.max(lastIndex(a), lastIndex(b)) + 400;
  let [f, w, tv, kl, js] = [0, 0, 0, 0, 0];
  const term = (x: number, y: number) => (x > 0 ? (y > 0 ? x * Math.log(x / y) : Infinity) : 0);
  for (let k = low; k <= high; k++) {
    const [x, y] = [toNumberNear(probabilityAt(a, k)), toNumberNear(probabilityAt(b, k))];
    f += x - y;
    w += Math.abs(f);
    tv += Math.abs(x - y) / 2;
    kl += term(x, y);
    js += x > 0 ? (x * Math.log((2 * x) / (x + y))) / 2 : 0;
    js += y > 0 ? (y * Math.log((2 * y) / (x + y))) / 2 : 0;
  }
  return { w, tv, kl, js };
}

describe('distances', () => {
  it('agree with plain sums', () => {
    fc.assert(
      fc.property(anyPmf({ tails: false }), anyPmf(), (a, b) => {
        fc.pre([b.left, b.right].every((t) => !t || toNumberNear(t.ratio) ** (1 / t.period) < 0.9));
        const expected = reference(a, b);
        expect(wasserstein(a, b)).toBeCloseTo(expected.w, 9);
        expect(wasserstein(b, a)).toBeCloseTo(expected.w, 9);
        expect(totalVariation(a, b)).toBeCloseTo(expected.tv, 9);
        const kl = kullbackLeibler(a, b);
        if (Number.isFinite(expected.kl)) expect(kl).toBeCloseTo(expected.kl, 9);
        else expect(kl).toBe(Infinity);
        expect(jensenShannon(a, b)).toBeCloseTo(expected.js, 9);
      }),
      { numRuns: 25 },
    );
  });

  it('agree with plain sums where both have tails', () => {
    const tail = (n: bigint, d: bigint) => ({ period: 1, ratio: rational(n, d) });
    const a = makePmf({
      step: rational(1n),
      from: 0,
      weights: [3n, 2n],
      left: tail(1n, 2n),
      right: tail(2n, 3n),
    });
    const b = makePmf({
      step: rational(1n),
      from: 2,
      weights: [1n],
      left: tail(3n, 4n),
      right: tail(1n, 3n),
    });
    const expected = reference(a, b);
    expect(wasserstein(a, b)).toBeCloseTo(expected.w, 9);
    expect(totalVariation(a, b)).toBeCloseTo(expected.tv, 9);
    expect(kullbackLeibler(a, b)).toBeCloseTo(expected.kl, 9);
    expect(jensenShannon(a, b)).toBeCloseTo(expected.js, 9);
  });

  it('Wasserstein counts in data units: the factor Δ is in it', () => {
    expect(wasserstein(point(0, rational(1n, 4n)), point(10, rational(1n, 4n)))).toBeCloseTo(2.5, 14);
  });

  it('for a point of input Wasserstein is E|θ|', () => {
    fc.assert(
      fc.property(anyPmf(), (noise) => {
        const expected = toNumberNear(moments(noise).meanAbsolute);
        expect(wasserstein(point(5), convolve(point(5), noise))).toBeCloseTo(expected, 9);
        expect(wasserstein(point(5), outputOf(point(5), noise))).toBeCloseTo(expected, 9);
      }),
      { numRuns: 50 },
    );
  });

  it('of input and output are the same from doubles as from exact weights, tails included', () => {
    fc.assert(
      fc.property(anyPmf({ tails: false }), anyPmf(), (input, noise) => {
        const [exact, doubles] = [convolve(input, noise), outputOf(input, noise)];
        expect(doubles.from).toBe(exact.from);
        expect(wasserstein(input, doubles)).toBeCloseTo(wasserstein(input, exact), 9);
        expect(jensenShannon(input, doubles)).toBeCloseTo(jensenShannon(input, exact), 9);
        expect(totalVariation(exact, doubles)).toBeLessThan(1e-12);
      }),
      { numRuns: 60 },
    );
  });

  it('of a long input are found by transform as by the plain sum', () => {
    const random = (n: number, seed: number) =>
      Float64Array.from({ length: n }, (_, i) => Math.abs(Math.sin(i * seed)) / n);
    const [a, b] = [random(6000, 1.1), random(5000, 2.3)];
    const sums = convolveDoubles(a, b);
    for (const k of [0, 17, 4999, 6000, 10_998]) {
      let expected = 0;
      for (let i = Math.max(0, k - 4999); i <= Math.min(5999, k); i++) expected += a[i]! * b[k - i]!;
      expect(Math.abs(sums[k]! - expected)).toBeLessThan(1e-15);
    }
  });

  it('refuse two steps', () => {
    expect(() => wasserstein(point(0), point(0, rational(1n, 2n)))).toThrow(/same step/);
  });
});
