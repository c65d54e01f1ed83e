// Any duals, good or bad, prove no more than there is: what certified noise reaches is never below a bound.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundOf } from '../../src/design/approximate-bound.js';
import { type ApproximateProblem, type Cells, solveCells } from '../../src/design/cells.js';
import { design, parseObjective } from '../../src/design/index.js';
import { freeLayout, tiedLayout } from '../../src/design/layout.js';
import { parseDecimal, rational } from '../../src/exact/index.js';
import { makePmf } from '../../src/pmf/index.js';

const step = rational(1n);
const input = makePmf({ step, from: 0, weights: [5n, 1n, 0n, 3n, 1n], left: null, right: null });

function problemOf(objective: string, epsilon: number, delta: number, adjacency: number): ApproximateProblem {
  const goal = parseObjective(objective, step);
  return {
    ...{ adjacency, epsilon, delta, asked: delta, objective: goal },
    ...{ growth: Math.exp(epsilon) * (1 - 2 ** -50), growthUp: Math.exp(epsilon) * (1 + 2 ** -50) },
    ...{ prior: goal.wasserstein > 0 ? input : null, unbiased: false, symmetric: false },
  };
}

/** Duals made worse: each by a factor, and what lies outside of a window forgotten. */
function spoilt(cells: Cells, [y, z, budget]: readonly number[], window: number): Cells {
  const middle = cells.layout.reach;
  return {
    ...cells,
    p: cells.p.map((v, i) => (Math.abs(i - middle) <= window ? v : 0)),
    y: cells.y.map((v) => v * y!),
    shifts: cells.shifts.map((own) => ({
      ...own,
      budget: own.budget * Math.max(z!, budget!),
      z: own.z.map((v, i) => (Math.abs(i - middle) <= window ? v * z! : 0)),
    })),
  };
}

describe('a bound', () => {
  const problems = (
    [
      ['magnitude', 1, 0.01, 3],
      ['variance', 0.5, 0.001, 2],
      ['wasserstein', 0.7, 0.02, 2],
      ['wasserstein,magnitude=0.5', 1.5, 0.001, 4],
    ] as const
  ).map(([objective, epsilon, delta, adjacency]) => {
    const problem = problemOf(objective, epsilon, delta, adjacency);
    const target = { epsilon: parseDecimal(String(epsilon)), delta: parseDecimal(String(delta)), adjacency };
    const { value } = design(
      target,
      {
        objective: problem.objective,
        prior: problem.prior && { pmf: problem.prior, spec: 'input', cut: null },
        ...{ unbiased: false, symmetric: false },
      },
      step,
    );
    const reach = Math.ceil(adjacency * (Math.log1p(Math.expm1(epsilon) / (2 * delta)) / epsilon + 3)) + 5;
    const layouts = [
      freeLayout(adjacency, reach, false),
      tiedLayout(
        adjacency,
        { centre: adjacency, end: reach - 2 * adjacency, reach, growth: problem.growth },
        false,
      ),
    ];
    return {
      problem,
      value,
      reach,
      cells: layouts.map((layout) => solveCells(problem, layout, { tolerance: 1e-9 })),
    };
  });

  it('by the solver’s own duals is near the optimum', () => {
    for (const { problem, value, cells } of problems)
      for (const own of cells) {
        const bound = boundOf(problem, own);
        expect(bound).toBeLessThanOrEqual(value * (1 + 1e-9));
        // On the second layout little is left of the noise, and of some nothing can be proved.
        expect(bound).toBeGreaterThan(own === cells[0] ? value * 0.98 : -1);
      }
  });

  it('by duals that were spoilt is no higher', () => {
    const factor = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.nat({ max: 7 }),
        fc.array(factor, { minLength: 3, maxLength: 3 }),
        factor,
        fc.constantFrom(1, 1, -1),
        (which, [y, z, budget], part, sign) => {
          const { problem, value, reach, cells } = problems[which % problems.length]!;
          const window = Math.round(part * reach);
          const bound = boundOf(problem, spoilt(cells[which % 2]!, [sign * y!, z!, budget!], window));
          expect(bound).toBeLessThanOrEqual(value * (1 + 1e-9));
        },
      ),
      { numRuns: 300 },
    );
  });
});
