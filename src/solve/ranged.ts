// A linear function of a distribution whose sums are known within bounds:
//
//   minimise  cost·x  where  x ≥ 0,  Σ x = 1,  low ≤ G·x ≤ high,
//
// by a primal-dual interior point method [Meh92] from an infeasible start. What counts is the dual: for any h,
// min_k (cost − Gᵀh)_k + Σ_i min(low_i·h_i, high_i·h_i) is a bound below, whatever the solver did.

import { factor, solve } from './cholesky.js';
import { dot, setSquares } from './programme.js';

export interface Ranged {
  /** Each holds the coefficient of every x. */
  readonly rows: readonly Float64Array[];
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Pairs that are positive, with products that go to 0: x and z, the slacks s and t of both sides with u and v. */
type Part = 'x' | 's' | 't' | 'z' | 'u' | 'v';
type Point = Readonly<Record<Part, Float64Array>> & { readonly nu: number };
const PRIMAL = ['x', 's', 't'] as const;
const DUAL = ['z', 'u', 'v'] as const;

const ITERATIONS = 60;
const DAMPING = 0.99;
/** Products, for costs from 0 to 1, at which it ends. */
const TOLERANCE = 1e-5;
/** Iterations without a better bound after which rounding has won. */
const PATIENCE = 4;

/** The multipliers of the rows that prove the most, and the least cost that they prove. */
export function rangedBound(problem: Ranged, cost: Float64Array): { h: Float64Array; value: number } {
  const { rows, low, high } = problem;
  const [n, m] = [cost.length, rows.length];
  const least = cost.reduce((a, b) => Math.min(a, b));
  const size = cost.reduce((a, b) => Math.max(a, b)) - least || 1;
  const scaled = cost.map((c) => (c - least) / size);
  const slack = high.map((v, i) => Math.max((v - low[i]!) / 2, 1e-3));
  const even = new Float64Array(n).fill(1 / n);
  const ones = (length: number) => new Float64Array(length).fill(1);
  let at: Point = { x: even, s: slack, t: slack.slice(), z: ones(n), u: ones(m), v: ones(m), nu: 0 };
  const none = new Float64Array(m);
  let best = { h: none, value: provedBy(problem, cost, none) };
  let since = 0;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const h = at.u.map((a, i) => size * (a - at.v[i]!));
    const value = provedBy(problem, cost, h);
    const residuals = residualsOf(problem, scaled, at);
    since = value > best.value || residuals.products > 1e-3 ? 0 : since + 1;
    if (value > best.value) best = { h, value };
    if (residuals.products <= TOLERANCE || since > PATIENCE) break;
    const newton = newtonAt(problem, at, residuals);
    const mu = residuals.products / (n + 2 * m);
    const guess = newton(0, null);
    const after = productsOf(moved(at, guess, lengths(at, guess)));
    const direction = newton(Math.max(1e-5, (after / residuals.products) ** 3) * mu, guess);
    at = moved(at, direction, lengths(at, direction));
    if (!Number.isFinite(at.nu)) break;
  }
  return best;
}

/** The least cost that multipliers prove. */
export function provedBy({ rows, low, high }: Ranged, cost: Float64Array, h: Float64Array): number {
  const back = gather(rows, h, cost.length);
  let least = Infinity;
  for (let k = 0; k < cost.length; k++) least = Math.min(least, cost[k]! - back[k]!);
  return least + priceOf(low, high, h);
}

/** Σ_i min(low_i·h_i, high_i·h_i) */
export function priceOf(low: Float64Array, high: Float64Array, h: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < h.length; i++) sum += h[i]! * (h[i]! > 0 ? low[i]! : high[i]!);
  return sum;
}

interface Residuals {
  readonly dual: Float64Array;
  readonly below: Float64Array;
  readonly above: Float64Array;
  readonly sum: number;
  readonly products: number;
}

// Plain loops: these are most of the time, and a function called for each number would cost more than what it does.

function residualsOf({ rows, low, high }: Ranged, cost: Float64Array, at: Point): Residuals {
  const { x, s, t, z, u, v, nu } = at;
  const [n, m] = [x.length, rows.length];
  const [h, below, above] = [new Float64Array(m), new Float64Array(m), new Float64Array(m)];
  for (let i = 0; i < m; i++) {
    const image = dot(rows[i]!, x);
    h[i] = u[i]! - v[i]!;
    below[i] = image - s[i]! - low[i]!;
    above[i] = image + t[i]! - high[i]!;
  }
  const dual = gather(rows, h, n);
  for (let k = 0; k < n; k++) dual[k] = cost[k]! - dual[k]! - nu - z[k]!;
  return { dual, below, above, sum: 1 - total(x), products: productsOf(at) };
}

/** Steps at a point, eliminated to the rows: dh = c − w·G·dx, dx = D·(a + Gᵀdh + dν), D = x / z, w = u / s + v / t. */
function newtonAt(
  { rows }: Ranged,
  at: Point,
  left: Residuals,
): (target: number, guess: Point | null) => Point {
  const { x, s, t, z, u, v } = at;
  const [n, m] = [x.length, rows.length];
  const [D, w] = [new Float64Array(n), new Float64Array(m)];
  for (let k = 0; k < n; k++) D[k] = x[k]! / z[k]!;
  for (let i = 0; i < m; i++) w[i] = u[i]! / s[i]! + v[i]! / t[i]!;
  const matrix = new Float64Array(m * m);
  if (m > 0) setSquares(rows, D, matrix);
  for (let i = 0; i < m; i++) matrix[i * m + i]! += 1 / w[i]!;
  factor(matrix, m);
  /** dx and dh for given a and c, without dν. */
  const eliminated = (a: Float64Array, c: Float64Array) => {
    const scaled = new Float64Array(n);
    for (let k = 0; k < n; k++) scaled[k] = D[k]! * a[k]!;
    const h = new Float64Array(m);
    for (let i = 0; i < m; i++) h[i] = c[i]! / w[i]! - dot(rows[i]!, scaled);
    solve(matrix, m, h);
    const out = gather(rows, h, n);
    for (let k = 0; k < n; k++) out[k] = D[k]! * (a[k]! + out[k]!);
    return out;
  };
  const along = eliminated(new Float64Array(n).fill(1), new Float64Array(m));
  return (target, guess) => {
    const aim = (p: Part, q: Part) => {
      const [own, other] = [at[p], at[q]];
      const out = new Float64Array(own.length);
      const [byP, byQ] = [guess?.[p], guess?.[q]];
      for (let i = 0; i < out.length; i++)
        out[i] = (target - (byP ? byP[i]! * byQ![i]! : 0)) / own[i]! - other[i]!;
      return out;
    };
    const [rx, rs, rt] = [aim('x', 'z'), aim('s', 'u'), aim('t', 'v')];
    const [a, c] = [new Float64Array(n), new Float64Array(m)];
    for (let k = 0; k < n; k++) a[k] = rx[k]! - left.dual[k]!;
    for (let i = 0; i < m; i++)
      c[i] = rs[i]! - (u[i]! / s[i]!) * left.below[i]! - rt[i]! - (v[i]! / t[i]!) * left.above[i]!;
    const dx = eliminated(a, c);
    const nu = (left.sum - total(dx)) / total(along);
    const dz = rx;
    for (let k = 0; k < n; k++) {
      dx[k] = dx[k]! + nu * along[k]!;
      dz[k] = rx[k]! - (z[k]! / x[k]!) * dx[k]!;
    }
    const [ds, dt, du, dv] = [new Float64Array(m), new Float64Array(m), rs, rt];
    for (let i = 0; i < m; i++) {
      const image = dot(rows[i]!, dx);
      ds[i] = image + left.below[i]!;
      dt[i] = -image - left.above[i]!;
      du[i] = rs[i]! - (u[i]! / s[i]!) * ds[i]!;
      dv[i] = rt[i]! - (v[i]! / t[i]!) * dt[i]!;
    }
    return { x: dx, s: ds, t: dt, z: dz, u: du, v: dv, nu };
  };
}

function lengths(at: Point, step: Point): readonly [primal: number, dual: number] {
  const reach = (parts: readonly Part[]) => {
    let most = 1 / DAMPING;
    for (const part of parts) {
      const [own, by] = [at[part], step[part]];
      for (let i = 0; i < own.length; i++) if (by[i]! < 0) most = Math.min(most, -own[i]! / by[i]!);
    }
    return DAMPING * most;
  };
  return [reach(PRIMAL), reach(DUAL)];
}

function moved(at: Point, step: Point, [primal, dual]: readonly [number, number]): Point {
  const by = (part: Part, length: number) => {
    const [own, way] = [at[part], step[part]];
    const out = new Float64Array(own.length);
    for (let i = 0; i < out.length; i++) out[i] = own[i]! + length * way[i]!;
    return out;
  };
  return {
    ...{ x: by('x', primal), s: by('s', primal), t: by('t', primal) },
    ...{ z: by('z', dual), u: by('u', dual), v: by('v', dual), nu: at.nu + dual * step.nu },
  };
}

function productsOf(at: Point): number {
  return dot(at.x, at.z) + dot(at.s, at.u) + dot(at.t, at.v);
}

function gather(rows: readonly Float64Array[], h: Float64Array, n: number): Float64Array {
  const out = new Float64Array(n);
  for (let i = 0; i < rows.length; i++) {
    const [row, factor] = [rows[i]!, h[i]!];
    if (factor !== 0) for (let k = 0; k < n; k++) out[k]! += factor * row[k]!;
  }
  return out;
}

function total(x: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k]!;
  return sum;
}
