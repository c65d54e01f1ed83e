// What a reader sees of a column: every value that can be released, how often it occurs, and which sums of value and noise become it.

import { badData, invalid } from '../error/index.js';
import { type Finish, finished, type Lattice } from '../mechanism/index.js';

/** All sums from `low` to `high`, in steps, become what is counted here; the first and the last cell have no end. */
export interface Cell {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** What is released: in steps, with its clamp and its rounding. */
export interface Outputs {
  /** Released values, lowest first, with the sums that become them. */
  readonly seen: readonly Cell[];
  readonly rows: number;
  /** Values are multiples of this many steps. */
  readonly unit: number;
  /** The lowest and the highest released value where they are the ends of a clamp, else ∓Infinity. */
  readonly clamp: readonly [low: number, high: number];
}

/** Released values beyond this many steps are not counted by ones in doubles. */
const FURTHEST = 2 ** 50;

/** A histogram by index. */
export function outputsOf(
  counts: ReadonlyMap<number, number>,
  finish: Finish,
  { limit }: Lattice,
  shown: (index: number) => string,
): Outputs {
  const { low, high, roundTo } = finish;
  const clamp = [low > -limit ? Number(low) : -Infinity, high < limit ? Number(high) : Infinity] as const;
  const unit = Number(roundTo);
  let rows = 0;
  const seen: Cell[] = [];
  for (const [index, count] of [...counts].sort(([a], [b]) => a - b)) {
    if (!Number.isSafeInteger(count) || count < 0)
      throw invalid(`histogram: expected counts that are whole numbers of at least 0, got ${count}`);
    if (count === 0) continue;
    if (!Number.isSafeInteger(index) || Math.abs(index) > FURTHEST)
      throw badData(`column: expected values within ±2^50 steps, got ${shown(index)}`);
    if (finished(BigInt(index), finish) !== BigInt(index))
      throw badData(
        `column: ${shown(index)} is no value that this clamp and rounding leave; name the ones it was released with`,
      );
    rows += count;
    seen.push({ ...sumsOf(index, unit, clamp), count });
  }
  if (rows === 0) throw badData('expected at least one value, got none: all cells are empty', 'column');
  return { seen, rows, unit, clamp };
}

/** Halves are rounded up: r − ⌊unit / 2⌋ to r + ⌈unit / 2⌉ − 1 become r. An end of a clamp need not be a multiple. */
function sumsOf(index: number, unit: number, [low, high]: Outputs['clamp']): Omit<Cell, 'count'> {
  return {
    low: index === low ? -Infinity : Math.ceil(index / unit) * unit - Math.floor(unit / 2),
    high: index === high ? Infinity : lastSum(index, unit),
  };
}

/** The last sum that becomes at most this. */
export function lastSum(index: number, unit: number): number {
  return Math.floor(index / unit) * unit + Math.ceil(unit / 2) - 1;
}

/** The last sums of cells that a clamp leaves apart, from `from` to `to`, at most `most` of them and evenly spread. */
export function edgesOf({ unit, clamp }: Outputs, from: number, to: number, most: number): number[] {
  // Nothing is told apart below the lower end of a clamp, and above the upper one.
  const first = Math.max(from, clamp[0] === -Infinity ? from : lastSum(clamp[0], unit));
  const last = Math.min(to, clamp[1] === Infinity ? to : lastSum(clamp[1] - 1, unit));
  const apart = unit * Math.max(1, Math.ceil((last - first) / unit / most));
  const edges: number[] = [];
  const start = lastSum(first, unit) < first ? lastSum(first, unit) + unit : lastSum(first, unit);
  for (let edge = start; edge <= last; edge += apart) edges.push(edge);
  return edges;
}

/**
 * All that can be released as cells, side by side: as far as values go, and `from` to `to` at least. Up to `most`, every value has
 * its own.
 */
export function cellsOf(outputs: Outputs, from: number, to: number, most: number): readonly Cell[] {
  const { seen } = outputs;
  const ends = seen.flatMap(({ low, high }) => [low, high]).filter(Number.isFinite);
  const lowest = ends.reduce((a, b) => Math.min(a, b), from);
  const highest = ends.reduce((a, b) => Math.max(a, b), to);
  const edges = edgesOf(outputs, lowest, highest, most);
  const counts = new Float64Array(edges.length + 1);
  let at = 0;
  for (const { high, count } of seen) {
    while (at < edges.length && edges[at]! < high) at++;
    counts[at]! += count;
  }
  return Array.from(counts, (count, j) => ({
    low: j === 0 ? -Infinity : edges[j - 1]! + 1,
    high: j === edges.length ? Infinity : edges[j]!,
    count,
  }));
}
