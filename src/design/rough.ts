// δ = 0 for inputs that need hundreds of level functions: one programme in the probabilities themselves, on the input's range and
// some way beyond, with geometric tails; the duals of W on knots, close where the optimum is rough. Untrusted: what comes out is
// valued, priced and compiled like any other noise (proofs/optimal-noise.md).

import { nearRows, solveBanded } from '../solve/index.js';
import type { PureProblem } from './level-column.js';
import type { NoiseDoubles, TailMass, Transport } from './transport.js';

/** Probabilities from `from` on; beyond both ends they fall by q every `adjacency` points. */
export interface Written {
  readonly from: number;
  readonly p: Float64Array;
}

export interface Rough {
  readonly noise: Written;
  readonly value: number;
  /** The dual of every open row. */
  readonly y: Float64Array;
}

/** Iterates are looked at below this complementarity. */
const NEAR = 1e-4;
const ITERATIONS = 100;
const LEAST_ITERATIONS = 20;
/** Looks without a better gap after which it is given up. */
const PATIENCE = 6;
/** Probabilities are scaled by what geometric noise has there, at least this. */
const LEAST = 1e-6;
/** Knots are at most 1 + this part of the distance from the rough ends apart: coarse first, then finer. */
export const WIDENINGS = [0.028, 0.009] as const;

/** Multiplications of an iteration beyond which it is too large to be tried. */
const LARGEST = 1e10;

/** Is it small enough to be tried? */
export function isRoughSmall(problem: PureProblem): boolean {
  const { rows } = problem.transport!;
  return workOf(problem, knotsOf(rows, problem.adjacency, WIDENINGS[0]).length) <= LARGEST;
}

/** Multiplications of an iteration, with R knots. */
function workOf({ adjacency: m, transport }: PureProblem, R: number): number {
  const N = pointsOf(transport!.rows, m);
  return (R ** 2 * N) / 2 + R ** 3 / 3 + R * N * (m + 100);
}

/** The input's range, and ten adjacencies around it. */
function pointsOf(rows: number, m: number): number {
  return rows + 1 + 10 * m;
}

/**
 * `look` values and prices what was found, and tells the gap it leaves; `isEnough`, or that much work, ends it. Returns the work
 * done; finer knots for which the work does not suffice are not begun.
 */
export function solveRough(
  problem: PureProblem,
  widening: number,
  look: (found: Rough) => number,
  { isEnough, work }: { isEnough: () => boolean; work: number },
): number {
  const { adjacency: m, q } = problem;
  const transport = problem.transport!;
  const from = -6 * m;
  const N = pointsOf(transport.rows, m);
  const knots = knotsOf(transport.rows, m, widening);
  const scale = Float64Array.from({ length: N }, (_, v) => Math.max(q ** (Math.abs(v + from) / m), LEAST));
  const each = workOf(problem, knots.length);
  if (widening < WIDENINGS[0] && work < LEAST_ITERATIONS * each) return 0;
  const { linear, weights, dense } = columnsOf(problem, transport, from, N, knots, scale);
  let [best, since, done] = [Infinity, 0, 0];
  solveBanded(
    { linear, weights, dense, near: nearRows(privacyRows(N, m, 1 / q, scale), N) },
    {
      iterations: Math.max(LEAST_ITERATIONS, Math.min(ITERATIONS, Math.floor(work / each))),
      show: NEAR,
      isOver() {
        done += each;
        return isEnough();
      },
      visit(x, y) {
        const p = raised(
          x.map((v, k) => v * scale[k]!),
          m,
          q,
        );
        const value = valueOfWritten(problem, transport, { from, p });
        const gap = look({ noise: { from, p }, value, y: expanded(y, knots, transport.rows) });
        if (gap < best) [best, since] = [gap, 0];
        else since++;
        return isEnough() || since > PATIENCE;
      },
    },
  );
  return done;
}

/** Close together near both ends, wider apart in between. */
function knotsOf(rows: number, m: number, widening: number): number[] {
  const last = rows - 1;
  const [atStart, atEnd] = [Math.max(Math.min(10 * m, 100), 2 * m), Math.max(Math.min(6 * m, 64), m)];
  const roughly = (k: number) => Math.min(Math.max(0, k - atStart), Math.max(0, rows + 1 - atEnd - k));
  const most = (k: number) => Math.min(rows / 10, widening * roughly(k) + 1);
  const knots = [0];
  for (let k = 0; k < last; ) {
    let width = Math.max(1, Math.floor(most(k)));
    while (width > 1 && width > most(k + width)) width--;
    k = Math.min(last, k + width);
    knots.push(k);
  }
  return knots;
}

/** Linear between knots. */
function expanded(y: Float64Array, knots: readonly number[], rows: number): Float64Array {
  const all = new Float64Array(rows);
  for (let i = 0; i < knots.length; i++) {
    const [here, next] = [knots[i]!, knots[i + 1] ?? knots[i]! + 1];
    for (let k = here; k < next && k < rows; k++) {
      const along = (k - here) / (next - here);
      const v = (1 - along) * y[i]! + (along > 0 ? along * y[i + 1]! : 0);
      all[k] = Math.max(-1, Math.min(1, v));
    }
  }
  return all;
}

/** What one unit of each variable costs, weighs, and does to the knots' rows; the outermost ones with all that repeats them. */
function columnsOf(
  { adjacency: m, q, objective }: PureProblem,
  transport: Transport,
  from: number,
  N: number,
  knots: readonly number[],
  scale: Float64Array,
) {
  const reach = Math.max(-from, from + N, transport.rows + 1) + m;
  const [linear, weights] = [new Float64Array(N), new Float64Array(N)];
  const dense = knots.map(() => new Float64Array(N));
  const none: TailMass = { mass: 0, excess: 0 };
  for (let v = 0; v < N; v++) {
    const noise: { p: Float64Array; left: TailMass; right: TailMass } = {
      p: new Float64Array(2 * reach + 1),
      left: none,
      right: none,
    };
    noise.p[reach + from + v] = scale[v]!;
    let mass = scale[v]!;
    for (const side of [1, -1] as const) {
      if (side > 0 ? v < N - m : v >= m) continue;
      let [at, part] = [from + v + side * m, scale[v]! * q];
      for (; Math.abs(at) <= reach; at += side * m, part *= q) noise.p[reach + at]! += part;
      // Σ q^t over all further ones, and how far beyond the window they are.
      const beyond = part / (1 - q);
      const excess = (Math.abs(at) - reach) * beyond + (m * part * q) / (1 - q) ** 2;
      if (side > 0) noise.right = { mass: beyond, excess };
      else noise.left = { mass: beyond, excess };
      mass += (scale[v]! * q) / (1 - q);
    }
    const { open, outside } = transport.residual({ reach, ...noise });
    linear[v] = objective.wasserstein * outside;
    weights[v] = mass;
    for (let i = 0; i < knots.length; i++) {
      const [here, next] = [knots[i]!, knots[i + 1] ?? knots[i]! + 1];
      for (let k = here; k < next; k++) {
        const along = (k - here) / (next - here);
        const own = objective.wasserstein * open[k]!;
        dense[i]![v]! += (1 - along) * own;
        if (along > 0) dense[i + 1]![v]! += along * own;
      }
    }
  }
  return { linear, weights, dense };
}

/** e^ε·p(j) ≥ p(i) within the adjacency, and at both ends no rise outward; each row divided by the larger scale. */
function privacyRows(N: number, m: number, growth: number, scale: Float64Array) {
  const rows: { i: number; a: number; j: number; b: number }[] = [];
  const add = (i: number, a: number, j: number, b: number) => {
    const by = 1 / Math.max(scale[i]!, scale[j]!);
    rows.push({ i, a: a * scale[i]! * by, j, b: b * scale[j]! * by });
  };
  for (let s = 1; s <= m; s++)
    for (let v = 0; v + s < N; v++) {
      add(v, -1, v + s, growth);
      add(v + s, -1, v, growth);
    }
  for (let r = 1; r < m; r++) {
    add(N - m + r, -1, N - m + r - 1, 1);
    add(m - 1 - r, -1, m - r, 1);
  }
  return rows;
}

/** The least values not below the given ones that keep the ratios, and do not rise outward at the ends. */
function raised(p: Float64Array, m: number, q: number): Float64Array {
  const N = p.length;
  const values = p.map((v) => Math.max(v, Number.MIN_VALUE));
  for (let pass = 0; pass < 8; pass++) {
    let changed = false;
    const lift = (k: number, least: number) => {
      if (!(values[k]! < least)) return;
      values[k] = least;
      changed = true;
    };
    for (let r = m - 1; r >= 1; r--) {
      lift(N - m + r - 1, values[N - m + r]!);
      lift(m - r, values[m - 1 - r]!);
    }
    for (let k = 0; k < N; k++)
      for (let s = 1; s <= m; s++) {
        if (k + s < N) lift(k, q * values[k + s]!);
        if (k - s >= 0) lift(k, q * values[k - s]!);
      }
    if (!changed) break;
  }
  return values;
}

/** Written noise, normalised, on −reach … reach and beyond. */
function valueOfWritten(
  { adjacency: m, q, objective }: PureProblem,
  transport: Transport,
  { from, p }: Written,
): number {
  const reach = Math.max(-from, from + p.length, transport.rows + 1) + m;
  const whole = new Float64Array(2 * reach + 1);
  whole.set(p, reach + from);
  for (let k = from + p.length; k <= reach; k++) whole[reach + k] = q * whole[reach + k - m]!;
  for (let k = from - 1; k >= -reach; k--) whole[reach + k] = q * whole[reach + k + m]!;
  const tail = (get: (i: number) => number): TailMass => {
    let [mass, first] = [0, 0];
    for (let i = 0; i < m; i++) {
      mass += get(i);
      first += get(i) * (i + 1);
    }
    return { mass: (mass * q) / (1 - q), excess: (first * q) / (1 - q) + (m * mass * q * q) / (1 - q) ** 2 };
  };
  const left = tail((i) => whole[m - 1 - i]!);
  const right = tail((i) => whole[2 * reach - m + 1 + i]!);
  const total = whole.reduce((sum, v) => sum + v, 0) + left.mass + right.mass;
  const part = ({ mass, excess }: TailMass) => ({ mass: mass / total, excess: excess / total });
  const noise: NoiseDoubles = {
    reach,
    p: whole.map((v) => v / total),
    left: part(left),
    right: part(right),
  };
  const { open, outside } = transport.residual(noise);
  return objective.wasserstein * open.reduce((sum, v) => sum + Math.abs(v), outside);
}
