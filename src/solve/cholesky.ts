// Dense symmetric systems in doubles: M = L·Lᵀ in place, row by row, and its solution.

import { fastFactor } from './kernels.js';

/** What is added to the diagonal, relative to it: the caller refines its solutions. */
const REGULARISATION = 1e-13;

/** Overwrite the lower triangle of M (order n, by rows) with its factor; a vanishing pivot is held up. */
export function factor(matrix: Float64Array, n: number): void {
  if (!fastFactor(matrix, n, REGULARISATION)) plainFactor(matrix, n);
}

/** Where WebAssembly is not to be had. */
export function plainFactor(matrix: Float64Array, n: number): void {
  // What is 0 before the first entry of a row stays so.
  const first = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    while (first[i]! < i && matrix[row + first[i]!] === 0) first[i]!++;
    matrix[row + i]! *= 1 + REGULARISATION;
    const least = matrix[row + i]! * REGULARISATION + Number.MIN_VALUE;
    for (let j = first[i]!; j <= i; j++) {
      const other = j * n;
      let sum = matrix[row + j]!;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let k = Math.max(first[i]!, first[j]!);
      for (; k + 3 < j; k += 4) {
        sum -= matrix[row + k]! * matrix[other + k]!;
        s1 += matrix[row + k + 1]! * matrix[other + k + 1]!;
        s2 += matrix[row + k + 2]! * matrix[other + k + 2]!;
        s3 += matrix[row + k + 3]! * matrix[other + k + 3]!;
      }
      for (; k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!;
      sum -= s1 + s2 + s3;
      if (i === j) matrix[row + j] = Math.sqrt(Math.max(sum, least));
      else matrix[row + j] = sum / matrix[other + j]!;
    }
  }
}

/** Solve L·Lᵀ·x = b in place. */
export function solve(matrix: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = x[i]!;
    for (let k = 0; k < i; k++) sum -= matrix[i * n + k]! * x[k]!;
    x[i] = sum / matrix[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    const v = x[i]! / matrix[i * n + i]!;
    x[i] = v;
    for (let k = 0; k < i; k++) x[k]! -= matrix[i * n + k]! * v;
  }
}

/** M·v, of a symmetric M by its lower triangle. */
export function product(matrix: Float64Array, n: number, v: Float64Array): Float64Array {
  const result = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const factor = v[i]!;
    let sum = 0;
    for (let k = 0; k < i; k++) {
      const entry = matrix[i * n + k]!;
      sum += entry * v[k]!;
      result[k]! += entry * factor;
    }
    result[i]! += sum + matrix[i * n + i]! * factor;
  }
  return result;
}
