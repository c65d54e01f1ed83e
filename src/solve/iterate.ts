// Where an interior point method stands: a point of the programme, its duals, and what is left to do.

import { apply, denseRows, dot, gather, groupOfRow, type Programme } from './programme.js';

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

/** Of a budget: what a start may use of it for the rest to be shared out. */
const MOST_USED = 0.9;

/** All products of a variable and its dual alike, as far as a budget's price allows. */
export function firstIterate(programme: Programme, x: Float64Array): Iterate {
  const { linear, sparse, budgets, equalities, price = Infinity } = programme;
  const n = denseRows(programme);
  const at = apply(programme, x);
  const [plus, minus, y] = [0, 0, 0].map(() => new Float64Array(at.length)) as [
    typeof at,
    typeof at,
    typeof at,
  ];
  let value = dot(linear, x);
  for (let k = 0; k < n; k++) value += Math.abs(at[k]!);
  const mu = Math.max(Math.abs(value), 1e-300) / (2 * at.length);
  for (let k = 0; k < n; k++) {
    plus[k] = Math.max(at[k]!, 0) + mu;
    minus[k] = Math.max(-at[k]!, 0) + mu;
  }
  const [sizes, used] = [new Float64Array(budgets.length), new Float64Array(budgets.length)];
  sparse.group.forEach((group, r) => {
    if (group < 0) return;
    sizes[group]!++;
    used[group]! += Math.max(at[n + r]!, 0);
  });
  // Half of what the start leaves of a budget; of all of it where that is too little.
  const slacks = Float64Array.from(
    budgets,
    (budget, g) => (used[g]! < MOST_USED * budget ? budget - used[g]! : budget) / 2,
  );
  const groups = slacks.map((slack) => Math.min(price, mu / slack));
  for (let r = 0; r < sparse.i.length; r++) {
    const [k, g] = [n + r, sparse.group[r]!];
    if (g < 0) {
      minus[k] = -at[k]!;
      y[k] = mu / minus[k]!;
    } else {
      plus[k] = slacks[g]! / sizes[g]! + Math.max(at[k]!, 0);
      minus[k] = plus[k]! - at[k]!;
      y[k] = Math.min(groups[g]! / 2, mu / minus[k]!);
    }
  }
  return { x, plus, minus, y, groups, slacks, equalities: new Float64Array(equalities.length) };
}

export function copyOf({ x, plus, minus, y, groups, slacks, equalities }: Iterate): Iterate {
  const all = { x, plus, minus, y, groups, slacks, equalities };
  return Object.fromEntries(Object.entries(all).map(([key, v]) => [key, v.slice()])) as unknown as Iterate;
}

/** The dual y of a row lies between −below and above; a = above − y, b = below + y. */
export interface Room {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

export function roomOf(programme: Programme, { y, groups }: Iterate): Room {
  const n = denseRows(programme);
  const [a, b] = [new Float64Array(y.length), new Float64Array(y.length)];
  for (let k = 0; k < y.length; k++) {
    const g = groupOfRow(programme, k, n);
    a[k] = k < n ? 1 - y[k]! : g < 0 ? 0 : groups[g]! - y[k]!;
    b[k] = k < n ? 1 + y[k]! : y[k]!;
  }
  return { a, b };
}

/** What is left to do at an iterate. */
export interface Residuals {
  /** Σ of all products of a variable and its dual. */
  readonly mu: number;
  /** Complementarity and residuals, relative to the value. */
  readonly gap: number;
  /** Of the rows, of the variables' duals, of the groups' budgets and of the equalities. */
  readonly rho: Float64Array;
  readonly kappa: Float64Array;
  readonly beta: Float64Array;
  readonly missing: readonly number[];
}

export function residualsOf(programme: Programme, iterate: Iterate, { a, b }: Room): Residuals {
  const { linear, sparse, budgets, equalities } = programme;
  const { x, plus, minus, y, groups, slacks, equalities: multipliers } = iterate;
  const n = denseRows(programme);
  const at = apply(programme, x);
  const rho = new Float64Array(at.length);
  let [mu, value] = [0, 0];
  for (let j = 0; j < x.length; j++) value += linear[j]! * x[j]!;
  for (let k = 0; k < at.length; k++) {
    rho[k] = at[k]! - plus[k]! + minus[k]!;
    mu += plus[k]! * a[k]! + minus[k]! * b[k]!;
    if (k < n) value += Math.abs(at[k]!);
  }
  for (let g = 0; g < groups.length; g++) mu += slacks[g]! * groups[g]!;
  const kappa = gather(programme, y);
  // What the residuals may cost: the first equality says how much of a variable there can be.
  let [infeasible, lost] = [0, 0];
  for (let k = 0; k < n; k++) infeasible += Math.abs(rho[k]!);
  for (let j = 0; j < x.length; j++) {
    kappa[j]! += linear[j]!;
    for (let e = 0; e < equalities.length; e++) kappa[j]! -= equalities[e]!.row[j]! * multipliers[e]!;
    lost = Math.max(lost, -kappa[j]! / equalities[0]!.row[j]!);
    infeasible += Math.max(0, kappa[j]! * x[j]!);
  }
  infeasible += lost;
  const beta = Float64Array.from(budgets, (budget, g) => budget - slacks[g]!);
  for (let r = 0; r < sparse.i.length; r++) {
    const g = sparse.group[r]!;
    if (g >= 0) beta[g]! -= plus[n + r]!;
  }
  const missing = equalities.map(({ row, value: right }) => right - dot(row, x));
  return { mu, gap: (mu + infeasible) / Math.max(Math.abs(value), 1e-300), rho, kappa, beta, missing };
}
