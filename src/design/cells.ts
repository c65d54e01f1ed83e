// The programme for δ > 0 on cells of `grain` steps: their probabilities, a row for every shift and position, and the duals.

import { type Pmf, windowPmf } from '../pmf/index.js';
import { interiorPoint, type SparseRows } from '../solve/index.js';
import { isTied, type Layout } from './layout.js';
import { costAt, type Objective } from './objective.js';
import { type Transport, transportOf } from './transport.js';

export interface ApproximateProblem {
  readonly adjacency: number;
  readonly epsilon: number;
  /** e^ε rounded down with room for the rounding of doubles, and rounded up. */
  readonly growth: number;
  readonly growthUp: number;
  /** Of the programme; and what was asked for, rounded up, which may be less: duals of one δ bound every other. */
  readonly delta: number;
  readonly asked: number;
  readonly objective: Objective;
  /** The input; null where the objective has no W. */
  readonly prior: Pmf | null;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
}

export interface Cells {
  readonly layout: Layout;
  /** Mass of each cell from −reach to reach. */
  readonly p: Float64Array;
  /** Duals of the open rows on the lattice of cells, if there is a W. */
  readonly y: Float64Array;
  /** Duals of the mass and of the mean. */
  readonly level: number;
  readonly tilt: number;
  /** Duals of the rows of each shift, by the cell where a row starts, from −reach to reach; and of the shifts' budgets. */
  readonly shifts: readonly { readonly shift: number; readonly budget: number; readonly z: Float64Array }[];
}

/** Told the solver's gap at every step, and asked whether to end it. */
export interface Watch {
  readonly progress?: ((gap: number) => void) | undefined;
  readonly isOver?: (() => boolean) | undefined;
}

/** What rounding leaves of a row that is not moved. */
const UNMOVED = 1e-14;
/** Steps of the solver at most. */
const ITERATIONS = 150;
/** Multiplications of a step up to which each may take twice a double's digits. */
const CAREFUL_WORK = 1e7;

/** What a unit of δ is worth at most: mass that may be left out at the ends, and with it what stands for it further in. */
function dearest({ objective, adjacency, growth }: ApproximateProblem, layout: Layout): number {
  const reach = (layout.reach * adjacency) / layout.adjacency;
  return (10 * (costAt(objective, reach) + objective.wasserstein * reach)) / (growth - 1);
}

export function solveCells(
  problem: ApproximateProblem,
  layout: Layout,
  { tolerance, progress, isOver }: Watch & { tolerance: number },
): Cells {
  const { symmetric, unbiased, delta } = problem;
  const { count, reach } = layout;
  const { linear, mass, mean, dense, open, width } = termsOf(problem, layout);
  const { rows, shifts, cellsOf } = shiftRows(layout, problem.growth);
  const n = dense[0]?.length ?? 0;
  const programme = {
    linear,
    dense,
    sparse: rows,
    budgets: shifts.map(() => delta * (1 - 1e-7)),
    price: dearest(problem, layout),
    equalities: [{ row: mass, value: 1 }, ...(unbiased && !symmetric ? [{ row: mean, value: 0 }] : [])],
  };
  const start = startOf(problem, layout, mass);
  const isCareful = count ** 2 * (count / 6 + n / 2) <= CAREFUL_WORK;
  const result = interiorPoint(programme, start, {
    ...{ tolerance, iterations: ITERATIONS, progress, isOver, isCareful },
  });
  const p = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const { variable, factor } = layout.at(i - reach);
    return Math.max(0, result.x[variable]!) * factor;
  });
  const z = shifts.map(() => new Float64Array(2 * reach + 1));
  for (let row = count; row < rows.i.length; row++)
    for (const cell of cellsOf[row - count]!) z[rows.group[row]!]![cell + reach] = result.y[n + row]!;
  return {
    layout,
    p,
    y: spread(result.y.subarray(0, n), open, width),
    level: result.equalities[0]!,
    tilt: unbiased && !symmetric ? -result.equalities[1]! : 0,
    shifts: shifts.map((shift, g) => ({ shift, budget: Math.max(0, result.groups[g]!), z: z[g]! })),
  };
}

/** Duals of the rows that are open, within [−1, 1], and 0 for all others, which no noise of these cells moves. */
function spread(duals: Float64Array, open: Uint32Array, width: number): Float64Array {
  const y = new Float64Array(width);
  open.forEach((row, i) => {
    y[row] = Math.max(-1, Math.min(1, duals[i]!));
  });
  return y;
}

/** What one unit of each variable costs, weighs and means, and what it does to the open rows of W. */
function termsOf(problem: ApproximateProblem, layout: Layout) {
  const { adjacency, reach, count } = layout;
  const grain = problem.adjacency / adjacency;
  const { objective, prior } = problem;
  const transport: Transport | null = prior ? transportOf(onCells(prior, grain)) : null;
  const wide = Math.max(reach, (transport?.rows ?? 0) + 1);
  const [linear, mass, mean] = [0, 0, 0].map(() => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const cellsOf: number[][] = Array.from({ length: count }, () => []);
  for (let cell = -reach; cell <= reach; cell++) {
    const { variable, factor } = layout.at(cell);
    linear[variable]! += factor * cellCost(objective, cell, grain);
    mass[variable]! += factor;
    mean[variable]! += factor * cell;
    cellsOf[variable]!.push(cell);
  }
  if (!transport) return { linear, mass, mean, dense: [], open: new Uint32Array(0), width: 0 };
  const none = { mass: 0, excess: 0 };
  const weight = objective.wasserstein * grain;
  // Of values far apart, most rows are moved by none: those are left out.
  const isOpen = new Uint8Array(transport.rows);
  const p = new Float64Array(2 * wide + 1);
  const moved = cellsOf.map((cells, variable) => {
    p.fill(0);
    for (const cell of cells) p[wide + cell]! += layout.at(cell).factor;
    const { open, outside } = transport.residual({ reach: wide, p, left: none, right: none });
    linear[variable]! += weight * outside;
    const rows = open.reduce<number[]>((all, x, row) => {
      if (Math.abs(x) > UNMOVED) all.push(row);
      return all;
    }, []);
    for (const row of rows) isOpen[row] = 1;
    return { rows, by: rows.map((row) => weight * open[row]!) };
  });
  const open = Uint32Array.from([...isOpen.keys()].filter((row) => isOpen[row]));
  const placeOf = new Uint32Array(transport.rows);
  open.forEach((row, i) => {
    placeOf[row] = i;
  });
  const dense = moved.map(({ rows, by }) => {
    const own = new Float64Array(open.length);
    rows.forEach((row, i) => {
      own[placeOf[row]!] = by[i]!;
    });
    return own;
  });
  return { linear, mass, mean, dense, open, width: transport.rows };
}

/** W aside: at the cell's centre, and tails by the part of the cell that is beyond. */
function cellCost(objective: Objective, cell: number, grain: number): number {
  const own = costAt({ ...objective, tails: [] }, cell * grain);
  return objective.tails.reduce((sum, { beyond, weight }) => {
    const outer = (Math.abs(cell) + 0.5) * grain - (beyond + 0.5);
    return sum + weight * Math.max(0, Math.min(1, outer / grain));
  }, own);
}

/** The input's masses split between the nearest points of a lattice of `grain` steps around its middle. */
function onCells(prior: Pmf, grain: number): Pmf {
  if (grain === 1) return prior;
  const { half, origin } = cellsOfInput(prior.weights.length, grain);
  const weights = new Array<bigint>(2 * half + 1).fill(0n);
  prior.weights.forEach((weight, i) => {
    const x = (i - origin) / grain;
    const cell = Math.max(0, Math.min(Math.floor(x), 2 * half - 1));
    const part = (weight * BigInt(Math.round(Math.min(1, x - cell) * 2 ** 30))) >> 30n;
    weights[cell]! += weight - part;
    weights[cell + 1]! += part;
  });
  return windowPmf(prior.step, 0, weights);
}

/** Cells of an input on 0 … points − 1: as many on either side of its middle, the first centred at `origin`. */
export function cellsOfInput(points: number, grain: number): { half: number; origin: number } {
  const middle = (points - 1) / 2;
  const half = Math.max(1, Math.ceil(middle / grain));
  return { half, origin: middle - half * grain };
}

/** Inside: falls a little less than it may. */
function startOf({ epsilon, delta, objective }: ApproximateProblem, layout: Layout, mass: Float64Array) {
  const { adjacency, reach, count, from, to } = layout;
  const free = from === to;
  const start = new Float64Array(count);
  const slope = ((free ? 0.9 : 0.97) * epsilon) / adjacency;
  for (let cell = -reach; cell <= reach; cell++) {
    const { variable, factor } = layout.at(cell);
    if (factor === 1) start[variable] = Math.exp(-slope * Math.abs(cell));
  }
  let [total, whole] = [0, 0];
  for (let v = 0; v < count; v++) {
    total += start[v]! * mass[v]!;
    whole += mass[v]!;
  }
  // Somewhat even throughout, so that no point is too far from where it ends; not where what is far out is all that counts.
  const even = objective.tails.length > 0 || !free ? 0 : delta / 4;
  return start.map((v) => ((1 - even) * v) / total + even / whole);
}

/**
 * p ≥ 0, and p(j) − e^ε·p(j + s) for every shift s, each shift a group; beyond the reach p is 0. A row between two tied cells is
 * that of one adjacency further in, divided by e^ε: one row stands for all of them.
 */
function shiftRows(layout: Layout, growth: number) {
  const { adjacency: m, reach, count, symmetric } = layout;
  const [i, j, a, b, group]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  const add = (vi: number, ai: number, vj: number, aj: number, g: number) => {
    i.push(vi);
    a.push(ai);
    j.push(vj);
    b.push(aj);
    group.push(g);
  };
  for (let v = 0; v < count; v++) add(v, -1, -1, 0, -1);
  const shifts: number[] = [];
  const cellsOf: number[][] = [];
  for (let s = symmetric ? 1 : -m; s <= m; s++) {
    if (s === 0) continue;
    const rowAt = new Map<number, number>();
    // From the middle outward, so that the row further in is there already.
    for (const side of [1, -1])
      for (let distance = side > 0 ? 0 : 1; distance <= reach; distance++) {
        const cell = side * distance;
        const other = cell + s;
        const inner = rowAt.get(cell - side * m);
        if (inner !== undefined && cell * other > 0 && isTied(layout, cell) && isTied(layout, other)) {
          rowAt.set(cell, inner);
          cellsOf[inner - count]!.push(cell);
          continue;
        }
        rowAt.set(cell, i.length);
        cellsOf.push([cell]);
        const own = layout.at(cell);
        if (Math.abs(other) > reach) add(own.variable, own.factor, -1, 0, shifts.length);
        else {
          const at = layout.at(other);
          add(own.variable, own.factor, at.variable, -growth * at.factor, shifts.length);
        }
      }
    shifts.push(s);
  }
  cellsOf.forEach(({ length }, r) => {
    let times = 1;
    for (let t = 1; t < length; t++) times += growth ** -t;
    a[count + r]! *= times;
    b[count + r]! *= times;
  });
  const rows: SparseRows = {
    i: Int32Array.from(i),
    j: Int32Array.from(j),
    a: Float64Array.from(a),
    b: Float64Array.from(b),
    group: Int32Array.from(group),
  };
  return { rows, shifts, cellsOf };
}
