// Rows that tie two near variables together, and the symmetric band they make: its factor L·Lᵀ, scaled to a diagonal of ones.

export interface NearRows {
  /** Row r is a[r]·x(i[r]) + b[r]·x(j[r]). */
  readonly i: Int32Array;
  readonly j: Int32Array;
  /** Row values of a vector. */
  apply(x: Float64Array): Float64Array;
  /** The transpose. */
  gather(u: Float64Array): Float64Array;
  /** The largest |i − j|. */
  readonly width: number;
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** Rows of two entries each, as an operator. */
export function nearRows(
  rows: readonly { i: number; a: number; j: number; b: number }[],
  variables: number,
): NearRows {
  const i = Int32Array.from(rows, (row) => row.i);
  const j = Int32Array.from(rows, (row) => row.j);
  const a = Float64Array.from(rows, (row) => row.a);
  const b = Float64Array.from(rows, (row) => row.b);
  const width = rows.reduce((most, row) => Math.max(most, Math.abs(row.i - row.j)), 0);
  return {
    ...{ i, j, a, b, width },
    apply(x) {
      const out = new Float64Array(i.length);
      for (let r = 0; r < out.length; r++) out[r] = a[r]! * x[i[r]!]! + b[r]! * x[j[r]!]!;
      return out;
    },
    gather(u) {
      const out = new Float64Array(variables);
      for (let r = 0; r < u.length; r++) {
        const v = u[r]!;
        out[i[r]!]! += a[r]! * v;
        out[j[r]!]! += b[r]! * v;
      }
      return out;
    },
  };
}

/** What is added to the scaled diagonal: the caller refines its solutions. */
const REGULARISATION = 1e-12;

export interface Banded {
  /** Of Σ_r ratio·rowᵀ·row. */
  factor(ratios: Float64Array): void;
  /** In place: L⁻¹·b of the unscaled matrix, and L⁻ᵀ·b. */
  solveLower(b: Float64Array): void;
  solveUpper(b: Float64Array): void;
}

export function bandedOf({ i, j, a, b, width }: NearRows, N: number): Banded {
  // Row k of the lower triangle, from k − width to k, one after the other.
  const w = width + 1;
  const band = new Float64Array(N * w);
  const scale = new Float64Array(N);
  return {
    factor(ratios) {
      band.fill(0);
      for (let r = 0; r < i.length; r++) {
        const [u, v, d] = [i[r]!, j[r]!, ratios[r]!];
        band[u * w + width]! += d * a[r]! * a[r]!;
        band[v * w + width]! += d * b[r]! * b[r]!;
        const [low, high] = u < v ? [u, v] : [v, u];
        band[high * w + width - (high - low)]! += d * a[r]! * b[r]!;
      }
      for (let k = 0; k < N; k++) scale[k] = 1 / Math.sqrt(band[k * w + width]!);
      for (let k = 0; k < N; k++)
        for (let l = Math.max(0, k - width); l <= k; l++)
          band[k * w + width - (k - l)]! *= scale[k]! * scale[l]!;
      for (let k = 0; k < N; k++) {
        const row = k * w + width - k;
        band[row + k]! += REGULARISATION;
        const first = Math.max(0, k - width);
        for (let l = first; l <= k; l++) {
          const other = l * w + width - l;
          let sum = band[row + l]!;
          for (let t = Math.max(first, l - width); t < l; t++) sum -= band[row + t]! * band[other + t]!;
          band[row + l] = l === k ? Math.sqrt(Math.max(sum, 1e-30)) : sum / band[other + l]!;
        }
      }
    },
    solveLower(x) {
      for (let k = 0; k < N; k++) {
        const row = k * w + width - k;
        let sum = x[k]! * scale[k]!;
        for (let t = Math.max(0, k - width); t < k; t++) sum -= band[row + t]! * x[t]!;
        x[k] = sum / band[row + k]!;
      }
    },
    solveUpper(x) {
      for (let k = N - 1; k >= 0; k--) {
        const row = k * w + width - k;
        const v = x[k]! / band[row + k]!;
        x[k] = v * scale[k]!;
        for (let t = Math.max(0, k - width); t < k; t++) x[t]! -= band[row + t]! * v;
      }
    },
  };
}
