// δ > 0: the least harmful (ε, δ)-DP noise as one linear programme in the probabilities themselves, with
// the profile's constraint at every shift. Where the window has too many points, those far from the centre
// and from the ends are tied to each other, and if need be it is solved on cells of several steps: noise
// that is even on each cell, rounded to the lattice, keeps the profile at all shifts, and the duals give
// a bound on the whole lattice (proofs/approximate-noise.md).

import { boundOf } from './approximate-bound.js';
import { type ApproximateProblem, type Cells, solveCells } from './cells.js';
import { freeLayout, type Layout, tiedLayout, workOf } from './layout.js';
import { outlook } from './objective.js';
import { transportOf } from './transport.js';

export interface ApproximateSolution {
  /** Probabilities on −reach … reach, and none beyond. */
  readonly reach: number;
  readonly p: Float64Array;
  /** No noise on the whole lattice costs less. */
  readonly lowerBound: number;
  /** Steps to a cell. */
  readonly grain: number;
  /** Every point for itself, and more would change nothing. */
  readonly isWhole: boolean;
}

/** As well as `work` multiplications to a step of the solver allow. */
export function solveApproximate(
  problem: ApproximateProblem,
  work: number,
  progress: (gap: number) => void = () => {},
): ApproximateSolution {
  const layout = layoutFor(problem, work);
  const exact = layout.adjacency === problem.adjacency;
  const cells = solveCells(problem, layout, {
    tolerance: layout.from === layout.to && exact ? 1e-8 : 1e-7,
    progress,
  });
  return {
    ...lifted(problem, cells),
    lowerBound: boundOf(problem, cells),
    isWhole: exact && layout.from === layout.to,
  };
}

/** Cells to the adjacency at least, where it has that many steps. */
const FEWEST_CELLS = 16;
/** An adjacency of few steps, and how much more work every point for itself is then worth. */
const SMALL = 16;
const MORE = 6;

function layoutFor(problem: ApproximateProblem, work: number): Layout {
  const { adjacency: m, epsilon, delta, growth, symmetric, objective, prior } = problem;
  const { settledFrom } = outlook(objective);
  const width = prior ? transportOf(prior).rows : 0;
  // Noise that falls by e^−ε every adjacency has then so little left that δ covers it; and a few stairs more.
  const stairs = Math.log1p(Math.expm1(epsilon) / (2 * delta)) / epsilon;
  const affordable = (layout: Layout, times = 1) =>
    workOf(layout, (width * layout.adjacency) / m) <= times * work ? layout : null;
  const free = (more: number) => freeLayout(m, Math.ceil(m * (stairs + 3) + settledFrom + more), symmetric);
  const tied = (cells: number, more: number) =>
    tiedLayout(
      cells,
      {
        centre: 1.5 * cells + ((settledFrom + more) * cells) / m,
        end: cells * (stairs - 2.5),
        reach: cells * (stairs + 1.5),
        growth,
      },
      symmetric,
    );
  // Where there is room, noise may be as wide as the data; and a small adjacency is worth some more work.
  const times = m <= SMALL ? MORE : 1;
  const whole =
    affordable(free(width), times) ??
    affordable(free(0), times) ??
    affordable(tied(m, width)) ??
    affordable(tied(m, width / 2)) ??
    affordable(tied(m, 0));
  if (whole) return whole;
  let best = tied(Math.min(m, FEWEST_CELLS), 0);
  for (let cells = FEWEST_CELLS; cells < m; cells++) {
    const next = affordable(tied(cells, 0));
    if (!next) break;
    // Cells of a whole number of steps serve both sides better.
    if (m % cells === 0 || m % best.adjacency !== 0) best = next;
  }
  return best;
}

/** Noise that is even on each cell, rounded to the lattice. */
function lifted({ adjacency: m, symmetric }: ApproximateProblem, { layout, p: masses }: Cells) {
  const grain = m / layout.adjacency;
  if (grain === 1) return { reach: layout.reach, p: masses, grain };
  const reach = Math.ceil((layout.reach + 0.5) * grain + 1);
  const p = new Float64Array(2 * reach + 1);
  const edge = (x: number) => Math.max(0, Math.min(masses.length, x / grain + layout.reach + 0.5));
  for (let k = 0; k <= 2 * reach; k++) {
    const [from, to] = [edge(k - reach - 0.5), edge(k - reach + 0.5)];
    for (let cell = Math.floor(from); cell < to; cell++)
      p[k]! += masses[cell]! * (Math.min(to, cell + 1) - Math.max(from, cell));
  }
  if (symmetric) for (let k = 0; k < reach; k++) p[k] = p[2 * reach - k] = (p[k]! + p[2 * reach - k]!) / 2;
  return { reach, p, grain };
}
