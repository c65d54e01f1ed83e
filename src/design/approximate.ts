// δ > 0: the least harmful (ε, δ)-DP noise as one linear programme in the probabilities themselves, with
// the profile's constraint at every shift. Where the window has too many points it is solved on blocks of
// `grain` points: noise that is even on each block keeps the profile at all shifts, and the duals give a
// bound on the whole lattice (proofs/approximate-noise.md).

import { makePmf, type Pmf } from '../pmf/index.js';
import { costAt, type Goal } from './goal.js';
import { interiorPoint, type SparseRows } from './interior-point.js';
import { type Transport, transportOf } from './transport.js';

export interface ApproximateProblem {
  readonly adjacency: number;
  readonly epsilon: number;
  /** e^ε rounded down with room for the rounding of doubles, and rounded up. */
  readonly growth: number;
  readonly growthUp: number;
  readonly delta: number;
  readonly goal: Goal;
  /** The input; null where the goal has no W. */
  readonly prior: Pmf | null;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
}

/** Probabilities on −reach … reach; beyond it there are none. */
export interface ApproximateSolution {
  readonly reach: number;
  readonly p: Float64Array;
  /** Proved on the whole lattice. */
  readonly lowerBound: number;
  /** Points to a block; 1 where the programme is that of the lattice itself. */
  readonly grain: number;
}

/** Variables up to which the programme is solved point by point, and on blocks beyond. */
const MOST_POINTS = 641;
const MOST_BLOCKS = 401;

export function solveApproximate(
  problem: ApproximateProblem,
  progress: (gap: number) => void = () => {},
): ApproximateSolution | null {
  const { adjacency: m, epsilon, delta } = problem;
  // Where noise of nine tenths of this ε has fallen by δ, and a few stairs more: the best noise ends before.
  const far = Math.max(0, ...problem.goal.tails.map(({ beyond: t }) => t));
  const reach = Math.ceil(m * (Math.log(1 / delta) / (0.9 * epsilon) + 3) + far);
  const variables = problem.symmetric ? reach + 1 : 2 * reach + 1;
  let grain = variables <= MOST_POINTS ? 1 : Math.ceil(variables / MOST_BLOCKS);
  if (grain % 2 === 0) grain++;
  // A divisor of the adjacency near by serves both sides at once.
  for (let odd = grain; grain > 1 && odd <= Math.min(m, 1.5 * grain); odd += 2) {
    if (m % odd === 0) {
      grain = odd;
      break;
    }
  }
  // A block wider than the adjacency would hide what the shifts must keep.
  if (grain > m) return null;
  const blocks = Math.ceil(reach / grain);
  const upper = solveBlocks(problem, grain, Math.ceil(m / grain), blocks, progress);
  const exact = m % grain === 0;
  const lower = exact ? upper : solveBlocks(problem, grain, Math.floor(m / grain), blocks, progress);
  const half = (grain - 1) / 2;
  const fine = blocks * grain + half;
  const p = new Float64Array(2 * fine + 1);
  for (let i = 0; i < p.length; i++) p[i] = upper.p[Math.floor(i / grain)]! / grain;
  return { reach: fine, p, grain, lowerBound: boundOf(problem, lower, grain) };
}

interface Blocks {
  readonly reach: number;
  readonly adjacency: number;
  /** Mass of each block from −reach to reach. */
  readonly p: Float64Array;
  /** Duals of the open rows on the lattice of blocks, if there is a W. */
  readonly y: Float64Array;
  /** Dual of the mean. */
  readonly tilt: number;
  /** Duals of the rows of each shift (by shift, then position), and of the shifts' budgets. */
  readonly shifts: readonly { readonly shift: number; readonly budget: number; readonly z: Float64Array }[];
}

function solveBlocks(
  problem: ApproximateProblem,
  grain: number,
  adjacency: number,
  reach: number,
  progress: (gap: number) => void,
): Blocks {
  const { growth, symmetric, unbiased, delta } = problem;
  const m = adjacency;
  const count = symmetric ? reach + 1 : 2 * reach + 1;
  const position = (variable: number) => (symmetric ? variable : variable - reach);
  const variable = (k: number) => (symmetric ? Math.abs(k) : k + reach);
  const goal = coarseGoal(problem.goal, grain);
  const transport = problem.prior ? transportOf(coarsePrior(problem.prior, grain)) : null;

  // What one unit at a variable is: its point, or its point and the mirror image.
  const linear = new Float64Array(count);
  const mass = new Float64Array(count);
  const mean = new Float64Array(count);
  const dense: Float64Array[] = [];
  const wide = Math.max(reach, (transport?.rows ?? 0) + 1);
  const none = { mass: 0, excess: 0 };
  for (let v = 0; v < count; v++) {
    const p = new Float64Array(transport ? 2 * wide + 1 : 0);
    for (const k of symmetric && v > 0 ? [v, -v] : [position(v)]) {
      linear[v]! += costAt(goal, k);
      mass[v]!++;
      mean[v]! += k;
      p[wide + k] = 1;
    }
    if (!transport) continue;
    const { open, outside } = transport.residual({ reach: wide, p, left: none, right: none });
    linear[v]! += goal.wasserstein * outside;
    dense.push(open.map((x) => x * goal.wasserstein));
  }
  const { rows, shifts } = shiftRows(count, reach, m, growth, symmetric, variable);
  const start = Float64Array.from({ length: count }, (_, v) =>
    Math.exp((-0.9 * problem.epsilon * Math.abs(position(v))) / m),
  );
  let total = 0;
  for (let v = 0; v < count; v++) total += start[v]! * mass[v]!;
  for (let v = 0; v < count; v++) start[v]! /= total;
  const result = interiorPoint(
    {
      linear,
      dense,
      sparse: rows,
      budgets: shifts.map(() => delta * (1 - 1e-7)),
      equalities: [{ row: mass, value: 1 }, ...(unbiased && !symmetric ? [{ row: mean, value: 0 }] : [])],
    },
    start,
    { tolerance: grain === 1 ? 1e-8 : 1e-6, iterations: 150, progress },
  );
  const n = dense[0]?.length ?? 0;
  const p = Float64Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.max(0, result.x[variable(i - reach)]!),
  );
  return {
    reach,
    adjacency: m,
    p,
    y: result.y.slice(0, n).map((v) => Math.max(-1, Math.min(1, v))),
    tilt: unbiased && !symmetric ? -result.equalities[1]! : 0,
    shifts: shifts.map(({ shift, first, size }, g) => ({
      shift,
      budget: Math.max(0, result.groups[g]!),
      z: result.y.slice(n + first, n + first + size),
    })),
  };
}

/** p ≥ 0, and p(k − s) − e^ε·p(k) for every shift s, each shift a group; beyond the window p is 0. */
function shiftRows(
  count: number,
  reach: number,
  m: number,
  growth: number,
  symmetric: boolean,
  variable: (k: number) => number,
): { rows: SparseRows; shifts: { shift: number; first: number; size: number }[] } {
  const [i, j, a, b, group]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  const add = (vi: number, ai: number, vj: number, aj: number, g: number) => {
    i.push(vi);
    a.push(ai);
    j.push(vj);
    b.push(aj);
    group.push(g);
  };
  for (let v = 0; v < count; v++) add(v, -1, -1, 0, -1);
  const shifts: { shift: number; first: number; size: number }[] = [];
  for (let s = symmetric ? 1 : -m; s <= m; s++) {
    if (s === 0) continue;
    const first = i.length;
    const g = shifts.length;
    for (let k = -reach + s; k <= reach + s; k++) {
      if (Math.abs(k) > reach) add(variable(k - s), 1, -1, 0, g);
      else add(variable(k - s), 1, variable(k), -growth, g);
    }
    shifts.push({ shift: s, first, size: i.length - first });
  }
  return {
    rows: {
      i: Int32Array.from(i),
      j: Int32Array.from(j),
      a: Float64Array.from(a),
      b: Float64Array.from(b),
      group: Int32Array.from(group),
    },
    shifts,
  };
}

function coarseGoal(goal: Goal, grain: number): Goal {
  return {
    wasserstein: goal.wasserstein * grain,
    magnitude: goal.magnitude * grain,
    variance: goal.variance * grain * grain,
    tails: goal.tails.map(({ beyond: t, weight }) => ({ beyond: Math.floor(t / grain), weight })),
  };
}

function coarsePrior(prior: Pmf, grain: number): Pmf {
  if (grain === 1) return prior;
  const weights = new Array<bigint>(Math.ceil(prior.weights.length / grain)).fill(0n);
  prior.weights.forEach((weight, i) => {
    weights[Math.floor(i / grain)]! += weight;
  });
  return makePmf({ step: prior.step, from: 0, weights, left: null, right: null });
}

/**
 * The Lagrangian bound on the whole lattice: for any y within ±1 and 0 ≤ z_s(j) ≤ budget_s, every (ε, δ)-DP
 * noise costs at least min_k [c_y(k) + Σ_s (z_s(k) − e^ε·z_s(k − s))] − δ·Σ_s budget_s, where z_s(j) belongs
 * to the row p(j) − e^ε·p(j + s). Rounded downward. Beyond the noise's support the solver's z mean nothing;
 * there the least that keeps the bracket up is passed on outward.
 */
function boundOf(problem: ApproximateProblem, blocks: Blocks, grain: number): number {
  const { goal, prior, symmetric, growthUp, delta } = problem;
  const { reach, tilt, adjacency: m, p } = blocks;
  const shifts = symmetric ? bothWays(blocks) : blocks.shifts;
  const transport: Transport | null = prior ? transportOf(prior) : null;
  const half = (grain - 1) / 2;
  // Blocks out to where nothing is passed on any more.
  const far = reach + 64 * m + Math.ceil((transport?.rows ?? 0) / grain);
  const wide = far * grain + half;
  const y = Float64Array.from({ length: transport?.rows ?? 0 }, (_, k) => dualAt(blocks.y, k, grain));
  const moved = transport?.cost(y, wide);
  const fineCost = (k: number) =>
    costAt(goal, k) +
    (moved ? goal.wasserstein * (moved.values[wide + k]! - moved.error * Math.abs(k)) : 0) +
    (tilt * k) / grain;
  const cost = new Float64Array(2 * far + 1);
  for (let block = -far; block <= far; block++) {
    let least = Infinity;
    for (let k = block * grain - half; k <= block * grain + half; k++) {
      least = Math.min(least, symmetric ? (fineCost(k) + fineCost(-k)) / 2 : fineCost(k));
    }
    cost[far + block] = least;
  }
  // The support, and the rows that start in it.
  const least = 1e-6 * delta;
  let [low, high] = [-reach, reach];
  while (low < 0 && p[reach + low]! < least) low++;
  while (high > 0 && p[reach + high]! < least) high--;
  const into = new Float64Array(2 * far + 1);
  const out = new Float64Array(2 * far + 1);
  let spent = 0;
  for (const { shift, budget, z } of shifts) {
    spent += budget;
    for (let j = low; j <= high; j++) {
      const v = Math.max(0, Math.min(budget, z[reach + j]!));
      out[far + j]! += v;
      into[far + j + shift]! += v;
    }
  }
  const bracket = (k: number) => {
    const [v, w] = [out[far + k]!, growthUp * into[far + k]!];
    return cost[far + k]! + v - w - 2 ** -52 * (4 * shifts.length + 16) * (Math.abs(cost[far + k]!) + v + w);
  };
  let level = Infinity;
  for (let k = low; k <= high; k++) level = Math.min(level, bracket(k));
  for (const side of [1, -1]) {
    const outward = shifts
      .filter(({ shift }) => shift * side > 0)
      .sort((a, b) => Math.abs(b.shift) - Math.abs(a.shift));
    for (let k = side > 0 ? high + 1 : low - 1; Math.abs(k) <= far - m; k += side) {
      let missing = (level - bracket(k)) * (1 + 2 ** -30);
      for (const { shift, budget } of outward) {
        if (!(missing > 0)) break;
        const v = Math.min(budget, missing);
        out[far + k]! += v;
        into[far + k + shift]! += v;
        missing -= v;
      }
    }
  }
  for (let k = -far; k <= far; k++) level = Math.min(level, bracket(k));
  const bound = (level - delta * spent * (1 + 2 ** -40)) * (1 - 2 ** -50);
  // Beyond the blocks the cost only grows, if the mean's dual does not outweigh it.
  const slope = goal.wasserstein + goal.magnitude + 2 * goal.variance * wide;
  return Math.abs(tilt) / grain <= slope ? Math.max(0, bound) : 0;
}

/** Symmetric noise has the same profile at ±s: half of a shift's duals either way. */
function bothWays({ shifts }: Blocks): Blocks['shifts'] {
  return shifts.flatMap(({ shift, budget, z }) => {
    const halved = z.map((v) => v / 2);
    return [
      { shift, budget: budget / 2, z: halved },
      { shift: -shift, budget: budget / 2, z: halved.slice().reverse() },
    ];
  });
}

function dualAt(y: Float64Array, k: number, grain: number): number {
  if (grain === 1) return y[k]!;
  const row = Math.floor((k + 1) / grain) - 1;
  if (row < 0) return y[0] ?? 0;
  return y[Math.min(row, y.length - 1)] ?? 0;
}
