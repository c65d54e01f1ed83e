// δ > 0: the least harmful (ε, δ)-DP noise as one linear programme in the probabilities themselves, with
// the profile's constraint at every shift. Where the window has too many points, those far from the centre
// and from the ends are tied to each other, and if need be it is solved on cells of several steps: noise
// that is even on each cell, rounded to the lattice, keeps the profile at all shifts, and the duals give
// a bound on the whole lattice (proofs/approximate-noise.md).

import { boundOf } from './approximate-bound.js';
import { type ApproximateProblem, type Cells, solveCells, type Watch } from './cells.js';
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
}

/** A way to lay a programme out, and the multiplications of a step of the solver, about. */
export interface Rung {
  readonly layout: Layout;
  readonly work: number;
}

export function solveApproximate(
  problem: ApproximateProblem,
  layout: Layout,
  watch: Watch = {},
): ApproximateSolution {
  const cells = solveCells(problem, layout, { tolerance: 1e-9, ...watch });
  return { ...lifted(problem, cells), lowerBound: boundOf(problem, cells) };
}

/** Cells to the adjacency at least, where it has that many steps. */
const FEWEST_CELLS = 16;
/** In stairs of e^−1, how much further cells reach where the cost does not grow. */
const LASTING = 14;
/** An adjacency of so few steps is solved point by point where `MORE` times the work allows. */
const SMALL = 16;
const MORE = 6;

/**
 * From the quickest to the most exact: the first has `work` multiplications a step of the solver, or little more or less. Where the
 * cost does not grow, cells that end early say nothing of those that would follow: then once more with cells that go on.
 */
export function ladderOf(problem: ApproximateProblem, work: number): Rung[] {
  const { objective, epsilon } = problem;
  const { steep } = outlook(objective);
  const grows = steep || objective.magnitude + objective.wasserstein > 0;
  return [0, ...(grows ? [] : [LASTING / epsilon])].flatMap((further) => rungsOf(problem, work, further));
}

function rungsOf(problem: ApproximateProblem, work: number, further: number): Rung[] {
  const { adjacency: m, epsilon, delta, growth, symmetric, objective, prior } = problem;
  const { settledFrom } = outlook(objective);
  const width = prior ? transportOf(prior).rows : 0;
  // Noise that falls by e^−ε every adjacency has then so little left that δ covers it; and a few stairs more.
  const stairs = Math.log1p(Math.expm1(epsilon) / (2 * delta)) / epsilon + further;
  const rung = (layout: Layout): Rung => ({ layout, work: workOf(layout, (width * layout.adjacency) / m) });
  // Where there is room, noise may be as wide as the data.
  const free = (more: number) =>
    rung(freeLayout(m, Math.ceil(m * (stairs + 3) + settledFrom + more), symmetric));
  const tied = (cells: number, more = 0) =>
    rung(
      tiedLayout(
        cells,
        {
          centre: 1.5 * cells + ((settledFrom + more) * cells) / m,
          end: cells * (stairs - 2.5),
          reach: cells * (stairs + 1.5),
          growth,
        },
        symmetric,
      ),
    );
  if (m <= SMALL) {
    const whole = [free(width), free(0)].find((one) => one.work <= MORE * work);
    if (whole) return [whole];
  }
  // Cells of a whole number of steps serve both sides better.
  const divisors = Array.from({ length: m - 1 }, (_, i) => i + 1).filter(
    (cells) => cells >= Math.min(FEWEST_CELLS, m) && m % cells === 0,
  );
  const coarse = divisors.map((cells) => tied(cells));
  if (coarse.length === 0 && m > FEWEST_CELLS) {
    const most = Array.from({ length: m - FEWEST_CELLS }, (_, i) => FEWEST_CELLS + i);
    coarse.push(most.map((cells) => tied(cells)).findLast((one) => one.work <= work) ?? tied(FEWEST_CELLS));
  }
  const all = [...coarse, tied(m), tied(m, width / 2), tied(m, width), free(0), free(width)];
  // Of those that are nearly as much work, the last is the most exact.
  const rising = all.filter((one, i) => i === all.length - 1 || all[i + 1]!.work > 1.2 * one.work);
  const first = rising.findLastIndex((one) => one.work <= work);
  return rising.slice(Math.max(0, first));
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
