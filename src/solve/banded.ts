// Linear programmes whose constraints tie only near variables together, in doubles:
//
//   minimise  linear·x + Σ_dense |g·x|   where  near rows ≥ 0  and  weights·x = 1,
//
// by an infeasible primal-dual interior point method with Mehrotra's predictor and corrector [Meh92] and Gondzio's centrality
// correctors [Gon96]. The Newton matrix is a band and as many outer products as there are dense rows; what comes out is untrusted.

import { bandedOf, type NearRows } from './band.js';
import { factor, solve } from './cholesky.js';
import { addTimes, inner, innerProducts } from './products.js';

export interface BandedProgramme {
  readonly linear: Float64Array;
  /** Each over all variables. */
  readonly dense: readonly Float64Array[];
  readonly near: NearRows;
  readonly weights: Float64Array;
}

export interface BandedStop {
  readonly iterations: number;
  /** Below this relative complementarity every iterate is shown, and in any case the last one; true ends it. */
  readonly show: number;
  /** Told of an iterate: the variables, and the duals of the dense rows. */
  readonly visit: (x: Float64Array, y: Float64Array) => boolean;
  /** Asked before each iteration: true ends it. */
  readonly isOver: () => boolean;
}

/** Of the way to the boundary, what is gone. */
const DAMPING = 0.99;
const CORRECTORS = 2;
/** Passes at most that take the factor's rounding and regularisation out of a solution again. */
const REFINEMENTS = 8;

interface Point {
  readonly x: Float64Array;
  /** Of the near rows, and their duals. */
  readonly slack: Float64Array;
  readonly z: Float64Array;
  /** The dense rows' positive and negative parts, and their duals within ±1. */
  readonly plus: Float64Array;
  readonly minus: Float64Array;
  readonly y: Float64Array;
  level: number;
}

interface Targets {
  readonly plus: Float64Array;
  readonly minus: Float64Array;
  readonly slack: Float64Array;
}

/** From x constant, which need not meet the near rows: a start that does crawls. */
export function solveBanded(programme: BandedProgramme, stop: BandedStop): void {
  const { linear, dense, near, weights } = programme;
  const [N, R, S] = [linear.length, dense.length, near.i.length];
  const at = firstPoint(programme);
  const pairs = 2 * R + S;
  const band = bandedOf(near, N);
  const V = dense.map(() => new Float64Array(N));
  const K = new Float64Array(R * R);
  const scale = new Float64Array(R);
  for (let iteration = 0; iteration < stop.iterations; iteration++) {
    const { x, slack, z, plus, minus, y } = at;
    const rows = dense.map((row) => inner(row, x));
    let [products, value, missing] = [0, inner(linear, x), 1 - inner(weights, x)];
    const restRows = new Float64Array(R);
    for (let i = 0; i < R; i++) {
      restRows[i] = rows[i]! - plus[i]! + minus[i]!;
      products += plus[i]! * (1 - y[i]!) + minus[i]! * (1 + y[i]!);
      value += Math.abs(rows[i]!);
    }
    const restNear = near.apply(x);
    for (let r = 0; r < S; r++) {
      restNear[r]! -= slack[r]!;
      products += slack[r]! * z[r]!;
    }
    const restDual = near.gather(z);
    for (let k = 0; k < N; k++) restDual[k] = linear[k]! - restDual[k]! - weights[k]! * at.level;
    for (let i = 0; i < R; i++) addTimes(restDual, dense[i]!, y[i]!);
    const gap = products / Math.abs(value);
    if (!Number.isFinite(gap)) return;
    const isLast = iteration === stop.iterations - 1 || stop.isOver();
    if ((gap < stop.show || isLast) && stop.visit(x, y)) return;
    if (gap < 1e-13 || isLast) return;

    // H = band + Gᵀ·W·G, by the band's factor and that of W⁻¹ + V·Vᵀ, V = G·L⁻ᵀ.
    const ratios = z.map((v, r) => v / slack[r]!);
    band.factor(ratios);
    const W = new Float64Array(R);
    for (let i = 0; i < R; i++) {
      V[i]!.set(dense[i]!);
      band.solveLower(V[i]!);
      W[i] = 1 / (plus[i]! / (1 - y[i]!) + minus[i]! / (1 + y[i]!));
    }
    innerProducts(V, K, R);
    for (let i = 0; i < R; i++) {
      K[i * R + i]! += 1 / W[i]!;
      scale[i] = 1 / Math.sqrt(K[i * R + i]!);
    }
    for (let i = 0; i < R; i++) for (let j = 0; j <= i; j++) K[i * R + j]! *= scale[i]! * scale[j]!;
    factor(K, R);
    const once = (b: Float64Array): Float64Array => {
      const t = b.slice();
      band.solveLower(t);
      const g = Float64Array.from(V, (row, i) => inner(row, t) * scale[i]!);
      solve(K, R, g);
      for (let i = 0; i < R; i++) addTimes(t, V[i]!, -g[i]! * scale[i]!);
      band.solveUpper(t);
      return t;
    };
    const times = (v: Float64Array): Float64Array => {
      const own = near.apply(v);
      for (let r = 0; r < S; r++) own[r]! *= ratios[r]!;
      const result = near.gather(own);
      for (let i = 0; i < R; i++) addTimes(result, dense[i]!, W[i]! * inner(dense[i]!, v));
      return result;
    };
    const solveH = (b: Float64Array): Float64Array => {
      const result = once(b);
      const size = Math.sqrt(inner(b, b));
      for (let pass = 0, before = Infinity; pass < REFINEMENTS; pass++) {
        const rest = times(result);
        for (let k = 0; k < N; k++) rest[k] = b[k]! - rest[k]!;
        const left = Math.sqrt(inner(rest, rest));
        if (left < Math.max(1e-15, 1e-7 * gap) * size || left > before / 2) break;
        before = left;
        addTimes(result, once(rest), 1);
      }
      return result;
    };
    const solvedWeights = solveH(weights);
    const weightsSquared = inner(weights, solvedWeights);
    const direction = (targets: Targets): Move => {
      const g = new Float64Array(R);
      const right = new Float64Array(S);
      for (let r = 0; r < S; r++) right[r] = (targets.slack[r]! - z[r]! * restNear[r]!) / slack[r]!;
      const b = near.gather(right);
      for (let k = 0; k < N; k++) b[k]! -= restDual[k]!;
      for (let i = 0; i < R; i++) {
        g[i] = W[i]! * (restRows[i]! - targets.plus[i]! / (1 - y[i]!) + targets.minus[i]! / (1 + y[i]!));
        addTimes(b, dense[i]!, -g[i]!);
      }
      const dx = solveH(b);
      const dLevel = (missing - inner(weights, dx)) / weightsSquared;
      addTimes(dx, solvedWeights, dLevel);
      return moveOf(programme, at, targets, { dx, dLevel, g, W, restNear });
    };
    const targets: Targets = {
      plus: plus.map((v, i) => -v * (1 - y[i]!)),
      minus: minus.map((v, i) => -v * (1 + y[i]!)),
      slack: slack.map((v, r) => -v * z[r]!),
    };
    let move = direction(targets);
    const after = productsAfter(at, move);
    const centre = (Math.min(1, Math.max(1e-4, (after / products) ** 3)) * products) / pairs;
    for (let i = 0; i < R; i++) {
      targets.plus[i]! += centre + move.plus[i]! * move.y[i]!;
      targets.minus[i]! += centre - move.minus[i]! * move.y[i]!;
    }
    for (let r = 0; r < S; r++) targets.slack[r]! += centre - move.slack[r]! * move.z[r]!;
    move = direction(targets);
    for (let n = 0; n < CORRECTORS; n++) {
      const next = direction(centred(at, move, targets, centre));
      const better =
        next.primal >= 1.01 * move.primal ||
        (next.dual >= 1.01 * move.dual &&
          Math.min(next.primal, next.dual) >= 0.9 * Math.min(move.primal, move.dual));
      if (!better) break;
      const kept = centred(at, move, targets, centre);
      targets.plus.set(kept.plus);
      targets.minus.set(kept.minus);
      targets.slack.set(kept.slack);
      move = next;
    }
    const p = move.primal < 1 ? DAMPING * move.primal : 1;
    const d = move.dual < 1 ? DAMPING * move.dual : 1;
    addTimes(x, move.x, p);
    addTimes(plus, move.plus, p);
    addTimes(minus, move.minus, p);
    addTimes(slack, move.slack, p);
    addTimes(y, move.y, d);
    addTimes(z, move.z, d);
    at.level += d * move.level;
  }
}

function firstPoint({ linear, dense, near, weights }: BandedProgramme): Point {
  const even = 1 / weights.reduce((sum, v) => sum + v, 0);
  const x = new Float64Array(linear.length).fill(even);
  const rows = Float64Array.from(dense, (row) => inner(row, x));
  const size = rows.reduce((sum, v) => sum + Math.abs(v), 0);
  const mean = size / Math.max(1, rows.length);
  const value = inner(linear, x) + size;
  const slack = near.apply(x).map((v) => Math.max(v, 0.1 * even));
  return {
    x,
    slack,
    z: slack.map((v) => value / (slack.length * v)),
    plus: rows.map((v) => Math.max(v, 0) + mean),
    minus: rows.map((v) => Math.max(-v, 0) + mean),
    y: new Float64Array(rows.length),
    level: 0,
  };
}

/** Where to go, and how far at most. */
interface Move {
  readonly x: Float64Array;
  readonly plus: Float64Array;
  readonly minus: Float64Array;
  readonly slack: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  readonly level: number;
  readonly primal: number;
  readonly dual: number;
}

function moveOf(
  { dense, near }: BandedProgramme,
  { plus, minus, slack, y, z }: Point,
  targets: Targets,
  found: {
    readonly dx: Float64Array;
    readonly dLevel: number;
    readonly g: Float64Array;
    readonly W: Float64Array;
    readonly restNear: Float64Array;
  },
): Move {
  const { dx, dLevel, g, W, restNear } = found;
  const R = dense.length;
  const [dy, dPlus, dMinus] = [new Float64Array(R), new Float64Array(R), new Float64Array(R)];
  let [primal, dual] = [1, 1];
  for (let i = 0; i < R; i++) {
    const v = W[i]! * inner(dense[i]!, dx) + g[i]!;
    dy[i] = v;
    dPlus[i] = (targets.plus[i]! + plus[i]! * v) / (1 - y[i]!);
    dMinus[i] = (targets.minus[i]! - minus[i]! * v) / (1 + y[i]!);
    if (dPlus[i]! < 0) primal = Math.min(primal, -plus[i]! / dPlus[i]!);
    if (dMinus[i]! < 0) primal = Math.min(primal, -minus[i]! / dMinus[i]!);
    if (v > 0) dual = Math.min(dual, (1 - y[i]!) / v);
    if (v < 0) dual = Math.min(dual, -(1 + y[i]!) / v);
  }
  const dSlack = near.apply(dx);
  const dz = new Float64Array(dSlack.length);
  for (let r = 0; r < dz.length; r++) {
    const v = dSlack[r]! + restNear[r]!;
    dSlack[r] = v;
    dz[r] = (targets.slack[r]! - z[r]! * v) / slack[r]!;
    if (v < 0) primal = Math.min(primal, -slack[r]! / v);
    if (dz[r]! < 0) dual = Math.min(dual, -z[r]! / dz[r]!);
  }
  return { x: dx, plus: dPlus, minus: dMinus, slack: dSlack, y: dy, z: dz, level: dLevel, primal, dual };
}

function productsAfter({ plus, minus, slack, y, z }: Point, move: Move): number {
  const { primal: p, dual: d } = move;
  let sum = 0;
  for (let i = 0; i < y.length; i++) {
    const dy = d * move.y[i]!;
    sum +=
      (plus[i]! + p * move.plus[i]!) * (1 - y[i]! - dy) + (minus[i]! + p * move.minus[i]!) * (1 + y[i]! + dy);
  }
  for (let r = 0; r < z.length; r++) sum += (slack[r]! + p * move.slack[r]!) * (z[r]! + d * move.z[r]!);
  return sum;
}

/** Targets that pull products that would be far from the centre back toward it, a little further along. */
function centred({ plus, minus, slack, y, z }: Point, move: Move, targets: Targets, centre: number): Targets {
  const p = Math.min(1, 1.5 * move.primal + 0.1);
  const d = Math.min(1, 1.5 * move.dual + 0.1);
  const missing = (product: number) =>
    Math.max(
      -10 * centre,
      product < 0.1 * centre ? 0.1 * centre - product : product > 10 * centre ? 10 * centre - product : 0,
    );
  return {
    plus: targets.plus.map(
      (v, i) => v + missing((plus[i]! + p * move.plus[i]!) * (1 - y[i]! - d * move.y[i]!)),
    ),
    minus: targets.minus.map(
      (v, i) => v + missing((minus[i]! + p * move.minus[i]!) * (1 + y[i]! + d * move.y[i]!)),
    ),
    slack: targets.slack.map(
      (v, r) => v + missing((slack[r]! + p * move.slack[r]!) * (z[r]! + d * move.z[r]!)),
    ),
  };
}
