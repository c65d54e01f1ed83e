// Small dense linear programmes in doubles, by a primal-dual interior point method with Mehrotra's
// predictor and corrector [Meh92]:
//
//   minimise  linear·x + Σ_dense |r·x|   where  sparse rows ≤ 0 (hard), or Σ of their positive parts ≤ δ
//   (by group),  and equalities hold.
//
// The start is strictly feasible and every iterate stays so; the dual is untrusted until it is priced.

import { factor, solve } from './cholesky.js';

export interface Programme {
  readonly linear: Float64Array;
  /** For each variable its coefficients in the rows whose absolute values are summed. */
  readonly dense: readonly Float64Array[];
  readonly sparse: SparseRows;
  /** The bound on Σ of the positive parts of each group's rows. */
  readonly budgets: readonly number[];
  readonly equalities: readonly { readonly row: Float64Array; readonly value: number }[];
}

/** Rows a·x(i) + b·x(j), one or two terms (j = −1: one); group −1 is hard: the row is at most 0. */
export interface SparseRows {
  readonly i: Int32Array;
  readonly j: Int32Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly group: Int32Array;
}

/** An iterate; rows are the dense ones, then the sparse ones, each split into plus − minus. */
export interface Iterate {
  readonly x: Float64Array;
  readonly plus: Float64Array;
  readonly minus: Float64Array;
  /** Duals: of dense rows within [−1, 1]; of sparse rows at least 0 and at most their group's. */
  readonly y: Float64Array;
  readonly groups: Float64Array;
  readonly slacks: Float64Array;
  readonly equalities: Float64Array;
}

export interface InteriorPoint extends Iterate {
  /** Complementarity and dual residual left over, relative to the value. */
  readonly gap: number;
}

export interface Stop {
  readonly tolerance: number;
  readonly iterations: number;
  readonly progress?: (gap: number) => void;
  readonly visit?: ((y: Float64Array) => void) | undefined;
}

/** From a strictly feasible x, or from an iterate. */
export function interiorPoint(
  programme: Programme,
  start: Float64Array | Iterate,
  stop: Stop,
): InteriorPoint {
  const { linear, dense, sparse, budgets, equalities } = programme;
  const N = linear.length;
  const n = dense[0]?.length ?? 0;
  const S = sparse.i.length;
  const G = budgets.length;
  const E = equalities.length;
  const rows = n + S;

  /** Row values of a vector: dense rows first, then sparse ones. */
  const apply = (v: Float64Array): Float64Array => {
    const out = new Float64Array(rows);
    for (let j = 0; j < N; j++) {
      const [column, factorJ] = [dense[j], v[j]!];
      if (n > 0 && factorJ !== 0) for (let k = 0; k < n; k++) out[k]! += factorJ * column![k]!;
    }
    for (let r = 0; r < S; r++) {
      const j = sparse.j[r]!;
      out[n + r] = sparse.a[r]! * v[sparse.i[r]!]! + (j < 0 ? 0 : sparse.b[r]! * v[j]!);
    }
    return out;
  };
  /** The transpose: row multipliers to variables. */
  const gather = (u: Float64Array): Float64Array => {
    const out = new Float64Array(N);
    if (n > 0)
      for (let j = 0; j < N; j++) {
        const column = dense[j]!;
        let sum = 0;
        for (let k = 0; k < n; k++) sum += column[k]! * u[k]!;
        out[j] = sum;
      }
    for (let r = 0; r < S; r++) {
      const [j, v] = [sparse.j[r]!, u[n + r]!];
      out[sparse.i[r]!]! += sparse.a[r]! * v;
      if (j >= 0) out[j]! += sparse.b[r]! * v;
    }
    return out;
  };

  // Each row is plus − minus; its dual y lies between −below and above; a = above − y, b = below + y.
  const from = 'plus' in start ? start : firstIterate(programme, start, apply(start));
  const [x, plus, minus, y] = [from.x.slice(), from.plus.slice(), from.minus.slice(), from.y.slice()];
  const [sigma, t, multipliers] = [from.groups.slice(), from.slacks.slice(), from.equalities.slice()];
  const [a, b] = [new Float64Array(rows), new Float64Array(rows)];
  for (let k = 0; k < rows; k++) {
    const g = k < n ? -1 : sparse.group[k - n]!;
    a[k] = k < n ? 1 - y[k]! : g < 0 ? 0 : sigma[g]! - y[k]!;
    b[k] = k < n ? 1 + y[k]! : y[k]!;
  }
  const hardRows = sparse.group.reduce((count, group) => count + (group < 0 ? 1 : 0), 0);
  const pairs = 2 * n + hardRows + 2 * (S - hardRows) + G;
  let value = 0;
  const [dPlus, dMinus, dy] = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)];
  const [dSigma, dT, dx] = [new Float64Array(G), new Float64Array(G), new Float64Array(N)];
  const matrix = new Float64Array(N * N);
  const weights = new Float64Array(rows);
  const [g0, cPlus, cMinus] = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)];
  // Near the end rounding wins over progress: the best iterate is kept.
  let best: InteriorPoint | null = null;
  let since = 0;
  for (let iteration = 0; iteration < stop.iterations; iteration++) {
    const at = apply(x);
    let mu = 0;
    value = 0;
    const rho = new Float64Array(rows);
    for (let j = 0; j < N; j++) value += linear[j]! * x[j]!;
    for (let k = 0; k < rows; k++) {
      rho[k] = at[k]! - plus[k]! + minus[k]!;
      mu += plus[k]! * a[k]! + minus[k]! * b[k]!;
      if (k < n) value += Math.abs(at[k]!);
    }
    for (let g = 0; g < G; g++) mu += t[g]! * sigma[g]!;
    const kappa = gather(y);
    // What the residuals may cost: the first equality says how much of a variable there can be.
    let [infeasible, lost] = [0, 0];
    for (let k = 0; k < n; k++) infeasible += Math.abs(rho[k]!);
    for (let j = 0; j < N; j++) {
      kappa[j]! += linear[j]!;
      for (let e = 0; e < E; e++) kappa[j]! -= equalities[e]!.row[j]! * multipliers[e]!;
      lost = Math.max(lost, -kappa[j]! / equalities[0]!.row[j]!);
      infeasible += Math.max(0, kappa[j]! * x[j]!);
    }
    infeasible += lost;
    const beta = new Float64Array(G);
    for (let g = 0; g < G; g++) beta[g] = budgets[g]! - t[g]!;
    for (let r = 0; r < S; r++) {
      const g = sparse.group[r]!;
      if (g >= 0) beta[g]! -= plus[n + r]!;
    }
    const missing = equalities.map(({ row, value: right }) => right - dot(row, x));
    const gap = (mu + infeasible) / Math.max(Math.abs(value), 1e-300);
    stop.progress?.(gap);
    stop.visit?.(y.subarray(0, n));
    if (!best || gap < best.gap) {
      best = {
        x: x.slice(),
        plus: plus.slice(),
        minus: minus.slice(),
        y: y.slice(),
        groups: sigma.slice(),
        slacks: t.slice(),
        equalities: multipliers.slice(),
        gap,
      };
      since = 0;
    } else since++;
    if (gap <= stop.tolerance || since > 8 || !(gap < 1e6 * best.gap)) break;

    // H = Aᵀ·W·A, with the border of groups B = Aᵀ·(W·plus/a)
    for (let k = 0; k < rows; k++) {
      weights[k] = 1 / ((plus[k]! === 0 ? 0 : plus[k]! / a[k]!) + minus[k]! / b[k]!);
    }
    assemble(matrix, dense, sparse, weights, n, N);
    factor(matrix, N);
    /** H⁻¹·v, with the factor's rounding and regularisation taken out again. */
    const solveH = (v: Float64Array): Float64Array => {
      const result = v.slice();
      solve(matrix, N, result);
      for (let pass = 0; pass < REFINEMENTS; pass++) {
        const rest = apply(result);
        for (let k = 0; k < rows; k++) rest[k]! *= weights[k]!;
        const product = gather(rest);
        for (let j = 0; j < N; j++) product[j] = v[j]! - product[j]!;
        solve(matrix, N, product);
        for (let j = 0; j < N; j++) result[j]! += product[j]!;
      }
      return result;
    };
    const border: Float64Array[] = equalities.map(({ row }) => row.map((v) => -v));
    const corner: number[] = equalities.map(() => 0);
    for (let g = 0; g < G; g++) border.push(new Float64Array(N));
    const groupCorner = Float64Array.from(t, (v, g) => v / sigma[g]!);
    for (let r = 0; r < S; r++) {
      const g = sparse.group[r]!;
      if (g < 0) continue;
      const k = n + r;
      const share = plus[k]! / a[k]!;
      const v = weights[k]! * share;
      const row = border[E + g]!;
      row[sparse.i[r]!]! += sparse.a[r]! * v;
      if (sparse.j[r]! >= 0) row[sparse.j[r]!]! += sparse.b[r]! * v;
      groupCorner[g]! += (share * weights[k]! * minus[k]!) / b[k]!;
    }
    corner.push(...groupCorner);
    const solvedBorder = border.map(solveH);
    const C = border.length;
    const schur = new Float64Array(C * C);
    for (let i = 0; i < C; i++) {
      for (let j = 0; j <= i; j++)
        schur[i * C + j] = dot(border[i]!, solvedBorder[j]!) + (i === j ? corner[i]! : 0);
    }
    factor(schur, C);

    const newton = (target: number, corrected: boolean): { p: number; d: number; dm: Float64Array } => {
      for (let k = 0; k < rows; k++) {
        const g = k < n ? -1 : sparse.group[k - n]!;
        const hard = k >= n && g < 0;
        const da = (g >= 0 ? dSigma[g]! : 0) - dy[k]!;
        cPlus[k] = hard ? 0 : target - plus[k]! * a[k]! - (corrected ? dPlus[k]! * da : 0);
        cMinus[k] = target - minus[k]! * b[k]! - (corrected ? dMinus[k]! * dy[k]! : 0);
        g0[k] = weights[k]! * (rho[k]! - (hard ? 0 : cPlus[k]! / a[k]!) + cMinus[k]! / b[k]!);
      }
      const right = gather(g0);
      for (let j = 0; j < N; j++) right[j] = -kappa[j]! - right[j]!;
      const tail = new Float64Array(C);
      for (let e = 0; e < E; e++) tail[e] = -missing[e]!;
      const cT = new Float64Array(G);
      for (let g = 0; g < G; g++) {
        cT[g] = target - t[g]! * sigma[g]! - (corrected ? dT[g]! * dSigma[g]! : 0);
        tail[E + g] = beta[g]! - cT[g]! / sigma[g]!;
      }
      for (let r = 0; r < S; r++) {
        const g = sparse.group[r]!;
        if (g < 0) continue;
        const k = n + r;
        tail[E + g]! -= cPlus[k]! / a[k]! + (plus[k]! / a[k]!) * g0[k]!;
      }
      // [H B; Bᵀ −C] by the factor of H and the Schur complement C + Bᵀ·H⁻¹·B
      const base = solveH(right);
      const dm = new Float64Array(C);
      for (let i = 0; i < C; i++) dm[i] = dot(border[i]!, base) - tail[i]!;
      solve(schur, C, dm);
      dx.set(base);
      for (let i = 0; i < C; i++) {
        const column = solvedBorder[i]!;
        for (let j = 0; j < N; j++) dx[j]! -= column[j]! * dm[i]!;
      }
      for (let g = 0; g < G; g++) {
        dSigma[g] = dm[E + g]!;
        dT[g] = (cT[g]! - t[g]! * dSigma[g]!) / sigma[g]!;
      }
      const moved = apply(dx);
      let [p, d] = [1, 1];
      for (let k = 0; k < rows; k++) {
        const g = k < n ? -1 : sparse.group[k - n]!;
        const hard = k >= n && g < 0;
        const ds = g >= 0 ? dSigma[g]! : 0;
        dy[k] = weights[k]! * (moved[k]! + (hard ? 0 : (plus[k]! / a[k]!) * ds)) + g0[k]!;
        dMinus[k] = (cMinus[k]! - minus[k]! * dy[k]!) / b[k]!;
        if (dMinus[k]! < 0) p = Math.min(p, -minus[k]! / dMinus[k]!);
        if (dy[k]! < 0) d = Math.min(d, -b[k]! / dy[k]!);
        if (hard) continue;
        const da = ds - dy[k]!;
        dPlus[k] = (cPlus[k]! - plus[k]! * da) / a[k]!;
        if (dPlus[k]! < 0) p = Math.min(p, -plus[k]! / dPlus[k]!);
        if (da < 0) d = Math.min(d, -a[k]! / da);
      }
      for (let g = 0; g < G; g++) {
        if (dT[g]! < 0) p = Math.min(p, -t[g]! / dT[g]!);
        if (dSigma[g]! < 0) d = Math.min(d, -sigma[g]! / dSigma[g]!);
      }
      return { p, d, dm };
    };

    const guess = newton(0, false);
    let after = 0;
    for (let k = 0; k < rows; k++) {
      const g = k < n ? -1 : sparse.group[k - n]!;
      after += (minus[k]! + guess.p * dMinus[k]!) * (b[k]! + guess.d * dy[k]!);
      if (k >= n && g < 0) continue;
      const da = (g >= 0 ? dSigma[g]! : 0) - dy[k]!;
      after += (plus[k]! + guess.p * dPlus[k]!) * (a[k]! + guess.d * da);
    }
    for (let g = 0; g < G; g++) after += (t[g]! + guess.p * dT[g]!) * (sigma[g]! + guess.d * dSigma[g]!);
    const centre = Math.min(1, Math.max(1e-6, (after / mu) ** 2));
    let step = newton((centre * mu) / pairs, true);
    // A corrector that leads to the boundary is worse than none.
    if (Math.min(step.p, step.d) < 0.3) step = newton((Math.max(centre, 0.3) * mu) / pairs, false);
    const [p, d] = [Math.min(1, 0.995 * step.p), Math.min(1, 0.995 * step.d)];
    if (!(Math.max(p, d) > 1e-8)) break;
    for (let j = 0; j < N; j++) x[j]! += p * dx[j]!;
    for (let k = 0; k < rows; k++) {
      const g = k < n ? -1 : sparse.group[k - n]!;
      minus[k]! += p * dMinus[k]!;
      y[k]! += d * dy[k]!;
      b[k]! += d * dy[k]!;
      if (k >= n && g < 0) continue;
      plus[k]! += p * dPlus[k]!;
      a[k]! += d * ((g >= 0 ? dSigma[g]! : 0) - dy[k]!);
    }
    for (let g = 0; g < G; g++) {
      t[g]! += p * dT[g]!;
      sigma[g]! += d * dSigma[g]!;
    }
    for (let e = 0; e < E; e++) multipliers[e]! += d * step.dm[e]!;
  }
  return best!;
}

const REFINEMENTS = 2;

/** All products of a variable and its dual alike. */
function firstIterate(programme: Programme, x: Float64Array, at: Float64Array): Iterate {
  const { linear, dense, sparse, budgets, equalities } = programme;
  const n = dense[0]?.length ?? 0;
  const [plus, minus, y] = [at, at, at].map((v) => new Float64Array(v.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let value = dot(linear, x);
  for (let k = 0; k < n; k++) value += Math.abs(at[k]!);
  const mu = Math.max(Math.abs(value), 1e-300) / (2 * at.length);
  for (let k = 0; k < n; k++) {
    plus[k] = Math.max(at[k]!, 0) + mu;
    minus[k] = Math.max(-at[k]!, 0) + mu;
  }
  const sizes = new Float64Array(budgets.length);
  for (const group of sparse.group) if (group >= 0) sizes[group]!++;
  const slacks = Float64Array.from(budgets, (budget) => budget / 2);
  const groups = slacks.map((slack) => mu / slack);
  for (let r = 0; r < sparse.i.length; r++) {
    const [k, g] = [n + r, sparse.group[r]!];
    if (g < 0) {
      minus[k] = -at[k]!;
      y[k] = mu / minus[k]!;
    } else {
      plus[k] = budgets[g]! / (2 * sizes[g]!) + Math.max(at[k]!, 0);
      minus[k] = plus[k]! - at[k]!;
      y[k] = groups[g]! / 2;
    }
  }
  return { x, plus, minus, y, groups, slacks, equalities: new Float64Array(equalities.length) };
}

/** The lower triangle of Aᵀ·W·A. */
function assemble(
  matrix: Float64Array,
  dense: readonly Float64Array[],
  sparse: SparseRows,
  weights: Float64Array,
  n: number,
  N: number,
): void {
  matrix.fill(0);
  if (n > 0) {
    const scaled = dense.map((column) => column.map((v, k) => v * weights[k]!));
    // Two rows by two columns at a time: each value loaded serves twice.
    for (let i = 0; i < N; i += 2) {
      const u0 = scaled[i]!;
      const u1 = scaled[Math.min(i + 1, N - 1)]!;
      for (let j = 0; j <= i; j += 2) {
        const v0 = dense[j]!;
        const v1 = dense[Math.min(j + 1, N - 1)]!;
        let s00 = 0;
        let s01 = 0;
        let s10 = 0;
        let s11 = 0;
        for (let k = 0; k < n; k++) {
          const x0 = u0[k]!;
          const x1 = u1[k]!;
          const y0 = v0[k]!;
          const y1 = v1[k]!;
          s00 += x0 * y0;
          s01 += x0 * y1;
          s10 += x1 * y0;
          s11 += x1 * y1;
        }
        matrix[i * N + j] = s00;
        if (j < i) matrix[i * N + j + 1] = s01;
        if (i + 1 < N) {
          matrix[(i + 1) * N + j] = s10;
          matrix[(i + 1) * N + j + 1] = s11;
        }
      }
    }
  }
  for (let r = 0; r < sparse.i.length; r++) {
    const [i, j, a, b, w] = [sparse.i[r]!, sparse.j[r]!, sparse.a[r]!, sparse.b[r]!, weights[n + r]!];
    matrix[i * N + i]! += w * a * a;
    if (j < 0) continue;
    matrix[j * N + j]! += w * b * b;
    if (i === j) matrix[i * N + i]! += 2 * w * a * b;
    else matrix[i > j ? i * N + j : j * N + i]! += w * a * b;
  }
}

function dot(u: Float64Array, v: Float64Array): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  const n = u.length;
  for (; k + 3 < n; k += 4) {
    s0 += u[k]! * v[k]!;
    s1 += u[k + 1]! * v[k + 1]!;
    s2 += u[k + 2]! * v[k + 2]!;
    s3 += u[k + 3]! * v[k + 3]!;
  }
  for (; k < n; k++) s0 += u[k]! * v[k]!;
  return s0 + s1 + s2 + s3;
}
