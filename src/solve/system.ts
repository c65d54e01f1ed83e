// The Newton system of an interior point method, factored: [H B; Bᵀ −C] with H = Aᵀ·W·A, and B for equalities and groups.

import { factor, product, solve } from './cholesky.js';
import type { Iterate, Room } from './iterate.js';
import { apply, assemble, denseRows, dot, gather, type Programme } from './programme.js';

/** What solves it: the step, what it does to the rows, and the multipliers of equalities, then of groups. */
export type System = (
  right: Float64Array,
  tail: Float64Array,
) => { readonly x: Float64Array; readonly moved: Float64Array; readonly multipliers: Float64Array };

/** H·v. */
type Product = (v: Float64Array) => Float64Array;

/** In doubles, by the factor of H and the Schur complement C + Bᵀ·H⁻¹·B, with refinement. */
export function plainSystem(
  programme: Programme,
  { plus, minus, groups, slacks }: Iterate,
  { a, b }: Room,
  weights: Float64Array,
): System {
  const { sparse, equalities, linear } = programme;
  const n = denseRows(programme);
  const [N, E] = [linear.length, equalities.length];
  const assembled = new Float64Array(N * N);
  assemble(programme, weights, assembled);
  const matrix = assembled.slice();
  factor(matrix, N);
  const byRows: Product = (v) => {
    const rest = apply(programme, v);
    for (let k = 0; k < rest.length; k++) rest[k]! *= weights[k]!;
    return gather(programme, rest);
  };
  // Quicker where there are many rows, and less exact: for a first pass.
  const byMatrix: Product = n < N ? byRows : (v) => product(assembled, N, v);
  /** H⁻¹·v. */
  const solveH = (v: Float64Array, passes: readonly Product[]): Float64Array => {
    const result = v.slice();
    solve(matrix, N, result);
    for (const times of passes) {
      const rest = times(result);
      for (let j = 0; j < N; j++) rest[j] = v[j]! - rest[j]!;
      solve(matrix, N, rest);
      for (let j = 0; j < N; j++) result[j]! += rest[j]!;
    }
    return result;
  };
  const border: Float64Array[] = equalities.map(({ row }) => row.map((v) => -v));
  const corner = equalities.map(() => 0);
  slacks.forEach((slack, g) => {
    border.push(new Float64Array(N));
    corner.push(slack / groups[g]!);
  });
  for (let r = 0; r < sparse.i.length; r++) {
    const g = sparse.group[r]!;
    if (g < 0) continue;
    const k = n + r;
    const share = plus[k]! / a[k]!;
    const v = weights[k]! * share;
    const row = border[E + g]!;
    row[sparse.i[r]!]! += sparse.a[r]! * v;
    if (sparse.j[r]! >= 0) row[sparse.j[r]!]! += sparse.b[r]! * v;
    corner[E + g]! += (share * weights[k]! * minus[k]!) / b[k]!;
  }
  const solvedBorder = border.map((v) => solveH(v, [byMatrix, byRows]));
  const C = border.length;
  const schur = new Float64Array(C * C);
  for (let i = 0; i < C; i++) {
    for (let j = 0; j <= i; j++)
      schur[i * C + j] = dot(border[i]!, solvedBorder[j]!) + (i === j ? corner[i]! : 0);
  }
  factor(schur, C);
  return (right, tail) => {
    const x = solveH(right, [byRows, byRows]);
    const multipliers = new Float64Array(C);
    for (let i = 0; i < C; i++) multipliers[i] = dot(border[i]!, x) - tail[i]!;
    solve(schur, C, multipliers);
    for (let i = 0; i < C; i++) {
      const column = solvedBorder[i]!;
      for (let j = 0; j < N; j++) x[j]! -= column[j]! * multipliers[i]!;
    }
    return { x, moved: apply(programme, x), multipliers };
  };
}
