import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  integer,
  multiply,
  parseDecimal,
  rational,
  toNumberNear,
  zero,
} from '../../src/exact/index.js';
import {
  convolve,
  cumulativeWeight,
  errorQuantile,
  isUnimodal,
  lastIndex,
  makePmf,
  mirror,
  moments,
  quantile,
  total,
  unrolled,
} from '../../src/pmf/index.js';
import { anyPmf, probabilityAt, writtenOut } from '../arbitrary.js';

const half = rational(1n, 2n);
const geometric = makePmf({
  step: rational(1n),
  from: 0,
  weights: [1n],
  left: { period: 1, ratio: half },
  right: { period: 1, ratio: half },
});

describe('a mass function', () => {
  const base = { step: rational(1n), from: 0, weights: [2n, 3n], left: null, right: null };
  it.each([
    ['no weights', { weights: [] }, /at least one weight/],
    ['a negative weight', { weights: [1n, -5n, 1n] }, /weights\[1\].*-5/],
    ['a zero at an end', { weights: [1n, 0n] }, /weights\[1\].*positive weight at the end/],
    ['a step of zero', { step: zero }, /step/],
    ['a fractional start', { from: 0.5 }, /from/],
    ['a period of zero', { left: { period: 0, ratio: half } }, /tails.left.period.*got 0/],
    ['a period beyond the window', { right: { period: 3, ratio: half } }, /1 to 2.*got 3/],
    ['a ratio of one', { right: { period: 1, ratio: rational(1n) } }, /above 0 and below 1/],
    [
      'a zero in a block',
      { weights: [1n, 0n, 1n], left: { period: 2, ratio: half } },
      /weights\[1\].*left tail/,
    ],
  ])('refuses %s', (_, change, message) => {
    expect(() => makePmf({ ...base, ...change })).toThrow(message);
  });

  it('has a total that is the limit of its written-out sums', () => {
    fc.assert(
      fc.property(anyPmf(), (pmf) => {
        const sum = [...writtenOut(pmf, 60).values()].reduce(add, zero);
        expect(toNumberNear(sum)).toBeLessThanOrEqual(1);
        const slowest = Math.max(
          ...[pmf.left, pmf.right].map((t) => (t ? toNumberNear(t.ratio) ** (60 / t.period) : 0)),
        );
        expect(1 - toNumberNear(sum)).toBeLessThanOrEqual(slowest + 1e-15);
      }),
      { numRuns: 40 },
    );
  });

  it('is the same when more of its tails is written out', () => {
    fc.assert(
      fc.property(anyPmf(), fc.integer({ min: 0, max: 9 }), (pmf, reach) => {
        const longer = unrolled(pmf, reach);
        for (let k = pmf.from - 12; k <= lastIndex(pmf) + 12; k++) {
          expect(compare(probabilityAt(longer, k), probabilityAt(pmf, k))).toBe(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('knows whether it is unimodal, tails and seams included', () => {
    fc.assert(
      fc.property(anyPmf(), (pmf) => {
        const values = [...writtenOut(pmf, 14).values()];
        let falling = false;
        let unimodal = true;
        for (let i = 1; i < values.length; i++) {
          const step = compare(values[i]!, values[i - 1]!);
          if (step < 0) falling = true;
          if (step > 0 && falling) unimodal = false;
        }
        expect(isUnimodal(pmf)).toBe(unimodal);
      }),
    );
  });
});

describe('moments and quantiles', () => {
  it('match closed forms for the two-sided geometric', () => {
    expect(moments(geometric)).toEqual({
      mean: zero,
      meanAbsolute: rational(4n, 3n),
      meanSquare: rational(4n),
      variance: rational(4n),
    });
  });

  it('scale with the step', () => {
    const fine = makePmf({ ...geometric, step: rational(1n, 4n) });
    expect(moments(fine).meanAbsolute).toEqual(rational(1n, 3n));
    expect(moments(fine).variance).toEqual(rational(1n, 4n));
  });

  it('match sums over written-out tails, also where a tail passes over zero', () => {
    fc.assert(
      fc.property(anyPmf(), (pmf) => {
        const slow = [pmf.left, pmf.right].some((t) => t && toNumberNear(t.ratio) ** (1 / t.period) > 0.9);
        fc.pre(!slow);
        let [mean, magnitude, square] = [0, 0, 0];
        for (const [k, p] of writtenOut(pmf, 330)) {
          const mass = toNumberNear(p);
          mean += k * mass;
          magnitude += Math.abs(k) * mass;
          square += k * k * mass;
        }
        const own = moments(pmf);
        expect(toNumberNear(own.mean)).toBeCloseTo(mean, 8);
        expect(toNumberNear(own.meanAbsolute)).toBeCloseTo(magnitude, 8);
        expect(toNumberNear(own.meanSquare)).toBeCloseTo(square, 7);
      }),
      { numRuns: 30 },
    );
  });

  it('the cumulative weight adds up point by point', () => {
    fc.assert(
      fc.property(anyPmf(), (pmf) => {
        const cumulative = cumulativeWeight(pmf);
        const mass = total(pmf);
        for (let k = pmf.from - 9; k <= lastIndex(pmf) + 9; k++) {
          const gained = add(cumulative(k).lower, {
            num: -cumulative(k - 1).lower.num,
            den: cumulative(k - 1).lower.den,
          });
          expect(compare(gained, multiply(probabilityAt(pmf, k), mass))).toBe(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('quantiles are the least value that reaches the probability', () => {
    fc.assert(
      fc.property(anyPmf(), fc.integer({ min: 1, max: 99 }), (pmf, percent) => {
        const wanted = rational(BigInt(percent), 100n);
        const upTo = (k: number) => cumulativeWeight(pmf)(k).lower;
        const mass = total(pmf);
        const at = Number(quantile(pmf, wanted).num);
        expect(compare(upTo(at), multiply(wanted, mass))).toBeGreaterThanOrEqual(0);
        expect(compare(upTo(at - 1), multiply(wanted, mass))).toBeLessThan(0);
        const t = Number(errorQuantile(pmf, wanted).num);
        const within = (reach: number) =>
          add(upTo(reach), { num: -upTo(-reach - 1).num, den: upTo(-reach - 1).den });
        expect(compare(within(t), multiply(wanted, mass))).toBeGreaterThanOrEqual(0);
        if (t > 0) expect(compare(within(t - 1), multiply(wanted, mass))).toBeLessThan(0);
      }),
      { numRuns: 60 },
    );
  });

  it('quantiles reach the probability with equality too', () => {
    const four = makePmf({ ...geometric, from: -2, weights: [1n, 1n, 1n, 1n], left: null, right: null });
    expect(['0.25', '0.5', '0.51'].map((p) => quantile(four, parseDecimal(p)).num)).toEqual([-2n, -1n, 0n]);
    expect(['0.25', '0.75', '0.76'].map((p) => errorQuantile(four, parseDecimal(p)).num)).toEqual([
      0n,
      1n,
      2n,
    ]);
  });

  it('far out in a slow tail quantiles stay affordable', () => {
    const ratio = rational((1n << 400n) - (1n << 380n), 1n << 400n);
    const slow = makePmf({ ...geometric, left: { period: 1, ratio }, right: { period: 1, ratio } });
    const t = toNumberNear(errorQuantile(slow, parseDecimal('0.95')));
    expect(t / (Math.log(20) * 2 ** 20)).toBeCloseTo(1, 5);
    expect(() => quantile(slow, rational(1n))).toThrow(/below 1/);
  });
});

describe('convolution', () => {
  it('is the sum over all pairs, tails included', () => {
    fc.assert(
      fc.property(anyPmf({ tails: false }), anyPmf(), (a, b) => {
        const sum = convolve(a, b);
        for (let k = sum.from - 8; k <= lastIndex(sum) + 8; k++) {
          let expected = zero;
          for (let i = a.from; i <= lastIndex(a); i++) {
            expected = add(expected, multiply(probabilityAt(a, i), probabilityAt(b, k - i)));
          }
          expect(compare(probabilityAt(sum, k), expected)).toBe(0);
        }
        expect(convolve(b, a)).toEqual(sum);
      }),
      { numRuns: 60 },
    );
  });

  it('adds means and variances', () => {
    fc.assert(
      fc.property(anyPmf({ tails: false }), anyPmf(), (a, b) => {
        const [x, y, z] = [moments(a), moments(b), moments(convolve(a, b))];
        expect(compare(z.mean, add(x.mean, y.mean))).toBe(0);
        expect(compare(z.variance, add(x.variance, y.variance))).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  it('refuses two mass functions with tails, and two steps', () => {
    expect(() => convolve(geometric, geometric)).toThrow(/without tails/);
    expect(() => convolve({ ...geometric, left: null, right: null, step: half }, geometric)).toThrow(
      /same step/,
    );
  });

  it('handles ten thousand points with long weights', () => {
    const weights = Array.from({ length: 10_000 }, (_, i) => (1n << 300n) + BigInt(i));
    const long = makePmf({ ...geometric, weights, left: null, right: null });
    const sum = convolve(long, long);
    expect(sum.weights.length).toBe(19_999);
    expect(sum.weights[1]).toBe(2n * weights[0]! * weights[1]!);
    expect(sum.weights[19_998]).toBe(weights[9999]! ** 2n);
  });
});

describe('mirroring', () => {
  it('turns every point around', () => {
    fc.assert(
      fc.property(anyPmf(), fc.integer({ min: -20, max: 20 }), (pmf, k) => {
        expect(probabilityAt(mirror(pmf), -k)).toEqual(probabilityAt(pmf, k));
        expect(multiply(integer(-1), moments(mirror(pmf)).mean)).toEqual(moments(pmf).mean);
      }),
    );
  });
});
