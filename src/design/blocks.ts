// The programme for δ > 0 on blocks of `grain` points: probabilities of blocks, a row for every shift and position, and the duals.

import { type Pmf, windowPmf } from '../pmf/index.js';
import { interiorPoint, type SparseRows } from '../solve/index.js';
import { coarsened, costAt, type Objective } from './objective.js';
import { transportOf } from './transport.js';

export interface Blocks {
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

export function solveBlocks(
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
  const objective = coarsened(problem.objective, grain);
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
      linear[v]! += costAt(objective, k);
      mass[v]!++;
      mean[v]! += k;
      p[wide + k] = 1;
    }
    if (!transport) continue;
    const { open, outside } = transport.residual({ reach: wide, p, left: none, right: none });
    linear[v]! += objective.wasserstein * outside;
    dense.push(open.map((x) => x * objective.wasserstein));
  }
  const { rows, shifts } = shiftRows(count, reach, m, growth, symmetric, variable);
  const start = Float64Array.from({ length: count }, (_, v) =>
    Math.exp((-0.9 * problem.epsilon * Math.abs(position(v))) / m),
  );
  let [total, whole] = [0, 0];
  for (let v = 0; v < count; v++) {
    total += start[v]! * mass[v]!;
    whole += mass[v]!;
  }
  // Somewhat even throughout, so that no point is too far from where it ends; not where what is far out is all that counts.
  const even = objective.tails.length > 0 ? 0 : delta / 4;
  for (let v = 0; v < count; v++) start[v] = ((1 - even) * start[v]!) / total + even / whole;
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

function coarsePrior(prior: Pmf, grain: number): Pmf {
  if (grain === 1) return prior;
  const weights = new Array<bigint>(Math.ceil(prior.weights.length / grain)).fill(0n);
  prior.weights.forEach((weight, i) => {
    weights[Math.floor(i / grain)]! += weight;
  });
  return windowPmf(prior.step, 0, weights);
}

export interface ApproximateProblem {
  readonly adjacency: number;
  readonly epsilon: number;
  /** e^ε rounded down with room for the rounding of doubles, and rounded up. */
  readonly growth: number;
  readonly growthUp: number;
  readonly delta: number;
  readonly objective: Objective;
  /** The input; null where the objective has no W. */
  readonly prior: Pmf | null;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
}
