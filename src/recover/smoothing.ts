// How smooth, from the noisy data alone: what predicts best. Akaike's criterion, −2n·likelihood + 2·degrees of freedom, is an
// estimate of how well fresh noise on the same column would be foretold; the degrees of freedom of a smoothed fit are the trace of
// (KᵀCK + smoothing·R + Z/Π)⁻¹·KᵀCK. They count 1.4 times, as in [KG04], which takes away most of the rare fits
// that are far too rough.

import { dot } from '../solve/index.js';
import { type Fit, fit } from './fit.js';
import { factored } from './newton.js';
import { type Problem, slopeAt } from './problem.js';

/** What one degree of freedom counts. */
const INFLATION = 1.4;
/** A tenth of a millionth to a hundred million, two to a decade. */
const GRID = Array.from({ length: 31 }, (_, i) => 10 ** (8 - i / 2));
/** Rougher ones that were worse in a row, after which no better one is expected. */
const PATIENCE = 5;
/** Enough for a comparison. */
const ACCURATE = 1e-6;

export interface Smoothed {
  readonly smoothing: number;
  readonly degrees: number;
}

/** The best smoothing for n rows, from very smooth to none. */
export function chooseSmoothing(problem: Omit<Problem, 'smoothing'>, rows: number): Smoothed {
  let best: (Smoothed & { criterion: number }) | null = null;
  let since = 0;
  let start: Fit | undefined;
  const tolerance = Math.min(ACCURATE, 0.01 / rows);
  for (const smoothing of [...GRID, 0]) {
    const own = { ...problem, smoothing };
    const found = fit(own, tolerance, start);
    start = found;
    const degrees = degreesOf(own, found);
    const criterion = 2 * (INFLATION * degrees - rows * found.likelihood);
    if (Number.isFinite(criterion) && (!best || criterion < best.criterion)) {
      best = { smoothing, degrees, criterion };
      since = 0;
    } else if (++since >= PATIENCE) break;
  }
  // Nothing that can be compared: none.
  return best
    ? { smoothing: best.smoothing, degrees: best.degrees }
    : { smoothing: 0, degrees: problem.kernel.points };
}

/** Σ_j c_j·k_jᵀ·(A⁻¹ on Σ = 0)·k_j, with k_j the rows of K. */
export function degreesOf(problem: Problem, { masses, slacks }: Fit): number {
  const { sparse, cells, points: n } = problem.kernel;
  const at = slopeAt(problem, masses);
  const factor = factored(problem, masses, at, slacks);
  const across = lower(factor, n, masses.slice());
  const square = dot(across, across);
  let sum = 0;
  for (let j = 0; j < cells; j++) {
    const y = lower(
      factor,
      n,
      Float64Array.from(sparse, (column, k) => column[j]! * masses[k]!),
    );
    sum += at.curvature[j]! * (dot(y, y) - dot(y, across) ** 2 / square);
  }
  return sum;
}

/** L⁻¹·x in place. */
function lower(factor: Float64Array, n: number, x: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    let sum = x[i]!;
    for (let k = 0; k < i; k++) sum -= factor[i * n + k]! * x[k]!;
    x[i] = sum / factor[i * n + i]!;
  }
  return x;
}
