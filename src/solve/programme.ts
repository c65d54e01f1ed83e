// A linear programme in doubles, and its rows as an operator:
//
//   minimise  linear·x + Σ_dense |r·x|   where  sparse rows ≤ 0 (hard), or Σ of their positive parts ≤ δ
//   (by group),  and equalities hold.

import { fastProducts } from './kernels.js';
import { combine, dots } from './products.js';

export interface Programme {
  readonly linear: Float64Array;
  /** For each variable its coefficients in the rows whose absolute values are summed. */
  readonly dense: readonly Float64Array[];
  readonly sparse: SparseRows;
  /** The bound on Σ of the positive parts of each group's rows. */
  readonly budgets: readonly number[];
  /** What a unit more of a budget would save, at the most and about: where its dual begins. */
  readonly price?: number | undefined;
  readonly equalities: readonly { readonly row: Float64Array; readonly value: number }[];
}

/** Rows a·x(i) + b·x(j), one or two terms (j = −1: one); group −1 is hard: the row is at most 0. */
export interface SparseRows {
  readonly i: Int32Array;
  readonly j: Int32Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly group: Int32Array;
}

/** How many rows are dense; the sparse ones follow them. */
export function denseRows({ dense }: Programme): number {
  return dense[0]?.length ?? 0;
}

/** The group of each row: −1 for dense rows and for hard ones. */
export function groupOfRow({ sparse }: Programme, row: number, n: number): number {
  return row < n ? -1 : sparse.group[row - n]!;
}

/** Row values of a vector: dense rows first, then sparse ones. */
export function apply(programme: Programme, v: Float64Array): Float64Array {
  const { dense, sparse } = programme;
  const n = denseRows(programme);
  const out = new Float64Array(n + sparse.i.length);
  if (n > 0) combine(dense, v, n, out);
  for (let r = 0; r < sparse.i.length; r++) {
    const j = sparse.j[r]!;
    out[n + r] = sparse.a[r]! * v[sparse.i[r]!]! + (j < 0 ? 0 : sparse.b[r]! * v[j]!);
  }
  return out;
}

/** The transpose: row multipliers to variables. */
export function gather(programme: Programme, u: Float64Array): Float64Array {
  const { linear, dense, sparse } = programme;
  const n = denseRows(programme);
  const out = new Float64Array(linear.length);
  if (n > 0) dots(dense, u, n, out);
  for (let r = 0; r < sparse.i.length; r++) {
    const [j, v] = [sparse.j[r]!, u[n + r]!];
    out[sparse.i[r]!]! += sparse.a[r]! * v;
    if (j >= 0) out[j]! += sparse.b[r]! * v;
  }
  return out;
}

/** The lower triangle of Aᵀ·W·A. */
export function assemble(programme: Programme, weights: Float64Array, matrix: Float64Array): void {
  const { linear, dense, sparse } = programme;
  const [n, N] = [denseRows(programme), linear.length];
  matrix.fill(0);
  if (n > 0) setSquares(dense, weights, matrix);
  for (let r = 0; r < sparse.i.length; r++) {
    const [i, j, a, b, w] = [sparse.i[r]!, sparse.j[r]!, sparse.a[r]!, sparse.b[r]!, weights[n + r]!];
    matrix[i * N + i]! += w * a * a;
    if (j < 0) continue;
    matrix[j * N + j]! += w * b * b;
    if (i === j) matrix[i * N + i]! += 2 * w * a * b;
    else matrix[i > j ? i * N + j : j * N + i]! += w * a * b;
  }
}

/** Set the lower triangle of Cᵀ·W·C, of a matrix by its columns. */
export function setSquares(
  columns: readonly Float64Array[],
  weights: Float64Array,
  matrix: Float64Array,
): void {
  if (fastProducts(columns, weights.map(Math.sqrt), matrix)) return;
  const N = columns.length;
  const scaled = columns.map((column) => column.map((v, k) => v * weights[k]!));
  // Only where both are more than 0: columns are often short.
  const first = Int32Array.from(columns, (column) => Math.max(0, column.findIndex(isNotZero)));
  const last = Int32Array.from(columns, (column) => column.findLastIndex(isNotZero));
  // Two rows by two columns at a time: each value loaded serves twice.
  for (let i = 0; i < N; i += 2) {
    const next = Math.min(i + 1, N - 1);
    const u0 = scaled[i]!;
    const u1 = scaled[next]!;
    for (let j = 0; j <= i; j += 2) {
      const after = Math.min(j + 1, N - 1);
      const v0 = columns[j]!;
      const v1 = columns[after]!;
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      const from = Math.max(Math.min(first[i]!, first[next]!), Math.min(first[j]!, first[after]!));
      const to = Math.min(Math.max(last[i]!, last[next]!), Math.max(last[j]!, last[after]!));
      for (let k = from; k <= to; k++) {
        const x0 = u0[k]!;
        const x1 = u1[k]!;
        const y0 = v0[k]!;
        const y1 = v1[k]!;
        s00 += x0 * y0;
        s01 += x0 * y1;
        s10 += x1 * y0;
        s11 += x1 * y1;
      }
      matrix[i * N + j] = s00;
      if (j < i) matrix[i * N + j + 1] = s01;
      if (i + 1 < N) {
        matrix[(i + 1) * N + j] = s10;
        matrix[(i + 1) * N + j + 1] = s11;
      }
    }
  }
}

const isNotZero = (v: number) => v !== 0;

/** u·v */
export function dot(u: Float64Array, v: Float64Array): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  const n = u.length;
  for (; k + 3 < n; k += 4) {
    s0 += u[k]! * v[k]!;
    s1 += u[k + 1]! * v[k + 1]!;
    s2 += u[k + 2]! * v[k + 2]!;
    s3 += u[k + 3]! * v[k + 3]!;
  }
  for (; k < n; k++) s0 += u[k]! * v[k]!;
  return s0 + s1 + s2 + s3;
}
