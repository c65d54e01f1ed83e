// How far a recovery lands from the truth as a whole: what it does with columns like the recovered one and fresh noise. Each time a
// column is drawn from the recovered distribution and noise on it, and the fit moves as far as its own slope says: one step of Newton's
// method from where it stands, smoothing and all. Of no interval: what smoothing hides is not in it. The draws have a fixed seed.

import { dot, solve } from '../solve/index.js';
import type { Fit } from './fit.js';
import type { Kernel, Support } from './kernel.js';
import { factored } from './newton.js';
import { type Problem, slopeAt } from './problem.js';

export interface Redrawn {
  /** What was recovered, and what should have been. */
  readonly fitted: Float64Array;
  readonly column: Float64Array;
}

/** `kernel` has all cells there are, seen or not. */
export function redraw(
  problem: Problem,
  kernel: Kernel,
  { masses, slacks }: Fit,
  rows: number,
  times: number,
): Redrawn[] {
  const n = kernel.points;
  const draws = drawer();
  const at = slopeAt(problem, masses);
  const matrix = factored(problem, masses, at, slacks);
  const across = masses.slice();
  solve(matrix, n, across);
  const whole = dot(masses, across);
  const likely = kernel.forward(masses);
  const [shares, laws] = [sumsOf(masses), kernel.sparse.map(sumsOf)];
  /** The middle of the path that the fit stands on. */
  const middle = dot(masses, slacks) / n;
  return Array.from({ length: times }, () => {
    const column = new Float64Array(n);
    const counts = new Float64Array(kernel.cells);
    split(rows, shares, draws, column);
    for (let k = 0; k < n; k++) split(column[k]!, laws[k]!, draws, counts);
    const ratios = counts.map((v, j) => (v === 0 ? 0 : v / rows / likely[j]!));
    const slope = kernel.back(ratios);
    const step = slope.map((v, k) => {
      const rough = at.roughness ? problem.smoothing * at.roughness.gradient[k]! : 0;
      return middle + masses[k]! * (v - rough);
    });
    solve(matrix, n, step);
    const excess = dot(masses, step) / whole;
    const fitted = masses.map((mass, k) => mass * (1 + step[k]! - excess * across[k]!));
    return { fitted, column: column.map((v) => v / rows) };
  });
}

/** How far the fits are from the columns they are of: the median of W, in steps. */
export function middleDistance(redrawn: readonly Redrawn[], { apart }: Support): number {
  const distances = redrawn.map(({ fitted, column }) => {
    let [ahead, sum] = [0, 0];
    for (let k = 0; k < fitted.length; k++) {
      ahead += fitted[k]! - column[k]!;
      sum += Math.abs(ahead);
    }
    return sum * apart;
  });
  return distances.sort((a, b) => a - b)[redrawn.length >> 1]!;
}

/** Sums of masses up to each place, from nothing to all. */
function sumsOf(masses: Float64Array): Float64Array {
  const sums = new Float64Array(masses.length + 1);
  for (let k = 0; k < masses.length; k++) sums[k + 1] = sums[k]! + Math.max(0, masses[k]!);
  return sums;
}

/** Rows among cells by halves, and halves of halves: a half without a row is done with. */
function split(rows: number, sums: Float64Array, draws: Drawer, counts: Float64Array): void {
  const halve = (from: number, to: number, own: number): void => {
    if (own === 0) return;
    if (to - from === 1) {
      counts[from]! += own;
      return;
    }
    const middle = (from + to) >> 1;
    const [left, right] = [sums[middle]! - sums[from]!, sums[to]! - sums[middle]!];
    const first = right <= 0 ? own : left <= 0 ? 0 : draws.binomial(own, left / (left + right));
    halve(from, middle, first);
    halve(middle, to, own - first);
  };
  halve(0, sums.length - 1, rows);
}

interface Drawer {
  binomial(n: number, p: number): number;
}

/** Variance above which a binomial law is as good as normal here. */
const MANY = 9;

function drawer(): Drawer {
  const uniform = fromSeed();
  let other: number | null = null;
  const normal = () => {
    if (other !== null) {
      const kept = other;
      other = null;
      return kept;
    }
    const [radius, angle] = [Math.sqrt(-2 * Math.log(uniform())), 2 * Math.PI * uniform()];
    other = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  return {
    binomial(n, p) {
      if (p > 0.5) return n - this.binomial(n, 1 - p);
      const variance = n * p * (1 - p);
      if (variance > MANY) {
        const value = Math.round(n * p + Math.sqrt(variance) * normal());
        return Math.max(0, Math.min(n, value));
      }
      // By the gaps between hits, which are geometric.
      const scale = Math.log1p(-p);
      let hits = -1;
      for (let at = 0; at <= n; hits++) at += Math.floor(Math.log(uniform()) / scale) + 1;
      return hits;
    },
  };
}

/** Numbers between 0 and 1 that are the same every time: sfc32, quick, and no source of noise for anybody's data. */
function fromSeed(): () => number {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  const word = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 16; i++) word();
  return () => ((word() >>> 5) * 2 ** 26 + (word() >>> 6) + 0.5) / 2 ** 53;
}
