// The Newton system with twice the digits of doubles, for small programmes whose rows differ by more than doubles hold.

import type { Iterate, Room } from './iterate.js';
import { denseRows, type Programme } from './programme.js';
import type { System } from './system.js';
import { dotTwofold, factorTwofold, Sum, solveTwofold, type Twofold, twofold } from './twofold.js';

export function carefulSystem(
  programme: Programme,
  iterate: Iterate,
  room: Room,
  weights: Float64Array,
): System {
  const N = programme.linear.length;
  const matrix = assembled(programme, weights);
  factorTwofold(matrix, N);
  const { border, corner } = borderOf(programme, iterate, room, weights);
  const solved = border.map((v) => {
    const column = { high: v.high.slice(), low: v.low.slice() };
    solveTwofold(matrix, N, column);
    return column;
  });
  const C = border.length;
  const schur = twofold(C * C);
  const sum = new Sum();
  for (let i = 0; i < C; i++)
    for (let j = 0; j <= i; j++)
      dotTwofold(border[i]!, solved[j]!, sum)
        .add(i === j ? corner[i]! : 0)
        .into(schur, i * C + j);
  factorTwofold(schur, C);
  return (right, tail) => {
    const x = { high: right.slice(), low: new Float64Array(N) };
    solveTwofold(matrix, N, x);
    const multipliers = twofold(C);
    for (let i = 0; i < C; i++) dotTwofold(border[i]!, x, sum).add(-tail[i]!).into(multipliers, i);
    solveTwofold(schur, C, multipliers);
    for (let j = 0; j < N; j++) {
      sum.start(x.high[j]!, x.low[j]!);
      solved.forEach(({ high, low }, i) => {
        sum.addTwofold(-high[j]!, -low[j]!, multipliers.high[i]!, multipliers.low[i]!);
      });
      sum.into(x, j);
    }
    return { x: x.high, moved: rowsOf(programme, x), multipliers: multipliers.high };
  };
}

/** The lower triangle of Aᵀ·W·A. */
function assembled({ linear, dense, sparse }: Programme, weights: Float64Array): Twofold {
  const N = linear.length;
  const n = dense[0]?.length ?? 0;
  const matrix = twofold(N * N);
  const { high, low } = matrix;
  const [sum, weighted] = [new Sum(), new Sum()];
  for (let i = 0; i < N && n > 0; i++) {
    const left = twofold(n);
    for (let k = 0; k < n; k++) weighted.start(0).addProduct(dense[i]![k]!, weights[k]!).into(left, k);
    for (let j = 0; j <= i; j++) {
      const other = dense[j]!;
      sum.start(0);
      for (let k = 0; k < n; k++)
        if (other[k] !== 0) sum.addTwofold(left.high[k]!, left.low[k]!, other[k]!, 0);
      sum.into(matrix, i * N + j);
    }
  }
  const add = (at: number, x: number, y: number, w: number) => {
    weighted.start(0).addProduct(x, w).settle();
    sum.start(high[at]!, low[at]!).addTwofold(weighted.high, weighted.low, y, 0).into(matrix, at);
  };
  for (let r = 0; r < sparse.i.length; r++) {
    const [i, j, a, b, w] = [sparse.i[r]!, sparse.j[r]!, sparse.a[r]!, sparse.b[r]!, weights[n + r]!];
    add(i * N + i, a, a, w);
    if (j < 0) continue;
    add(j * N + j, b, b, w);
    if (i === j) add(i * N + i, 2 * a, b, w);
    else add(i > j ? i * N + j : j * N + i, a, b, w);
  }
  return matrix;
}

/** The columns of B, equalities first, and the diagonal of C. */
function borderOf(
  programme: Programme,
  { plus, minus, groups, slacks }: Iterate,
  { a, b }: Room,
  weights: Float64Array,
) {
  const { linear, sparse, equalities } = programme;
  const n = denseRows(programme);
  const E = equalities.length;
  const border: Twofold[] = [
    ...equalities.map(({ row }) => ({ high: row.map((v) => -v), low: new Float64Array(row.length) })),
    ...Array.from(groups, () => twofold(linear.length)),
  ];
  const corner = [...equalities.map(() => 0), ...Array.from(groups, (group, g) => slacks[g]! / group)];
  const [sum, weighted] = [new Sum(), new Sum()];
  for (let r = 0; r < sparse.i.length; r++) {
    const g = sparse.group[r]!;
    if (g < 0) continue;
    const k = n + r;
    const share = plus[k]! / a[k]!;
    weighted.start(0).addProduct(weights[k]!, share).settle();
    const row = border[E + g]!;
    const add = (at: number, factor: number) =>
      sum.start(row.high[at]!, row.low[at]!).addTwofold(weighted.high, weighted.low, factor, 0).into(row, at);
    add(sparse.i[r]!, sparse.a[r]!);
    if (sparse.j[r]! >= 0) add(sparse.j[r]!, sparse.b[r]!);
    corner[E + g]! += (share * weights[k]! * minus[k]!) / b[k]!;
  }
  return { border, corner };
}

/** A·x: dense rows first, then sparse ones. */
function rowsOf({ dense, sparse }: Programme, { high, low }: Twofold): Float64Array {
  const n = dense[0]?.length ?? 0;
  const rows = new Float64Array(n + sparse.i.length);
  const sum = new Sum();
  for (let k = 0; k < n; k++) {
    sum.start(0);
    for (let j = 0; j < dense.length; j++) sum.addTwofold(high[j]!, low[j]!, dense[j]![k]!, 0);
    rows[k] = sum.settle().high;
  }
  for (let r = 0; r < sparse.i.length; r++) {
    const [i, j] = [sparse.i[r]!, sparse.j[r]!];
    sum.start(0).addTwofold(high[i]!, low[i]!, sparse.a[r]!, 0);
    if (j >= 0) sum.addTwofold(high[j]!, low[j]!, sparse.b[r]!, 0);
    rows[n + r] = sum.settle().high;
  }
  return rows;
}
