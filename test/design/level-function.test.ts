import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestLevelFunction, type PointCosts, provesBound } from '../../src/design/level-function.js';

/** All level functions on a short window whose edges descend steadily, by enumeration. */
function* levelFunctions(length: number, m: number): Generator<number[]> {
  const levels: number[] = [];
  function* extend(): Generator<number[]> {
    if (levels.length === length) {
      yield levels;
      return;
    }
    const near = levels.slice(-m);
    const [low, high] = near.length > 0 ? [Math.max(...near) - 1, Math.min(...near) + 1] : [0, 0];
    for (let level = low; level <= high; level++) {
      levels.push(level);
      yield* extend();
      levels.pop();
    }
  }
  yield* extend();
}

/** PointCosts over mass of a level function that goes on in steady descent, or null where that is no level function. */
function ratio(
  levels: readonly number[],
  { values, left, right }: PointCosts,
  m: number,
  q: number,
): number | null {
  const n = levels.length;
  let [cost, mass] = [0, 0];
  const take = (c: number, level: number) => {
    cost += c * q ** level;
    mass += q ** level;
  };
  for (const [i, level] of levels.entries()) take(values[i]!, level);
  for (const [edge, growth, at] of [
    [values[n - 1]!, right, (i: number) => levels[n - 1 - i]!],
    [values[0]!, left, (i: number) => levels[i]!],
  ] as const) {
    for (let i = 0; i + 1 < m; i++) if (at(i) < at(i + 1)) return null;
    for (let i = 1; i <= 400 * m; i++) {
      const block = Math.ceil(i / m);
      take(edge + growth.linear * i + growth.square * i * i, at(m - 1 - ((i - 1) % m)) + block);
    }
  }
  return cost / mass;
}

const arbitraryCost = (m: number, reach: number) =>
  fc
    .array(fc.double({ min: -3, max: 9, noNaN: true }), {
      minLength: 2 * reach + 1,
      maxLength: 2 * reach + 1,
    })
    .map((raw): PointCosts => {
      const values = Float64Array.from(raw);
      // The outermost points grow linearly, as a cost must.
      for (let i = 0; i < m; i++) values[i] = 60 + (m - i);
      for (let i = 0; i < m; i++) values[values.length - 1 - i] = 60 + (m - i);
      const growth = { linear: 1, square: 0 };
      return { reach, values, left: growth, right: growth };
    });

describe('the best level function', () => {
  for (const [m, reach] of [
    [1, 3],
    [2, 4],
    [3, 4],
  ] as const) {
    it(`is the best of all that are enumerated, m = ${m}`, () => {
      fc.assert(
        fc.property(
          arbitraryCost(m, reach),
          fc.double({ min: 0.8, max: 3, noNaN: true }),
          (cost, epsilon) => {
            const q = Math.exp(-epsilon);
            let least = Infinity;
            for (const levels of levelFunctions(2 * reach + 1, m))
              least = Math.min(least, ratio(levels, cost, m, q) ?? Infinity);
            const { value } = bestLevelFunction(cost, m, q, 60);
            expect(value).toBeCloseTo(least, 7);
            expect(provesBound(cost, m, q, value - 1e-9)).toBe(true);
            expect(provesBound(cost, m, q, value + 1e-6)).toBe(false);
          },
        ),
        { numRuns: 25 },
      );
    });
  }

  it('proves bounds where values leave the range of doubles', () => {
    const reach = 400;
    const values = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => Math.abs(i - reach) + Math.sin(i));
    const cost = { reach, values, left: { linear: 1, square: 0 }, right: { linear: 1, square: 0 } };
    const q = Math.exp(-5);
    const { value } = bestLevelFunction(cost, 1, q, 10);
    expect(provesBound(cost, 1, q, value - 1e-9)).toBe(true);
    expect(provesBound(cost, 1, q, value + 1e-6)).toBe(false);
  });
});
