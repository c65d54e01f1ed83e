import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, divide, log, multiply, rational, toNumberNear, toNumberUp } from '../../src/exact/index.js';
import { makePmf, mirror, type Pmf } from '../../src/pmf/index.js';
import { supRatio } from '../../src/privacy/index.js';
import { anyPmf, probabilityAt, writtenOut } from '../arbitrary.js';

/** The largest ratio within m, by looking at every pair far beyond period + adjacency. */
function bruteRatio(pmf: Pmf, m: number): number {
  const points = [...writtenOut(pmf, m + 12)].map(([k, p]) => [k, p] as const);
  const all = new Map(points);
  let best = rational(0n);
  for (const [i, over] of points) {
    for (let j = i - m; j <= i + m; j++) {
      const under = all.get(j);
      if (!under) continue;
      const ratio = divide(over, under);
      if (compare(ratio, best) > 0) best = ratio;
    }
  }
  return toNumberNear(log(best, 100).upper);
}

describe('the sup ratio', () => {
  it('is the largest ratio of any two points within the adjacency, tails and seams included', () => {
    fc.assert(
      fc.property(anyPmf({ zeros: false, mostWeights: 10 }), fc.integer({ min: 1, max: 16 }), (pmf, m) => {
        fc.pre(pmf.left !== null && pmf.right !== null);
        const found = supRatio(pmf, m);
        expect(found.finite).toBe(true);
        if (!found.finite) return;
        expect(toNumberUp(found.epsilon().upper)).toBeCloseTo(bruteRatio(pmf, m), 12);
        const { k, shift } = found.witness;
        expect(Math.abs(shift)).toBeLessThanOrEqual(m);
        const at = divide(probabilityAt(pmf, k - shift), probabilityAt(pmf, k));
        expect(toNumberNear(log(at, 100).upper)).toBeCloseTo(toNumberNear(found.epsilon().upper), 12);
      }),
      { numRuns: 300 },
    );
  });

  it('never decreases with the adjacency', () => {
    fc.assert(
      fc.property(anyPmf({ zeros: false }), fc.integer({ min: 1, max: 12 }), (pmf, m) => {
        const [a, b] = [supRatio(pmf, m), supRatio(pmf, m + 1)];
        fc.pre(a.finite);
        if (!a.finite || !b.finite) throw new Error('finite at one adjacency only');
        expect(compare(a.epsilon().lower, b.epsilon().upper)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('names the zero that rules pure privacy out', () => {
    const tail = { period: 1, ratio: rational(1n, 2n) };
    const base = { step: rational(1n), from: 3, weights: [4n, 0n, 4n], left: tail, right: tail };
    expect(supRatio(makePmf(base), 2)).toMatchObject({ finite: false, witness: { k: 4, shift: 1 } });
    expect(supRatio(makePmf({ ...base, left: null }), 2)).toMatchObject({
      finite: false,
      witness: { k: 2, shift: -1 },
    });
    expect(supRatio(makePmf({ ...base, weights: [4n], right: null }), 2)).toMatchObject({
      finite: false,
      witness: { k: 4, shift: 1 },
    });
  });

  it('sees the seam between window and tail', () => {
    // Inside the block 1 to 2 and a ratio of one half; across the seam 2 to 1/2.
    const tail = { period: 2, ratio: rational(1n, 2n) };
    const pmf = makePmf({ step: rational(1n), from: 0, weights: [1n, 2n], left: tail, right: tail });
    const found = supRatio(pmf, 1);
    if (!found.finite) throw new Error('finite expected');
    expect(toNumberNear(found.epsilon().upper)).toBeCloseTo(Math.log(4), 14);
  });

  it('looks no further back than the adjacency within a long period', () => {
    const pmf = makePmf({
      step: rational(1n),
      from: -4,
      weights: [7n, 3n, 20n, 3n, 8n, 1n, 13n, 19n],
      left: { period: 3, ratio: rational(1n, 8n) },
      right: { period: 4, ratio: rational(3n, 4n) },
    });
    for (const m of [1, 2, 3]) {
      for (const side of [pmf, mirror(pmf)]) {
        const found = supRatio(side, m);
        if (!found.finite) throw new Error('finite expected');
        expect(toNumberNear(found.epsilon().upper)).toBeCloseTo(bruteRatio(side, m), 12);
      }
    }
  });

  it('counts whole periods of long tails without writing them out', () => {
    const ratio = rational((1n << 448n) - (1n << 440n), 1n << 448n);
    const pmf = makePmf({
      step: rational(1n),
      from: 0,
      weights: [1n],
      left: { period: 1, ratio },
      right: { period: 1, ratio },
    });
    const found = supRatio(pmf, 5_000_000);
    if (!found.finite) throw new Error('finite expected');
    const one = log(rational(ratio.den, ratio.num), 200);
    expect(toNumberUp(found.epsilon(100).upper)).toBe(toNumberUp(multiply(one.upper, rational(5_000_000n))));
  });

  it('handles an adjacency that reaches from one tail across the window into the other', () => {
    const left = { period: 2, ratio: rational(9n, 10n) };
    const right = { period: 1, ratio: rational(1n, 10n) };
    const pmf = makePmf({ step: rational(1n), from: 0, weights: [5n, 1n], left, right });
    const found = supRatio(pmf, 9);
    if (!found.finite) throw new Error('finite expected');
    expect(toNumberNear(found.epsilon().upper)).toBeCloseTo(bruteRatio(pmf, 9), 12);
  });
});
