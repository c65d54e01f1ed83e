// Products of long vectors, in loops that keep the processor busy.

import { fastProducts } from './kernels.js';

/** u·v */
export function inner(u: Float64Array, v: Float64Array): number {
  let [s0, s1, k] = [0, 0, 0];
  const n = u.length;
  for (; k + 1 < n; k += 2) {
    s0 += u[k]! * v[k]!;
    s1 += u[k + 1]! * v[k + 1]!;
  }
  if (k < n) s0 += u[k]! * v[k]!;
  return s0 + s1;
}

/** to += factor·v, in place. */
export function addTimes(to: Float64Array, v: Float64Array, factor: number): void {
  if (factor !== 0) for (let k = 0; k < to.length; k++) to[k]! += factor * v[k]!;
}

/** The products of u with each of the columns, up to u's first n entries; four at a time, none of which waits for another. */
export function dots(columns: readonly Float64Array[], u: Float64Array, n: number, out: Float64Array): void {
  let j = 0;
  for (; j + 3 < columns.length; j += 4) {
    const [a, b, c, d] = [columns[j]!, columns[j + 1]!, columns[j + 2]!, columns[j + 3]!];
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let k = 0; k < n; k++) {
      const v = u[k]!;
      s0 += a[k]! * v;
      s1 += b[k]! * v;
      s2 += c[k]! * v;
      s3 += d[k]! * v;
    }
    out[j] = s0;
    out[j + 1] = s1;
    out[j + 2] = s2;
    out[j + 3] = s3;
  }
  for (; j < columns.length; j++) {
    const a = columns[j]!;
    let sum = 0;
    for (let k = 0; k < n; k++) sum += a[k]! * u[k]!;
    out[j] = sum;
  }
}

/** out += Σ v_j·column_j, for the first n entries; four at a time, so that out is passed over less often. */
export function combine(
  columns: readonly Float64Array[],
  v: Float64Array,
  n: number,
  out: Float64Array,
): void {
  let j = 0;
  for (; j + 3 < columns.length; j += 4) {
    const [v0, v1, v2, v3] = [v[j]!, v[j + 1]!, v[j + 2]!, v[j + 3]!];
    if (v0 === 0 && v1 === 0 && v2 === 0 && v3 === 0) continue;
    const [a, b, c, d] = [columns[j]!, columns[j + 1]!, columns[j + 2]!, columns[j + 3]!];
    for (let k = 0; k < n; k++) out[k]! += v0 * a[k]! + v1 * b[k]! + (v2 * c[k]! + v3 * d[k]!);
  }
  for (; j < columns.length; j++) {
    const [a, factor] = [columns[j]!, v[j]!];
    if (factor !== 0) for (let k = 0; k < n; k++) out[k]! += factor * a[k]!;
  }
}

/** Variables at a time, so that what is multiplied stays near. */
const CHUNK = 384;

/** The lower triangle of V·Vᵀ. */
export function innerProducts(V: readonly Float64Array[], K: Float64Array, R: number): void {
  if (!fastProducts(V, null, K)) plainProducts(V, K, R);
}

/** Four rows by two at a time, where WebAssembly is not to be had. */
export function plainProducts(V: readonly Float64Array[], K: Float64Array, R: number): void {
  const N = V[0]?.length ?? 0;
  K.fill(0);
  for (let start = 0; start < N; start += CHUNK) {
    const end = Math.min(N, start + CHUNK);
    for (let i = 0; i < R; i += 4) {
      const a0 = V[i]!;
      const a1 = V[Math.min(i + 1, R - 1)]!;
      const a2 = V[Math.min(i + 2, R - 1)]!;
      const a3 = V[Math.min(i + 3, R - 1)]!;
      const rows = Math.min(4, R - i);
      for (let j = 0; j < i + rows; j += 2) {
        const b0 = V[j]!;
        const b1 = V[Math.min(j + 1, R - 1)]!;
        let s00 = 0;
        let s01 = 0;
        let s10 = 0;
        let s11 = 0;
        let s20 = 0;
        let s21 = 0;
        let s30 = 0;
        let s31 = 0;
        for (let k = start; k < end; k++) {
          const q0 = b0[k]!;
          const q1 = b1[k]!;
          const p0 = a0[k]!;
          const p1 = a1[k]!;
          const p2 = a2[k]!;
          const p3 = a3[k]!;
          s00 += p0 * q0;
          s01 += p0 * q1;
          s10 += p1 * q0;
          s11 += p1 * q1;
          s20 += p2 * q0;
          s21 += p2 * q1;
          s30 += p3 * q0;
          s31 += p3 * q1;
        }
        const both = j + 1 < R;
        K[i * R + j]! += s00;
        if (both) K[i * R + j + 1]! += s01;
        if (rows > 1) K[(i + 1) * R + j]! += s10;
        if (rows > 1 && both) K[(i + 1) * R + j + 1]! += s11;
        if (rows > 2) K[(i + 2) * R + j]! += s20;
        if (rows > 2 && both) K[(i + 2) * R + j + 1]! += s21;
        if (rows > 3) K[(i + 3) * R + j]! += s30;
        if (rows > 3 && both) K[(i + 3) * R + j + 1]! += s31;
      }
    }
  }
}
