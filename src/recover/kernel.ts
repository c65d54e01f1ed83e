// The law of the released value for each true one: K(j, k) = P(x_k + θ falls in cell j), as an operator.

import { lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import type { Cell } from './cells.js';

/** True values, in steps: group k holds `apart` of them, from `from` + k·apart on. */
export interface Support {
  readonly from: number;
  readonly apart: number;
  readonly points: number;
}

export interface Kernel {
  readonly cells: number;
  readonly points: number;
  /** Kπ: how likely each cell is. */
  forward(masses: Float64Array): Float64Array;
  /** Kᵀg. */
  back(weights: Float64Array): Float64Array;
  /** The columns without what is next to nothing in its row: for directions, not for figures. */
  readonly sparse: readonly Float64Array[];
}

/** P(low ≤ θ ≤ high) in steps; the ends may be infinite. */
export type Within = (low: number, high: number) => number;

/** Of the largest entry of a row, what is left out of a direction. */
const NEGLIGIBLE = 1e-17;

/** Values of one group are taken to be equally frequent. */
export function kernelOf(within: Within, cells: readonly Cell[], { from, apart, points }: Support): Kernel {
  const columns = Array.from({ length: points }, (_, k) => {
    const column = new Float64Array(cells.length);
    for (let x = from + k * apart; x < from + (k + 1) * apart; x++)
      for (let j = 0; j < column.length; j++)
        column[j]! += within(cells[j]!.low - x, cells[j]!.high - x) / apart;
    return column;
  });
  const most = new Float64Array(cells.length);
  for (const column of columns)
    for (let j = 0; j < most.length; j++) most[j] = Math.max(most[j]!, column[j]!);
  return {
    cells: cells.length,
    points,
    sparse: columns.map((column) => column.map((v, j) => (v < NEGLIGIBLE * most[j]! ? 0 : v))),
    ...productsOf(columns, cells.length),
  };
}

/** For ends up to `furthest` from 0, with relative accuracy on either side of the noise. */
export function withinOf(noise: Pmf, furthest: number): Within {
  const low = Math.min(noise.from, -furthest - 1);
  const high = Math.max(lastIndex(noise), furthest + 1);
  const { p, beyond } = probabilities(noise, low, high);
  /** Sums from the left up to each place, and from the right down to it. */
  const below = new Float64Array(p.length + 1);
  const above = new Float64Array(p.length + 1);
  below[0] = beyond.left.mass;
  for (let i = 0; i < p.length; i++) below[i + 1] = below[i]! + p[i]!;
  above[p.length] = beyond.right.mass;
  for (let i = p.length - 1; i >= 0; i--) above[i] = above[i + 1]! + p[i]!;
  return (a, b) => {
    if (a === b) return p[a - low]!;
    if (a === -Infinity) return b === Infinity ? 1 : below[b - low + 1]!;
    if (b === Infinity) return above[a - low]!;
    const [right, left] = [above[a - low]! - above[b - low + 1]!, below[b - low + 1]! - below[a - low]!];
    return Math.max(0, above[a - low]! < 0.5 ? right : left);
  };
}

function productsOf(columns: readonly Float64Array[], cells: number): Pick<Kernel, 'forward' | 'back'> {
  return {
    forward(masses) {
      const out = new Float64Array(cells);
      for (let k = 0; k < columns.length; k++) {
        const [column, mass] = [columns[k]!, masses[k]!];
        if (mass !== 0) for (let j = 0; j < cells; j++) out[j]! += mass * column[j]!;
      }
      return out;
    },
    back(weights) {
      const out = new Float64Array(columns.length);
      for (let k = 0; k < columns.length; k++) {
        const column = columns[k]!;
        let sum = 0;
        for (let j = 0; j < cells; j++) sum += weights[j]! * column[j]!;
        out[k] = sum;
      }
      return out;
    },
  };
}
