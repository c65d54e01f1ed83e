// δ = 0: the least harmful ε-DP noise by column generation. A master mixes the level functions found so
// far; its duals price the best new ones exactly; any dual is a lower bound on the whole lattice
// (proofs/optimal-noise.md).

import { costAt, type Goal } from './goal.js';
import { bestLevelFunction, type Cost, NarrowWindow, provesBound } from './level-function.js';
import { type Column, makeMaster } from './master.js';
import type { Beyond, NoiseDoubles, Transport } from './transport.js';

export interface PureProblem {
  readonly adjacency: number;
  /** e^−ε rounded up with room for the rounding of doubles: what the noise is made of. */
  readonly q: number;
  /** e^−ε rounded down: what the bound is proved with. */
  readonly qLow: number;
  readonly goal: Goal;
  /** Null where the goal has no W. */
  readonly transport: Transport | null;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
}

/** A mixture of level functions on −reach … reach, each with steady descent beyond. */
export interface PureSolution {
  readonly reach: number;
  /** Shares of normalised level functions. */
  readonly parts: readonly { readonly share: number; readonly levels: Int32Array }[];
  readonly value: number;
  /** Proved: no ε-DP noise on the whole lattice is better. */
  readonly lowerBound: number;
  readonly rounds: number;
}

export interface Effort {
  /** The relative gap at which to stop. */
  readonly gap: number;
  /** Multiplications after which to stop, roughly: the same on any machine, unlike a time. */
  readonly work: number;
  readonly progress?: (round: number, value: number, lowerBound: number) => void;
}

export function solvePure(problem: PureProblem, effort: Effort): PureSolution {
  // The mean's multiplier is bounded, and the bound relaxed until it does not bind: near the cost's own
  // slope the window that proves a bound grows without end.
  const { wasserstein, magnitude, variance } = problem.goal;
  let reach = firstReach(problem);
  for (let attempt = 1; ; ) {
    const grown = variance > 0 ? 4 ** attempt : 2 - 2 ** (1 - attempt);
    const penalty = problem.unbiased ? grown * 0.5 * (wasserstein + magnitude + variance) : 0;
    try {
      const { solution, binding } = generate({ ...problem, penalty }, reach, effort);
      if (!binding || attempt >= 12) return solution;
      attempt++;
    } catch (error) {
      if (!(error instanceof NarrowWindow) || reach > WIDEST) throw error;
      reach *= 2;
    }
  }
}

/** Window half-width beyond which no wider one is tried. */
export const WIDEST = 5_000_000;

/** Where the cost has surely reached the value of the plainest noise, or nearly: W can fall short of |θ|. */
export function firstReach({ adjacency: m, q, goal, transport }: PureProblem): number {
  const gap = 1 - q;
  const mass = 1 + (2 * m * q) / gap;
  const mean = ((m * (m + 1) * q) / gap + (2 * m * m * q * q) / gap ** 2) / mass;
  const far = Math.max(0, ...goal.tails.map(({ beyond }) => beyond));
  return Math.ceil(mean * (goal.variance > 0 ? 2 : 1) + 2 * m + far + (transport?.rows ?? 0)) + 2;
}

interface Penalised extends PureProblem {
  readonly penalty: number;
}

/** A cost that is good to error·|k| at each noise value k. */
interface Priced {
  readonly cost: Cost;
  readonly error: number;
}

/** A pass of the recursion in multiplications a point. */
const PASS = 100;

interface Candidate extends Column {
  readonly levels: Int32Array;
  readonly mean: number;
}

/** Rounds after which an input needs many columns. */
const MANY = 10;

/**
 * Duals priced in a round. Far from the optimum the master's jump about: half way to the best so far is
 * better. Near it, the last ones of the master's path each bring a new column, which pays where many are needed.
 */
function toPrice(
  path: readonly Float64Array[],
  best: Float64Array,
  gap: number,
  round: number,
): readonly Float64Array[] {
  const last = path[path.length - 1]!;
  if (gap > 1e-2) return [last.map((v, k) => (v + best[k]!) / 2), last];
  return path.slice(round < MANY ? -2 : -10).reverse();
}

function generate(
  problem: Penalised,
  reach: number,
  effort: Effort,
): { solution: PureSolution; binding: boolean } {
  const { adjacency: m, transport, q } = problem;
  const base = baseCost(problem.goal, reach);
  if (!transport) {
    const { levels } = bestLevelFunction(base, m, q, plainest(problem, base, reach).linear);
    const { linear: value } = candidate(problem, base, reach, levels);
    const lowerBound = prove(problem, { cost: base, error: 0 }, value);
    effort.progress?.(1, value, lowerBound);
    return {
      solution: { reach, parts: [{ share: 1, levels }], value, lowerBound, rounds: 1 },
      binding: false,
    };
  }
  const columns: Candidate[] = [];
  const seen = new Set<number>();
  const master = makeMaster(transport.rows + (problem.unbiased ? 1 : 0));
  const add = (column: Candidate) => {
    const key = fingerprint(column.levels);
    if (seen.has(key)) return;
    seen.add(key);
    columns.push(column);
    master.add(column);
  };
  add(plainest(problem, base, reach));
  let [best, bound, tolerance, round, binding] = [Infinity, -Infinity, 1e-3, 0, false];
  let shares: Float64Array = Float64Array.of(1);
  let proof: Priced | null = null;
  let bestDual: Float64Array = new Float64Array(transport.rows + (problem.unbiased ? 1 : 0));
  let work = 0;
  while (work < effort.work) {
    round++;
    const path: Float64Array[] = [];
    const mixture = master.solve(tolerance, (y) => path.push(y));
    work += mixture.work;
    if (mixture.value < best) [best, shares] = [mixture.value, mixture.shares];
    const before = columns.length;
    path.push(mixture.y);
    for (const y of toPrice(path, bestDual, (best - bound) / best, round)) {
      const cost = costOf(problem, base, reach, y);
      const found = bestLevelFunction(cost.cost, m, q, best, bound);
      work += PASS * cost.cost.values.length * found.passes;
      if (found.value > bound) {
        [bound, proof, bestDual] = [found.value, cost, y];
        binding = problem.unbiased && Math.abs(y[transport.rows]!) > 0.999;
      }
      add(candidate(problem, base, reach, found.levels));
      if (y !== mixture.y && columns.length > before && best - bound > 1e-2 * best) break;
    }
    effort.progress?.(round, best, bound);
    const gap = (best - bound) / best;
    if (gap <= effort.gap || (columns.length === before && tolerance < 1e-11)) break;
    tolerance = Math.max(1e-12, Math.min(gap * 0.3, columns.length === before ? tolerance / 100 : tolerance));
  }
  const parts = balanced(problem, tidy(columns, shares, best));
  return {
    solution: { reach, parts, value: best, lowerBound: prove(problem, proof!, bound), rounds: round },
    binding,
  };
}

/** One point on level 0, then m points on each level, either side. */
function plainest(problem: Penalised, base: Cost, reach: number): Candidate {
  const m = problem.adjacency;
  const levels = Int32Array.from({ length: 2 * reach + 1 }, (_, i) => Math.ceil(Math.abs(i - reach) / m));
  return candidate(problem, base, reach, levels);
}

function fingerprint(levels: Int32Array): number {
  let hash = 0;
  for (const level of levels) hash = (Math.imul(hash, 31) + level) | 0;
  return hash;
}

/** Fewer parts where they do as well: the single best one, else those that matter. */
function tidy(columns: readonly Candidate[], shares: Float64Array, value: number) {
  const limit = value * (1 + 1e-8);
  const single = columns.find((column) => valueOfMixture([column], [1]) <= limit);
  if (single) return [{ share: 1, column: single }];
  for (const least of [1e-4, 1e-6, 1e-8]) {
    const kept = Array.from(shares, (share, j) => ({ share, column: columns[j]! })).filter(
      ({ share }) => share > least,
    );
    const total = kept.reduce((sum, { share }) => sum + share, 0);
    const parts = kept.map(({ share, column }) => ({ share: share / total, column }));
    const changed = valueOfMixture(
      parts.map(({ column }) => column),
      parts.map(({ share }) => share),
    );
    if (changed <= limit) return parts;
  }
  // What is left of a share below this is rounding.
  return Array.from(shares, (share, j) => ({ share, column: columns[j]! })).filter(
    ({ share }) => share > 1e-12,
  );
}

/** Where the mean must be 0, what is left of it is taken off by the mirror image of a part. */
function balanced(problem: Penalised, parts: readonly { share: number; column: Candidate }[]) {
  const plain = parts.map(({ share, column }) => ({ share, levels: column.levels }));
  if (!problem.unbiased) return plain;
  const mean = parts.reduce((sum, { share, column }) => sum + share * column.mean, 0);
  // Symmetric noise has no more than rounding.
  if (Math.abs(mean) < 1e-12) return plain;
  const furthest = parts.reduce((a, b) => (b.column.mean * mean > a.column.mean * mean ? b : a)).column;
  if (!(furthest.mean * mean > 0)) return plain;
  const share = mean / (mean + furthest.mean);
  return [
    ...plain.map((part) => ({ ...part, share: part.share * (1 - share) })),
    { share, levels: furthest.levels.slice().reverse() },
  ];
}

/** The largest bound just below the computed one that can be proved with downward rounding. */
function prove(problem: PureProblem, { cost, error }: Priced, bound: number): number {
  const { adjacency: m, qLow } = problem;
  const lowered = {
    ...cost,
    values: cost.values.map((v, i) => v - error * Math.abs(i - cost.reach) - 2 ** -50 * Math.abs(v)),
  };
  for (let part = 1e-11; part < 1; part *= 4) {
    const attempt = bound - part * Math.abs(bound);
    if (provesBound(lowered, m, qLow, attempt)) return attempt;
  }
  return 0;
}

/** The part of the goal that is linear in the noise. */
function baseCost(goal: Goal, reach: number): Cost {
  const values = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => costAt(goal, i - reach));
  const growth = { linear: goal.magnitude + 2 * goal.variance * reach, square: goal.variance };
  return { reach, values, left: growth, right: growth };
}

/** The cost of each noise value under duals y of the rows and, last, of the mean. */
function costOf(problem: Penalised, base: Cost, reach: number, y: Float64Array): Priced {
  const { goal, symmetric, penalty } = problem;
  const transport = problem.transport!;
  const moved = transport.cost(y.subarray(0, transport.rows), reach);
  const tilt = problem.unbiased ? penalty * y[transport.rows]! : 0;
  const values = base.values.map((v, i) => v + goal.wasserstein * moved.values[i]! + tilt * (i - reach));
  if (symmetric) {
    for (let i = 0; i < reach; i++) {
      const other = values.length - 1 - i;
      values[i] = values[other] = (values[i]! + values[other]!) / 2;
    }
  }
  const slope = base.right.linear + goal.wasserstein;
  const bias = symmetric ? 0 : tilt;
  const { square } = base.right;
  return {
    cost: { reach, values, left: { linear: slope - bias, square }, right: { linear: slope + bias, square } },
    error: goal.wasserstein * moved.error + 2 ** -50 * Math.abs(tilt),
  };
}

function candidate(problem: Penalised, base: Cost, reach: number, levels: Int32Array): Candidate {
  const { goal, transport } = problem;
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
  for (let k = 0; k < open.length; k++) rows[k] = goal.wasserstein * open[k]!;
  if (problem.unbiased) rows[open.length] = problem.penalty * mean;
  return { rows, linear: linear + goal.wasserstein * outside, levels, mean };
}

/** Probabilities of a level function (half of it and half its mirror image, where the noise is to be symmetric). */
function noiseOf(
  levels: Int32Array,
  reach: number,
  { adjacency: m, q, symmetric }: PureProblem,
): NoiseDoubles {
  const powers = powersOf(q, levels);
  const p = Float64Array.from(levels, (level) => powers[level]!);
  const left = beyond(p.subarray(0, m).slice().reverse(), q);
  const right = beyond(p.subarray(p.length - m), q);
  let mass = left.mass + right.mass;
  for (const v of p) mass += v;
  for (let i = 0; i < p.length; i++) p[i]! /= mass;
  const scaled = (side: Beyond) => ({ mass: side.mass / mass, excess: side.excess / mass });
  if (!symmetric) return { reach, p, left: scaled(left), right: scaled(right) };
  const folded = p.map((v, i) => (v + p[p.length - 1 - i]!) / 2);
  const side = scaled({ mass: (left.mass + right.mass) / 2, excess: (left.excess + right.excess) / 2 });
  return { reach, p: folded, left: side, right: side };
}

/** q^level for every level in use; far out they vanish. */
export function powersOf(q: number, levels: Int32Array): Float64Array {
  const powers = new Float64Array(levels.reduce((a, b) => Math.max(a, b)) + 1);
  powers[0] = 1;
  for (let i = 1; i < powers.length; i++) powers[i] = powers[i - 1]! * q;
  return powers;
}

/** What follows a block, given outward, that repeats with the ratio q. */
export function beyond(block: Float64Array, q: number): Beyond {
  let [mass, first] = [0, 0];
  for (let i = 0; i < block.length; i++) {
    mass += block[i]!;
    first += block[i]! * (i + 1);
  }
  const gap = 1 - q;
  return { mass: (mass * q) / gap, excess: (first * q) / gap + (block.length * mass * q * q) / gap ** 2 };
}

/** Σ of the base cost beyond the window. */
function tailCost(base: Cost, noise: NoiseDoubles, { adjacency: m, q }: PureProblem): number {
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

function valueOfMixture(columns: readonly Candidate[], shares: readonly number[]): number {
  const sums = new Float64Array(columns[0]!.rows.length);
  let value = 0;
  columns.forEach(({ rows, linear }, j) => {
    value += shares[j]! * linear;
    for (let k = 0; k < sums.length; k++) sums[k]! += shares[j]! * rows[k]!;
  });
  for (const v of sums) value += Math.abs(v);
  return value;
}
