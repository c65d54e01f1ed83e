// One factorisation of the Newton system at an iterate, and as many directions from it as are asked for.

import { carefulSystem } from './careful-system.js';
import type { Iterate, Residuals, Room } from './iterate.js';
import { denseRows, gather, groupOfRow, type Programme } from './programme.js';
import { plainSystem } from './system.js';

/** Where to go, and how far at most on the primal and the dual side. */
export interface Direction {
  readonly x: Float64Array;
  readonly plus: Float64Array;
  readonly minus: Float64Array;
  readonly y: Float64Array;
  readonly groups: Float64Array;
  readonly slacks: Float64Array;
  /** Of the equalities, then of the groups. */
  readonly multipliers: Float64Array;
  readonly primal: number;
  readonly dual: number;
}

/** A direction toward products of `target`; corrected by a guess's second order where one is given. */
export type Newton = (target: number, guess: Direction | null) => Direction;

export function newtonAt(
  programme: Programme,
  iterate: Iterate,
  { a, b }: Room,
  { rho, kappa, beta, missing }: Residuals,
  isCareful: boolean,
): Newton {
  const { sparse, equalities } = programme;
  const { plus, minus, groups, slacks } = iterate;
  const n = denseRows(programme);
  const [N, G, E, rows] = [iterate.x.length, groups.length, equalities.length, iterate.y.length];
  const weights = new Float64Array(rows);
  for (let k = 0; k < rows; k++)
    weights[k] = 1 / ((plus[k]! === 0 ? 0 : plus[k]! / a[k]!) + minus[k]! / b[k]!);
  const system = (isCareful ? carefulSystem : plainSystem)(programme, iterate, { a, b }, weights);

  return (target, guess) => {
    const [g0, cPlus, cMinus] = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)];
    for (let k = 0; k < rows; k++) {
      const g = groupOfRow(programme, k, n);
      const hard = k >= n && g < 0;
      if (!hard) cPlus[k] = target - plus[k]! * a[k]!;
      cMinus[k] = target - minus[k]! * b[k]!;
      if (guess) {
        const da = (g >= 0 ? guess.groups[g]! : 0) - guess.y[k]!;
        if (!hard) cPlus[k]! -= guess.plus[k]! * da;
        cMinus[k]! -= guess.minus[k]! * guess.y[k]!;
      }
      g0[k] = weights[k]! * (rho[k]! - (hard ? 0 : cPlus[k]! / a[k]!) + cMinus[k]! / b[k]!);
    }
    const right = gather(programme, g0);
    for (let j = 0; j < N; j++) right[j] = -kappa[j]! - right[j]!;
    const tail = new Float64Array(E + G);
    for (let e = 0; e < E; e++) tail[e] = -missing[e]!;
    const cSlacks = new Float64Array(G);
    for (let g = 0; g < G; g++) {
      cSlacks[g] = target - slacks[g]! * groups[g]! - (guess ? guess.slacks[g]! * guess.groups[g]! : 0);
      tail[E + g] = beta[g]! - cSlacks[g]! / groups[g]!;
    }
    for (let r = 0; r < sparse.i.length; r++) {
      const g = sparse.group[r]!;
      if (g < 0) continue;
      const k = n + r;
      tail[E + g]! -= cPlus[k]! / a[k]! + (plus[k]! / a[k]!) * g0[k]!;
    }
    const { x, moved, multipliers } = system(right, tail);
    const dGroups = multipliers.slice(E);
    const dSlacks = dGroups.map((d, g) => (cSlacks[g]! - slacks[g]! * d) / groups[g]!);
    const [dPlus, dMinus, dy] = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)];
    let [primal, dual] = [1, 1];
    for (let k = 0; k < rows; k++) {
      const g = groupOfRow(programme, k, n);
      const hard = k >= n && g < 0;
      const ds = g >= 0 ? dGroups[g]! : 0;
      dy[k] = weights[k]! * (moved[k]! + (hard ? 0 : (plus[k]! / a[k]!) * ds)) + g0[k]!;
      dMinus[k] = (cMinus[k]! - minus[k]! * dy[k]!) / b[k]!;
      if (dMinus[k]! < 0) primal = Math.min(primal, -minus[k]! / dMinus[k]!);
      if (dy[k]! < 0) dual = Math.min(dual, -b[k]! / dy[k]!);
      if (hard) continue;
      const da = ds - dy[k]!;
      dPlus[k] = (cPlus[k]! - plus[k]! * da) / a[k]!;
      if (dPlus[k]! < 0) primal = Math.min(primal, -plus[k]! / dPlus[k]!);
      if (da < 0) dual = Math.min(dual, -a[k]! / da);
    }
    for (let g = 0; g < G; g++) {
      if (dSlacks[g]! < 0) primal = Math.min(primal, -slacks[g]! / dSlacks[g]!);
      if (dGroups[g]! < 0) dual = Math.min(dual, -groups[g]! / dGroups[g]!);
    }
    return {
      x,
      plus: dPlus,
      minus: dMinus,
      y: dy,
      groups: dGroups,
      slacks: dSlacks,
      multipliers,
      primal,
      dual,
    };
  };
}
