// δ = 0: the least harmful ε-DP noise by column generation. A master mixes the level functions found so
// far; its duals price the best new ones exactly; any dual is a lower bound on the whole lattice
// (proofs/optimal-noise.md).

import {
  baseCost,
  columnOf,
  type LevelColumn,
  type Penalised,
  type PureProblem,
  plainest,
} from './level-column.js';
import { bestLevelFunction, NarrowWindow, type PointCosts, provesBound } from './level-function.js';
import { makeMaster } from './master.js';
import { balanced, fingerprint, tidy } from './mixture.js';
import { outlook, slopeAt } from './objective.js';
import { isRoughSmall, type Rough, solveRough, WIDENINGS, type Written } from './rough.js';

/** A mixture of level functions on −reach … reach, each with steady descent beyond. */
export interface PureSolution {
  readonly reach: number;
  /** Shares of normalised level functions. */
  readonly parts: readonly { readonly share: number; readonly levels: Int32Array }[];
  /** The noise itself, where that is better than the mixture. */
  readonly written: Written | null;
  readonly value: number;
  /** Proved: no ε-DP noise on the whole lattice is better. */
  readonly lowerBound: number;
  readonly rounds: number;
}

export interface Effort {
  /** The relative gap at which to stop. */
  readonly gap: number;
  /** May inputs that need very many level functions have a programme in the probabilities instead? */
  readonly isThorough: boolean;
  /** Multiplications after which to stop, roughly: the same on any machine, unlike a time. */
  readonly work: number;
  /** Asked now and then: true ends it. */
  readonly isStopped: () => boolean;
  readonly progress?: (round: number, value: number, lowerBound: number) => void;
}

export function solvePure(problem: PureProblem, effort: Effort): PureSolution {
  // The mean's multiplier is bounded, and the bound relaxed until it does not bind: near the cost's own
  // slope the window that proves a bound grows without end.
  const { steep } = outlook(problem.objective);
  let reach = firstReach(problem);
  for (let attempt = 1; ; ) {
    const grown = steep ? 4 ** attempt : 2 - 2 ** (1 - attempt);
    // Between 0 and 1 the cost grows by its slope half-way.
    const penalty = problem.unbiased ? grown * 0.5 * slopeAt(problem.objective, 0.5) : 0;
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
export function firstReach({ adjacency: m, q, objective, transport, closeness }: PureProblem): number {
  const gap = 1 - q;
  const mass = 1 + (2 * m * q) / gap;
  const mean = ((m * (m + 1) * q) / gap + (2 * m * m * q * q) / gap ** 2) / mass;
  const { steep, settledFrom } = outlook(objective);
  return (
    Math.ceil(mean * (steep ? 2 : 1) + 2 * m + settledFrom + (transport ?? closeness ?? { rows: 0 }).rows) + 2
  );
}

/** A cost that is good to error·|k| at each noise value k. */
interface Priced {
  readonly cost: PointCosts;
  readonly error: number;
}

/** A pass of the recursion in multiplications a point. */
const PASS = 100;

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
  const base = baseCost(problem.objective, reach);
  if (!transport) {
    const { levels } = bestLevelFunction(base, m, q, plainest(problem, base, reach).linear);
    const { linear: value } = columnOf(problem, base, reach, levels);
    const lowerBound = prove(problem, { cost: base, error: 0 }, value);
    effort.progress?.(1, value, lowerBound);
    return {
      solution: { reach, parts: [{ share: 1, levels }], written: null, value, lowerBound, rounds: 1 },
      binding: false,
    };
  }
  const columns: LevelColumn[] = [];
  const seen = new Set<number>();
  const master = makeMaster(transport.rows + (problem.unbiased ? 1 : 0));
  const add = (column: LevelColumn) => {
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
  let [mixed, written]: [number, Written | null] = [Infinity, null];
  const isClosed = () => (best - bound) / best <= effort.gap;
  const isOver = () => isClosed() || (effort.isStopped() && proof !== null);
  /** Price duals: a better bound, or not, and a new column. */
  const price = (y: Float64Array) => {
    const cost = costOf(problem, base, reach, y);
    const found = bestLevelFunction(cost.cost, m, q, best, bound);
    work += PASS * cost.cost.values.length * found.passes;
    if (found.value > bound) {
      [bound, proof, bestDual] = [found.value, cost, y];
      binding = problem.unbiased && Math.abs(y[transport.rows]!) > 0.999;
    }
    add(columnOf(problem, base, reach, found.levels));
  };
  const mix = (most: number) => {
    while (work < most && !isOver()) {
      round++;
      const path: Float64Array[] = [];
      const mixture = master.solve(tolerance, (y) => path.push(y));
      work += mixture.work;
      if (mixture.value < mixed) [mixed, shares] = [mixture.value, mixture.shares];
      if (mixed < best) [best, written] = [mixed, null];
      const before = columns.length;
      path.push(mixture.y);
      for (const y of toPrice(path, bestDual, (best - bound) / best, round)) {
        price(y);
        if (y !== mixture.y && columns.length > before && best - bound > 1e-2 * best) break;
      }
      effort.progress?.(round, best, bound);
      const isNew = columns.length > before;
      if (!isNew && !mixture.isRefined && tolerance < 1e-11) return;
      const wanted = Math.min(0.3 * ((best - bound) / best), isNew ? tolerance : tolerance / 100);
      tolerance = Math.max(1e-12, wanted);
    }
  };
  const isWorthIt = effort.isThorough && isPlain(problem) && isRoughSmall(problem);
  mix(isWorthIt ? Math.min(PATIENCE, effort.work) : effort.work);
  if (isWorthIt && !isOver()) {
    const see = ({ noise, value, y }: Rough) => {
      round++;
      if (value < best) [best, written] = [value, noise];
      price(y);
      effort.progress?.(round, best, bound);
      return (best - bound) / best;
    };
    const gap = () => (best - bound) / best;
    for (const widening of WIDENINGS)
      if (gap() > 2 * effort.gap)
        work += solveRough(problem, widening, see, { isEnough: isOver, work: effort.work - work });
    // An input that is rough all over needs its level functions after all.
    if (gap() > (effort.work === Infinity ? 2 * effort.gap : FAR)) mix(effort.work);
  }
  const parts = balanced(problem, tidy(columns, shares, mixed));
  const lowerBound = prove(problem, proof!, bound);
  return { solution: { reach, parts, written, value: best, lowerBound, rounds: round }, binding };
}

/** A gap with which the programme in the probabilities was not worth it. */
const FAR = 1e-4;

/** W alone, of any noise: what the programme in the probabilities is made for. */
function isPlain({ objective, unbiased, symmetric }: PureProblem): boolean {
  const { wasserstein, magnitude, variance, tails } = objective;
  return wasserstein > 0 && magnitude + variance + tails.length === 0 && !unbiased && !symmetric;
}

/** Multiplications after which an input is taken to need more level functions than are worth generating. */
const PATIENCE = 4e8;

/** The largest bound just below the computed one that can be proved with downward rounding. */
export function prove(
  problem: Pick<PureProblem, 'adjacency' | 'qLow'>,
  { cost, error }: Priced,
  bound: number,
): number {
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

/** The cost of each noise value under duals y of the rows and, last, of the mean. */
function costOf(problem: Penalised, base: PointCosts, reach: number, y: Float64Array): Priced {
  const { objective, symmetric, penalty } = problem;
  const transport = problem.transport!;
  const moved = transport.cost(y.subarray(0, transport.rows), reach);
  const tilt = problem.unbiased ? penalty * y[transport.rows]! : 0;
  const values = base.values.slice();
  for (let i = 0; i < values.length; i++)
    values[i]! += objective.wasserstein * moved.values[i]! + tilt * (i - reach);
  if (symmetric) {
    for (let i = 0; i < reach; i++) {
      const other = values.length - 1 - i;
      values[i] = values[other] = (values[i]! + values[other]!) / 2;
    }
  }
  const slope = base.right.linear + objective.wasserstein;
  const bias = symmetric ? 0 : tilt;
  const { square } = base.right;
  return {
    cost: { reach, values, left: { linear: slope - bias, square }, right: { linear: slope + bias, square } },
    error: objective.wasserstein * moved.error + 2 ** -50 * Math.abs(tilt),
  };
}
