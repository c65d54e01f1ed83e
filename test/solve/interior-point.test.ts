// Small programmes whose optimum is known by other means.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interiorPoint, type Programme } from '../../src/solve/index.js';

const ones = (n: number) => new Float64Array(n).fill(1);
/** x ≥ 0 and Σ x = 1. */
function onSimplex(
  linear: readonly number[],
  dense: readonly (readonly number[])[] = linear.map(() => []),
): Programme {
  const n = linear.length;
  return {
    linear: Float64Array.from(linear),
    dense: dense.map((column) => Float64Array.from(column)),
    sparse: {
      i: Int32Array.from({ length: n }, (_, j) => j),
      j: new Int32Array(n).fill(-1),
      a: new Float64Array(n).fill(-1),
      b: new Float64Array(n),
      group: new Int32Array(n).fill(-1),
    },
    budgets: [],
    equalities: [{ row: ones(n), value: 1 }],
  };
}
const worth = ({ linear, dense }: Programme, x: Float64Array): number => {
  let value = linear.reduce((sum, c, j) => sum + c * x[j]!, 0);
  for (let k = 0; k < (dense[0]?.length ?? 0); k++)
    value += Math.abs(dense.reduce((sum, column, j) => sum + column[k]! * x[j]!, 0));
  return value;
};
const solve = (programme: Programme, n: number) =>
  interiorPoint(programme, new Float64Array(n).fill(1 / n), { tolerance: 1e-9, iterations: 100 });

describe('the interior point', () => {
  it('finds the least cost on a simplex', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 2, maxLength: 12 }),
        (costs) => {
          const found = solve(onSimplex(costs), costs.length);
          expect(worth(onSimplex(costs), found.x)).toBeCloseTo(Math.min(...costs), 6);
          expect(found.x.every((x) => x >= -1e-12)).toBe(true);
          expect(found.x.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
        },
      ),
    );
  });

  it('balances absolute values: of two columns, the mixture that a search on a fine grid finds', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: -3, max: 3, noNaN: true })),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        (rows) => {
          const programme = onSimplex([0.5, 0.7], [rows.map(([a]) => a), rows.map(([, b]) => b)]);
          const found = worth(programme, solve(programme, 2).x);
          let least = Infinity;
          for (let i = 0; i <= 2000; i++)
            least = Math.min(least, worth(programme, Float64Array.of(i / 2000, 1 - i / 2000)));
          expect(found).toBeLessThanOrEqual(least + 1e-6);
          expect(found).toBeGreaterThan(least - 0.02);
        },
      ),
    );
  });

  it('keeps the sum of positive parts of a group within its budget, and says what more would be worth', () => {
    // Minimise x₁ with x₀ + x₁ = 1 and (x₀ − x₁)⁺ ≤ 0.2: x₀ = 0.6.
    const programme: Programme = {
      linear: Float64Array.of(0, 1),
      dense: [new Float64Array(0), new Float64Array(0)],
      sparse: {
        i: Int32Array.of(0, 1, 0),
        j: Int32Array.of(-1, -1, 1),
        a: Float64Array.of(-1, -1, 1),
        b: Float64Array.of(0, 0, -1),
        group: Int32Array.of(-1, -1, 0),
      },
      budgets: [0.2],
      equalities: [{ row: ones(2), value: 1 }],
    };
    const found = solve(programme, 2);
    expect([found.x[0], found.x[1]].map((x) => Number(x!.toFixed(6)))).toEqual([0.6, 0.4]);
    // A little more budget moves half of it from x₁ to x₀.
    expect(found.groups[0]).toBeCloseTo(0.5, 5);
    expect(found.gap).toBeLessThan(1e-8);
  });

  it('goes on from where it was, and shows its duals on the way', () => {
    const programme = onSimplex(
      [3, 1, 2],
      [
        [1, -1],
        [-1, 1],
        [0.5, 0.5],
      ],
    );
    const first = solve(programme, 3);
    let visits = 0;
    const again = interiorPoint(programme, first, {
      tolerance: 1e-9,
      iterations: 100,
      visit: (y) => {
        visits++;
        expect(y.every((v) => Math.abs(v) <= 1 + 1e-9)).toBe(true);
      },
    });
    expect(worth(programme, again.x)).toBeCloseTo(worth(programme, first.x), 8);
    expect(visits).toBeLessThanOrEqual(3);
  });
});
