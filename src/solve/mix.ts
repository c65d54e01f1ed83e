// The best mix of a few laws to second order: minimise ½·xᵀHx − gain·x over x ≥ 0 with Σ x = 1, by active sets; H(a, b) is the sum of
// weight·law_a·law_b over all cells.

import { factor, solve } from './cholesky.js';
import { setSquares } from './programme.js';

/** What keeps laws that are nearly alike apart, relative to the largest. */
const RIDGE = 1e-11;
const MOST_ROUNDS = 200;

/** From a mix that is given, whose positive shares are free at first. */
export function bestMix(
  laws: readonly Float64Array[],
  weights: Float64Array,
  gain: Float64Array,
  start: Float64Array,
): Float64Array {
  const n = laws.length;
  const H = new Float64Array(n * n);
  setSquares(laws, weights, H);
  let most = 0;
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < a; b++) H[b * n + a] = H[a * n + b]!;
    most = Math.max(most, H[a * n + a]!);
  }
  for (let a = 0; a < n; a++) H[a * n + a]! += RIDGE * most;
  const x = start.slice();
  const isFree = Array.from(x, (v) => v > 0);
  const tolerance = 1e-10 * (1 + gain.reduce((a, b) => Math.max(a, Math.abs(b)), 0));
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const free = [...x.keys()].filter((i) => isFree[i]);
    const { wanted, level } = evened(H, n, gain, free);
    // As far as nothing becomes negative.
    let [length, blocking] = [1, -1];
    free.forEach((i, f) => {
      const d = wanted[f]! - x[i]!;
      if (wanted[f]! < 0 && -x[i]! / d < length) [length, blocking] = [-x[i]! / d, i];
    });
    free.forEach((i, f) => {
      x[i]! += length * (wanted[f]! - x[i]!);
    });
    if (blocking >= 0) {
      x[blocking] = 0;
      isFree[blocking] = false;
      continue;
    }
    // Which of the others would be better with a share?
    let [best, own] = [tolerance, -1];
    for (let i = 0; i < n; i++) {
      if (isFree[i]) continue;
      let slope = gain[i]! - level;
      for (const j of free) slope -= H[i * n + j]! * x[j]!;
      if (slope > best) [best, own] = [slope, i];
    }
    if (own < 0) break;
    isFree[own] = true;
  }
  return x;
}

/** The best mix of the free ones, of any sign; their gains less what they cost are then level. */
function evened(
  H: Float64Array,
  n: number,
  gain: Float64Array,
  free: readonly number[],
): { readonly wanted: Float64Array; readonly level: number } {
  const m = free.length;
  const matrix = new Float64Array(m * m);
  for (let a = 0; a < m; a++) for (let b = 0; b <= a; b++) matrix[a * m + b] = H[free[a]! * n + free[b]!]!;
  factor(matrix, m);
  const wanted = Float64Array.from(free, (i) => gain[i]!);
  const across = new Float64Array(m).fill(1);
  solve(matrix, m, wanted);
  solve(matrix, m, across);
  const sum = (v: Float64Array) => v.reduce((a, b) => a + b, 0);
  const level = (sum(wanted) - 1) / sum(across);
  return { wanted: wanted.map((v, i) => v - level * across[i]!), level };
}
