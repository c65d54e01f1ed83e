// Level functions as columns of the master: what each costs, and how far it takes the output from the input.

import type { Closeness } from './closeness.js';
import type { PointCosts } from './level-function.js';
import type { Column } from './master.js';
import { costAt, growthBeyond, type Objective } from './objective.js';
import type { NoiseDoubles, TailMass, Transport } from './transport.js';

export interface LevelColumn extends Column {
  readonly levels: Int32Array;
  readonly mean: number;
}

export interface Penalised extends PureProblem {
  readonly penalty: number;
}

/** One point on level 0, then m points on each level, either side. */
export function plainest(problem: Penalised, base: PointCosts, reach: number): LevelColumn {
  const m = problem.adjacency;
  const levels = Int32Array.from({ length: 2 * reach + 1 }, (_, i) => Math.ceil(Math.abs(i - reach) / m));
  return columnOf(problem, base, reach, levels);
}

export function columnOf(
  problem: Penalised,
  base: PointCosts,
  reach: number,
  levels: Int32Array,
): LevelColumn {
  const { objective, transport } = problem;
  const noise = noiseOf(levels, reach, problem);
  let linear = tailCost(base, noise, problem);
  let mean = noise.right.mass * reach + noise.right.excess - noise.left.mass * reach - noise.left.excess;
  for (let i = 0; i < noise.p.length; i++) {
    linear += base.values[i]! * noise.p[i]!;
    mean += noise.p[i]! * (i - reach);
  }
  if (!transport) return { rows: new Float64Array(0), linear, levels, mean };
  const { open, outside } = transport.residual(noise);
  const rows = new Float64Array(open.length + (problem.unbiased ? 1 : 0));
  for (let k = 0; k < open.length; k++) rows[k] = objective.wasserstein * open[k]!;
  if (problem.unbiased) rows[open.length] = problem.penalty * mean;
  return { rows, linear: linear + objective.wasserstein * outside, levels, mean };
}

/** Probabilities of a level function (half of it and half its mirror image, where the noise is to be symmetric). */
export function noiseOf(
  levels: Int32Array,
  reach: number,
  { adjacency: m, q, symmetric }: PureProblem,
): NoiseDoubles {
  const powers = powersOf(q, levels);
  const p = new Float64Array(levels.length);
  for (let i = 0; i < p.length; i++) p[i] = powers[levels[i]!]!;
  const left = tailMass(p.subarray(0, m).slice().reverse(), q);
  const right = tailMass(p.subarray(p.length - m), q);
  let mass = left.mass + right.mass;
  for (const v of p) mass += v;
  for (let i = 0; i < p.length; i++) p[i]! /= mass;
  const scaled = (side: TailMass) => ({ mass: side.mass / mass, excess: side.excess / mass });
  if (!symmetric) return { reach, p, left: scaled(left), right: scaled(right) };
  const folded = p.map((v, i) => (v + p[p.length - 1 - i]!) / 2);
  const side = scaled({ mass: (left.mass + right.mass) / 2, excess: (left.excess + right.excess) / 2 });
  return { reach, p: folded, left: side, right: side };
}

/** q^level for every level in use; far out they vanish. */
function powersOf(q: number, levels: Int32Array): Float64Array {
  const powers = new Float64Array(levels.reduce((a, b) => Math.max(a, b)) + 1);
  powers[0] = 1;
  for (let i = 1; i < powers.length; i++) powers[i] = powers[i - 1]! * q;
  return powers;
}

/** What follows a block, given outward, that repeats with the ratio q. */
function tailMass(block: Float64Array, q: number): TailMass {
  let [mass, first] = [0, 0];
  for (let i = 0; i < block.length; i++) {
    mass += block[i]!;
    first += block[i]! * (i + 1);
  }
  const gap = 1 - q;
  return { mass: (mass * q) / gap, excess: (first * q) / gap + (block.length * mass * q * q) / gap ** 2 };
}

/** Σ of the base cost beyond the window. */
export function tailCost(base: PointCosts, noise: NoiseDoubles, { adjacency: m, q }: PureProblem): number {
  const { linear, square } = base.left;
  let sum =
    (noise.left.mass + noise.right.mass) * base.values[0]! +
    (noise.left.excess + noise.right.excess) * linear;
  if (square === 0) return sum;
  // Σ_b q^(b+1) Σ_r p(r)·(bm + r + 1)²
  const gap = 1 - q;
  const [s0, s1, s2] = [q / gap, (q * q) / gap ** 2, (q * q * (1 + q)) / gap ** 3];
  for (let r = 0; r < m; r++) {
    const at = r + 1;
    const weight = noise.p[m - 1 - r]! + noise.p[noise.p.length - m + r]!;
    sum += square * weight * (at * at * s0 + 2 * m * at * s1 + m * m * s2);
  }
  return sum;
}

/** The part of the objective that is linear in the noise. */
export function baseCost(objective: Objective, reach: number): PointCosts {
  const values = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => costAt(objective, i - reach));
  const growth = growthBeyond(objective, reach);
  return { reach, values, left: growth, right: growth };
}

export interface PureProblem {
  readonly adjacency: number;
  /** e^−ε rounded up with room for the rounding of doubles: what the noise is made of. */
  readonly q: number;
  /** e^−ε rounded down: what the bound is proved with. */
  readonly qLow: number;
  readonly objective: Objective;
  /** Null where the objective has no W. */
  readonly transport: Transport | null;
  /** Null where the objective has no divergence. */
  readonly closeness: Closeness | null;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
}
