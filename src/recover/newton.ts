// One step of Newton's method on the simplex: (KᵀCK + smoothing·R + Z/Π)·d = −(∇F − μ/π) with Σ d = 0.

import { dot, factor, setSquares, solve } from '../solve/index.js';
import type { Problem, Slope } from './problem.js';

export function newtonStep(
  problem: Problem,
  masses: Float64Array,
  at: Slope,
  slacks: Float64Array,
  mu: number,
): Float64Array {
  const n = masses.length;
  const matrix = factored(problem, masses, at, slacks);
  const right = at.gradient.map((g, k) => mu - masses[k]! * g);
  const across = masses.slice();
  solve(matrix, n, right);
  solve(matrix, n, across);
  const excess = dot(masses, right) / dot(masses, across);
  return right.map((e, k) => masses[k]! * (e - excess * across[k]!));
}

/** The matrix in shares of the masses, d = π·e, whose sizes are alike; factored. */
export function factored(
  { kernel, smoothing }: Problem,
  masses: Float64Array,
  { curvature, roughness }: Slope,
  slacks: Float64Array,
): Float64Array {
  const n = masses.length;
  const matrix = new Float64Array(n * n);
  setSquares(kernel.sparse, curvature, matrix);
  for (let i = 0; i < n; i++)
    for (let d = 0; d <= i; d++) {
      const rough = roughness && d <= 2 ? smoothing * roughness.band[3 * i + d]! : 0;
      matrix[i * n + i - d] = (matrix[i * n + i - d]! + rough) * masses[i]! * masses[i - d]!;
    }
  for (let k = 0; k < n; k++) matrix[k * n + k]! += slacks[k]! * masses[k]!;
  factor(matrix, n);
  return matrix;
}
