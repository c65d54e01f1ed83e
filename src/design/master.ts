// The best mixture of the columns found so far: minimise Σ_k |Σ_j α_j r_j(k)| + Σ_j α_j ℓ_j over mixtures α.
// Each solve starts from the last one's iterate, and its duals, well inside the box while the tolerance
// is loose, price the next columns [GGM13].

import { type Iterate, interiorPoint } from '../solve/index.js';

export interface Column {
  /** The rows whose absolute values are summed. */
  readonly rows: Float64Array;
  readonly linear: number;
}

export interface Mixture {
  readonly shares: Float64Array;
  /** The dual of the rows, within [−1, 1]. */
  readonly y: Float64Array;
  /** Σ_k |Σ_j α_j r_j(k)| + Σ_j α_j ℓ_j at these shares. */
  readonly value: number;
  /** Multiplications it took, roughly. */
  readonly work: number;
  /** Rows were told apart that shared a dual: the next solution will differ. */
  readonly isRefined: boolean;
}

export interface Master {
  add(column: Column): void;
  /** To a relative gap of `tolerance`; untrusted, only ever a start for a bound. `visit` sees the duals on the way. */
  solve(tolerance: number, visit: (y: Float64Array) => void): Mixture;
}

/** How far a start draws in, in units of the gap it comes from. */
const ROOM = 3;
/** Rows are gathered into about this many blocks at first. */
const BLOCKS = 100;
/** Inputs of more rows than this are smooth enough to need few columns, and finer blocks cost little. */
const LONG = 4000;
const FINE = 2000;

export function makeMaster(length: number): Master {
  const columns: Column[] = [];
  // Neighbouring rows share a dual until their residual is seen to change sign among them.
  let edges: number[] = [];
  const blocks = length > LONG ? FINE : BLOCKS;
  for (let i = 0; i <= blocks; i++) {
    const edge = Math.round((i * length) / blocks);
    if (edges[edges.length - 1] !== edge) edges.push(edge);
  }
  let last: { shares: Float64Array; y: Float64Array; gap: number } | null = null;

  return {
    add(column) {
      columns.push(column);
    },
    solve(tolerance, visit) {
      const count = columns.length;
      const sums = columns.map(({ rows }) => blockSums(rows, edges));
      // Blocks in which all columns have one sign are linear; the others are open.
      const signs = new Float64Array(edges.length - 1);
      const open: number[] = [];
      for (let i = 0; i < signs.length; i++) {
        let [low, high] = [0, 0];
        for (const sum of sums) {
          low = Math.min(low, sum[i]!);
          high = Math.max(high, sum[i]!);
        }
        if (low < 0 && high > 0) open.push(i);
        else signs[i] = high > 0 ? 1 : low < 0 ? -1 : 0;
      }
      const spread = (y: Float64Array): Float64Array => {
        const blocks = signs.slice();
        for (let i = 0; i < open.length; i++) blocks[open[i]!] = Math.max(-1, Math.min(1, y[i]!));
        const all = new Float64Array(length);
        for (let i = 0; i < blocks.length; i++) all.fill(blocks[i]!, edges[i]!, edges[i + 1]!);
        return all;
      };
      let mixture: { shares: Float64Array; y: Float64Array; gap: number };
      let iterations = 0;
      if (count === 1) {
        mixture = { shares: Float64Array.of(1), y: spread(new Float64Array(open.length)), gap: 1 };
        visit(mixture.y);
      } else {
        const linear = Float64Array.from(columns, ({ linear: own }, j) => {
          let sum = own;
          for (let i = 0; i < signs.length; i++) sum += signs[i]! * sums[j]![i]!;
          return sum;
        });
        const dense = sums.map((sum) => Float64Array.from(open, (i) => sum[i]!));
        const sparse = {
          i: Int32Array.from(columns, (_, j) => j),
          j: new Int32Array(count).fill(-1),
          a: new Float64Array(count).fill(-1),
          b: new Float64Array(count),
          group: new Int32Array(count).fill(-1),
        };
        const start =
          last && last.shares.length > 1
            ? warmStart(
                last.shares,
                Float64Array.from(open, (i) => last!.y[edges[i]!]!),
                Math.min(0.5, ROOM * last.gap),
                linear,
                dense,
              )
            : new Float64Array(count).fill(1 / count);
        const run = (from: Float64Array | Iterate) =>
          interiorPoint(
            {
              linear,
              dense,
              sparse,
              budgets: [],
              equalities: [{ row: new Float64Array(count).fill(1), value: 1 }],
            },
            from,
            {
              tolerance,
              iterations: 60,
              visit: (y) => {
                iterations++;
                visit(spread(y));
              },
            },
          );
        let result = run(start);
        // A start from the last solution that stalls is made up for by one from the middle.
        if (result.gap > 10 * tolerance && !(start instanceof Float64Array)) {
          const again = run(new Float64Array(count).fill(1 / count));
          if (again.gap < result.gap) result = again;
        }
        let total = 0;
        for (const share of result.x) total += Math.max(0, share);
        mixture = {
          shares: result.x.map((share) => Math.max(0, share) / total),
          y: spread(result.y),
          gap: Math.max(result.gap, tolerance),
        };
      }
      last = mixture;
      const residual = new Float64Array(length);
      let value = 0;
      for (let j = 0; j < count; j++) {
        const { rows, linear } = columns[j]!;
        const share = mixture.shares[j]!;
        value += share * linear;
        for (let k = 0; k < length; k++) residual[k]! += share * rows[k]!;
      }
      for (const v of residual) value += Math.abs(v);
      const before = edges.length;
      edges = split(edges, residual, tolerance * Math.abs(value));
      const work = (iterations * open.length * count * count) / 2;
      return { ...mixture, value, work, isRefined: edges.length > before };
    },
  };
}

function blockSums(rows: Float64Array, edges: readonly number[]): Float64Array {
  const sums = new Float64Array(edges.length - 1);
  for (let i = 0; i < sums.length; i++) {
    let sum = 0;
    for (let k = edges[i]!; k < edges[i + 1]!; k++) sum += rows[k]!;
    sums[i] = sum;
  }
  return sums;
}

/**
 * Where the residual's signs cancel within blocks by more than a part of the tolerance in all, the worst of
 * them are cut in two, where most of one sign lies on either side.
 */
function split(edges: readonly number[], residual: Float64Array, tolerance: number): number[] {
  const losses = edges.slice(0, -1).map((from, i) => {
    let [sum, size, most, at] = [0, 0, 0, from];
    for (let k = from; k < edges[i + 1]!; k++) {
      sum += residual[k]!;
      size += Math.abs(residual[k]!);
      if (Math.abs(sum) > most && k + 1 < edges[i + 1]!) [most, at] = [Math.abs(sum), k + 1];
    }
    return { loss: size - Math.abs(sum), at };
  });
  let rest = losses.reduce((sum, { loss }) => sum + loss, 0);
  const cuts: number[] = [];
  for (const { loss, at } of losses.sort((a, b) => b.loss - a.loss)) {
    if (rest <= ALLOWED * tolerance) break;
    cuts.push(at);
    rest -= loss;
  }
  return [...new Set([...edges, ...cuts])].sort((a, b) => a - b);
}

/** Of the tolerance, what blocks may hide. */
const ALLOWED = 0.3;

/**
 * Feasible on both sides, and as far from the boundary as `room` says: the last shares with some for the
 * new columns, the last duals drawn in, and whatever follows from them.
 */
function warmStart(
  shares: Float64Array,
  y0: Float64Array,
  room: number,
  linear: Float64Array,
  dense: readonly Float64Array[],
): Iterate {
  const [count, n] = [dense.length, y0.length];
  const rows = n + count;
  const [x, plus, minus, y] = [
    new Float64Array(count),
    new Float64Array(rows),
    new Float64Array(rows),
    new Float64Array(rows),
  ];
  for (let j = 0; j < count; j++)
    x[j] = (1 - room) * (shares[j] ?? 0) + (j < shares.length ? 0 : room / (count - shares.length));
  let total = 0;
  for (let j = 0; j < count; j++) total += x[j] = Math.max(x[j]!, (0.1 * room) / count);
  for (let j = 0; j < count; j++) x[j]! /= total;
  let value = 0;
  const at = new Float64Array(n);
  for (let j = 0; j < count; j++) {
    const [column, share] = [dense[j]!, x[j]!];
    value += share * linear[j]!;
    for (let k = 0; k < n; k++) at[k]! += share * column[k]!;
  }
  for (let k = 0; k < n; k++) value += Math.abs(at[k]!);
  const mu = (room * Math.abs(value)) / (2 * n + count);
  for (let k = 0; k < n; k++) {
    // Every product within a factor of ten of mu: a large residual draws its dual to its sign.
    const size = Math.abs(at[k]!);
    const drawn = (1 - room) * y0[k]! * Math.sign(at[k]!);
    const dual = size > 10 * mu ? Math.max(drawn, 1 - (10 * mu) / size) : drawn;
    y[k] = dual * (at[k]! < 0 ? -1 : 1);
    const pad = mu / (1 + dual);
    plus[k] = Math.max(at[k]!, 0) + pad;
    minus[k] = Math.max(-at[k]!, 0) + pad;
  }
  let least = Infinity;
  for (let j = 0; j < count; j++) {
    let cost = linear[j]!;
    const column = dense[j]!;
    for (let k = 0; k < n; k++) cost += y[k]! * column[k]!;
    y[n + j] = cost;
    minus[n + j] = x[j]!;
    least = Math.min(least, cost);
  }
  const lambda = least - mu * count;
  for (let j = 0; j < count; j++) y[n + j]! -= lambda;
  const none = new Float64Array(0);
  return { x, plus, minus, y, groups: none, slacks: none, equalities: Float64Array.of(lambda) };
}
