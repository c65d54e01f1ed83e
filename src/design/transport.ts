// The Wasserstein distance of input + noise from the input, seen from both sides of its duality:
// W = Σ_k |F_x(k) − F_{x+θ}(k)| = max over |y| ≤ 1 of Σ_k y_k (F_x(k) − F_{x+θ}(k)). Left of the input's
// range y is −1 and right of it +1, so only the rows within it are open. All in steps, in doubles.

import { invalid } from '../error/index.js';
import { convolveDoubles, DIRECT, lastIndex, type Pmf, probabilities } from '../pmf/index.js';

export interface Transport {
  /** Open rows: one less than the points from the first to the last of the input's range. */
  readonly rows: number;
  /** For a noise (or a part of one) on −reach … reach: F_x − F_{x+θ} on the open rows, and Σ |F_x − F_{x+θ}| over all others. */
  residual(noise: NoiseDoubles): { readonly open: Float64Array; readonly outside: number };
  /** The cost of each noise value j from −reach to reach under the dual y, good to error·|j|. */
  cost(y: Float64Array, reach: number): { readonly values: Float64Array; readonly error: number };
}

/** Probabilities on −reach … reach, and on either side what lies beyond: its mass and Σ mass·(distance − reach). */
export interface NoiseDoubles {
  readonly reach: number;
  readonly p: Float64Array;
  readonly left: TailMass;
  readonly right: TailMass;
}

export interface TailMass {
  readonly mass: number;
  readonly excess: number;
}

/** `reach` of any noise that is asked about must be at least the input's range. */
export function transportOf(input: Pmf): Transport {
  if (input.left || input.right) throw invalid('transportOf: expected an input without tails');
  const { p } = probabilities(input, input.from, lastIndex(input));
  const rows = p.length - 1;
  const cumulative = prefixSums(p);
  const tail = suffixSums(p);
  // Σ_{i ≤ t} F(i) and Σ_{i ≥ t} (1 − F(i)) within the range
  const below = prefixSums(cumulative);
  const above = suffixSums(tail.map((_, i) => (i < rows ? tail[i + 1]! : 0)));
  const mirrored = p.slice().reverse();
  const beyondLeft = (j: number) =>
    j >= 0 ? 0 : -j - 1 <= rows ? below[-j - 1]! : below[rows]! + (-j - 1 - rows);
  const beyondRight = (j: number) => (j <= 0 ? 0 : j <= rows ? above[rows - j]! : above[0]! + (j - rows));
  return {
    rows,
    residual({ reach, p: whole, left, right }) {
      // A noise value of 0 moves nothing: left out, the small rest keeps its digits.
      const noise = whole.slice();
      noise[reach] = 0;
      let mass = left.mass + right.mass;
      for (const v of noise) mass += v;
      // F_{x+θ}(k) = Σ_i p_x(i)·P(θ ≤ k − i): sum masses of x + θ at 0 … rows − 1, then accumulate from both ends.
      const lower = noise.subarray(reach - rows, reach + rows);
      const { sums } = convolve(p, lower);
      let below0 = left.mass;
      for (let j = 0; j < reach - rows; j++) below0 += noise[j]!;
      // P(x + θ < 0), from noise values −rows … −1 against the input, and everything below.
      let start = below0;
      for (let j = 1; j <= rows; j++) start += noise[reach - j]! * cumulative[j - 1]!;
      const open = new Float64Array(rows);
      let total = start;
      for (let k = 0; k < rows; k++) {
        total += sums[k + rows]!;
        open[k] = mass * cumulative[k]! - total;
      }
      let outside = 0;
      for (let j = 1; j <= reach; j++)
        outside += noise[reach - j]! * beyondLeft(-j) + noise[reach + j]! * beyondRight(j);
      outside += left.mass * beyondLeft(-reach) + left.excess;
      outside += right.mass * beyondRight(reach) + right.excess;
      return { open, outside };
    },
    cost(y, reach) {
      // c(0) = 0 and c(j + 1) − c(j) = D(j) = Σ_k y_k p(k − j) over all k, −1 and +1 beyond the open rows
      // included: summed up outward from 0, small costs stay accurate. y + 1 keeps the sums positive.
      const values = new Float64Array(2 * reach + 1);
      const raised = y.map((v) => v + 1);
      const { sums, error } = convolve(mirrored, raised);
      const slope = (j: number) => {
        // Right of the open rows y + 1 is 2.
        const right = j < 0 ? 0 : j >= rows ? 1 : tail[rows - j]!;
        return (sums[rows + j] ?? 0) + 2 * right - 1;
      };
      const outward = (from: number, sign: 1 | -1) => {
        const slopes = new Float64Array(reach);
        for (let i = 0; i < reach; i++) slopes[i] = sign * slope(from + sign * i);
        return prefixSums(slopes);
      };
      values.set(outward(0, 1), reach + 1);
      values.set(outward(-1, -1).reverse(), 0);
      return { values, error: error + 2 ** -49 };
    },
  };
}

/** Compensated: each sum is good to two roundings. */
export function prefixSums(p: Float64Array): Float64Array {
  let [sum, rest] = [0, 0];
  const sums = new Float64Array(p.length);
  for (let i = 0; i < p.length; i++) {
    const v = p[i]!;
    const next = sum + v;
    rest += Math.abs(sum) >= Math.abs(v) ? sum - next + v : v - next + sum;
    sum = next;
    sums[i] = sum + rest;
  }
  return sums;
}

export function suffixSums(p: Float64Array): Float64Array {
  return prefixSums(p.slice().reverse()).reverse();
}

/**
 * Σ p·other, and a bound on its rounding errors. Where `other` changes seldom, its changes are summed up again. Of an input of few
 * values far apart only these count.
 */
export function convolve(p: Float64Array, other: Float64Array): { sums: Float64Array; error: number } {
  const atoms = atomsOf(p);
  let changes = 2;
  let largest = 0;
  for (let i = 0; i < other.length; i++) {
    largest = Math.max(largest, Math.abs(other[i]!));
    if (i > 0 && other[i] !== other[i - 1]) changes++;
  }
  const size = p.length + other.length;
  const unit = 2 ** -52 * largest;
  // About what each way costs, in multiplications.
  const [byChanges, directly, byTransform] = [
    changes * atoms.length,
    atoms.length * other.length,
    60 * size * Math.log2(size),
  ];
  if (byChanges > Math.min(directly / 2, byTransform)) {
    const most = Math.min(atoms.length, other.length);
    if (directly <= Math.max(DIRECT, byTransform))
      return { sums: convolveAtoms(p, atoms, other), error: unit * most };
    const norm = Math.sqrt(p.reduce((s, v) => s + v * v, 0) * other.reduce((s, v) => s + v * v, 0));
    const error = 2 ** -53 * 16 * Math.log2(2 * size) * norm;
    return { sums: convolveDoubles(p, other), error };
  }
  const sums = new Float64Array(size);
  for (let i = 0; i <= other.length; i++) {
    const jump = (other[i] ?? 0) - (other[i - 1] ?? 0);
    if (jump !== 0) for (const k of atoms) sums[i + k]! += jump * p[k]!;
  }
  return { sums: prefixSums(sums).subarray(0, size - 1), error: unit * (8 + changes * changes) };
}

/** Where there is mass at all: of long inputs, often in few places. */
function atomsOf(p: Float64Array): Uint32Array {
  let count = 0;
  for (const v of p) if (v !== 0) count++;
  const atoms = new Uint32Array(count);
  for (let k = 0, n = 0; n < count; k++) if (p[k] !== 0) atoms[n++] = k;
  return atoms;
}

function convolveAtoms(p: Float64Array, atoms: Uint32Array, other: Float64Array): Float64Array {
  const sums = new Float64Array(p.length + other.length - 1);
  for (const k of atoms) {
    const v = p[k]!;
    for (let j = 0; j < other.length; j++) sums[k + j]! += v * other[j]!;
  }
  return sums;
}
