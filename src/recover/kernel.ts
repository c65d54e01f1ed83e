// The law of the released value for each true one: K(j, k) = P(x_k + θ falls in cell j), as an operator.

import { lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import { combine, dots } from '../solve/index.js';
import type { Cell } from './cells.js';

/** True values, in steps: group k holds `apart` of them, from `from` + k·apart on; the last one ends with `last`. */
export interface Support {
  readonly from: number;
  readonly last: number;
  readonly apart: number;
  readonly points: number;
}

/** All values from `from` to `last`, `apart` in a group. */
export function groups(from: number, last: number, apart: number): Support {
  return { from, last, apart, points: Math.ceil((last - from + 1) / apart) };
}

/** The first and the last value of a group. */
export function groupAt({ from, last, apart }: Support, k: number): readonly [first: number, last: number] {
  return [from + k * apart, Math.min(last, from + (k + 1) * apart - 1)];
}

export interface Kernel {
  readonly cells: number;
  readonly points: number;
  /** Kπ: how likely each cell is. */
  forward(masses: Float64Array): Float64Array;
  /** Kᵀg. */
  back(weights: Float64Array): Float64Array;
  readonly columns: readonly Float64Array[];
  /** The columns without what is next to nothing in its row: for directions, not for figures. */
  readonly sparse: readonly Float64Array[];
}

/** P(low ≤ θ ≤ high) in steps; the ends may be infinite. */
export type Within = (low: number, high: number) => number;

/** Of the largest entry of a row, what is left out of a direction. */
const NEGLIGIBLE = 1e-17;

/** Values of one group are taken to be equally frequent. */
export function kernelOf(within: Within, cells: readonly Cell[], support: Support): Kernel {
  const columns = Array.from({ length: support.points }, (_, k) => {
    const column = new Float64Array(cells.length);
    const [first, last] = groupAt(support, k);
    for (let x = first; x <= last; x++)
      for (let j = 0; j < column.length; j++)
        column[j]! += within(cells[j]!.low - x, cells[j]!.high - x) / (last - first + 1);
    return column;
  });
  return kernelFrom(columns, cells.length);
}

/** Of these cells alone, as many as there are. */
export function onCells({ columns }: Kernel, kept: readonly number[]): Kernel {
  return kernelFrom(
    columns.map((column) => Float64Array.from(kept, (j) => column[j]!)),
    kept.length,
  );
}

function kernelFrom(columns: readonly Float64Array[], cells: number): Kernel {
  const most = new Float64Array(cells);
  for (const column of columns) for (let j = 0; j < cells; j++) most[j] = Math.max(most[j]!, column[j]!);
  return {
    cells,
    points: columns.length,
    columns,
    sparse: columns.map((column) => column.map((v, j) => (v < NEGLIGIBLE * most[j]! ? 0 : v))),
    ...productsOf(columns, cells),
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
      combine(columns, masses, cells, out);
      return out;
    },
    back(weights) {
      const out = new Float64Array(columns.length);
      let count = 0;
      for (const weight of weights) if (weight !== 0) count++;
      if (2 * count > cells) dots(columns, weights, cells, out);
      else {
        // Of a few rows, most cells have none.
        const some = Int32Array.from({ length: count });
        count = 0;
        for (let j = 0; j < cells; j++) if (weights[j] !== 0) some[count++] = j;
        for (let k = 0; k < out.length; k++) {
          const column = columns[k]!;
          let sum = 0;
          for (const j of some) sum += weights[j]! * column[j]!;
          out[k] = sum;
        }
      }
      return out;
    },
  };
}
