import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, multiply, rational, toNumberNear } from '../../src/exact/index.js';
import { centred } from '../../src/mechanism/index.js';
import { lastIndex, makePmf, moments, type Pmf, probabilities } from '../../src/pmf/index.js';
import { privacyProfile } from '../../src/privacy/index.js';

const one = rational(1n);
const mechanismOf = (pmf: Pmf) => ({
  pmf,
  adjacency: 2,
  claim: { epsilon: one, delta: one },
  origin: { noise: 'x' },
});
const tail = fc.option(
  fc.record({ period: fc.integer({ min: 1, max: 3 }), num: fc.integer({ min: 1, max: 9 }) }),
  { nil: null },
);
const pmfs = fc
  .record({
    from: fc.integer({ min: -20, max: 20 }),
    weights: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 3, maxLength: 8 }),
    left: tail,
    right: tail,
  })
  .map(({ from, weights, left, right }) => {
    const tailOf = (side: typeof left) =>
      side && { period: side.period, ratio: rational(BigInt(side.num), 10n) };
    return makePmf({
      step: one,
      from,
      weights: weights.map(BigInt),
      left: tailOf(left),
      right: tailOf(right),
    });
  });

describe('centred noise', () => {
  it('has a mean below 2^−40 steps, and is two shifts of the noise that was given', () => {
    fc.assert(
      fc.property(pmfs, (pmf) => {
        const { mean } = moments(centred(mechanismOf(pmf)).pmf);
        expect(compare(multiply(mean, mean), rational(1n, 1n << 80n))).toBeLessThanOrEqual(0);
        const own = centred(mechanismOf(pmf)).pmf;
        const [low, high] = [
          Math.min(pmf.from, own.from) - 60,
          Math.max(lastIndex(pmf), lastIndex(own)) + 60,
        ];
        const [p, q] = [pmf, own].map((of) => probabilities(of, low, high).p) as [Float64Array, Float64Array];
        const whole = Math.floor(toNumberNear(moments(pmf).mean));
        const share = toNumberNear(moments(pmf).mean) - whole;
        if (Math.abs(toNumberNear(moments(pmf).mean)) < 1e-9) return;
        for (let i = 0; i < p.length; i++) {
          const [near, next] = [p[i + whole], p[i + whole + 1]];
          if (near !== undefined && next !== undefined)
            expect(q[i]).toBeCloseTo(share * next + (1 - share) * near, 9);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is as private as what was given, at every ε and every adjacency', () => {
    fc.assert(
      fc.property(
        pmfs,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 30 }),
        (pmf, adjacency, tenths) => {
          const epsilon = rational(BigInt(tenths), 10n);
          const before = privacyProfile(pmf, adjacency).deltaAt(epsilon);
          const after = privacyProfile(centred(mechanismOf(pmf)).pmf, adjacency).deltaAt(epsilon);
          // Enclosures of some hundred bits: what is left of their width is allowed for.
          expect(compare(after.lower, add(before.upper, rational(1n, 1n << 60n)))).toBeLessThanOrEqual(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is left alone where it is centred already', () => {
    const symmetric = makePmf({ step: one, from: -1, weights: [1n, 2n, 1n], left: null, right: null });
    expect(centred(mechanismOf(symmetric)).pmf).toBe(symmetric);
  });
});
