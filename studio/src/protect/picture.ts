// Before and after, on the screen of whoever has the data: the column as it is, and as it could come out, drawn anew each time.

import { toNumberNear } from 'discreet-dp/exact';
import { finished, indexOfText } from 'discreet-dp/mechanism';
import { bulkOf } from 'discreet-dp/plot';
import { entropySource, sampler } from 'discreet-dp/random';
import { type ProtectedColumn, type Reading, readCell } from 'discreet-dp/terms';
import { type Chart, masses } from '../engine/chart.js';

export interface Resampled {
  readonly chart: Chart;
  /** Some true values and what each could come out as. */
  readonly examples: readonly (readonly [before: number, after: number])[];
  /** Shares of values below 0, before and after. */
  readonly negative: readonly [before: number, after: number];
  readonly mean: readonly [before: number, after: number];
  readonly values: number;
}

const MOST_BINS = 100;
const EXAMPLES = 6;

/** One possible outcome. It is never the one that is released, which has noise of its own. */
export function resampled(
  column: ProtectedColumn,
  sample: readonly string[],
  reading: Reading | null,
): Resampled | null {
  const { name, mechanism, lattice, finish } = column;
  const before: bigint[] = [];
  for (const text of sample) {
    const cell = reading ? readCell(text, reading) : text;
    const index = cell === null ? null : indexOfText(cell, lattice);
    if (index !== null) before.push(index);
  }
  if (before.length === 0) return null;
  const noise = sampler(mechanism.pmf, entropySource(globalThis.crypto));
  const after = before.map((index) => finished(index + noise.draw(), finish));
  const unit = toNumberNear(mechanism.pmf.step);
  const [old, fresh] = [before, after].map((list) => list.map((index) => Number(index)));
  const bulk = bulkOf(mechanism.pmf);
  // The same frame for all outcomes.
  const [least, most] = ends(old!);
  const [low, high] = [
    least + Math.max(bulk.low, Number(finish.low) - least),
    most + Math.min(bulk.high, Number(finish.high) - most),
  ];
  const width = Math.max(1, Math.ceil((high - low + 1) / MOST_BINS));
  const shares = (list: readonly number[]) => {
    const bins = new Array<number>(Math.floor((high - low) / width) + 1).fill(0);
    for (const value of list) {
      const bin = Math.floor((value - low) / width);
      if (bin >= 0 && bin < bins.length) bins[bin]! += 1 / list.length;
    }
    return bins.map((y, i) => ({ x: (low + i * width + (width - 1) / 2) * unit, y }));
  };
  const average = (list: readonly number[]) => (list.reduce((a, b) => a + b, 0) / list.length) * unit;
  const below = (list: readonly number[]) => list.filter((value) => value < 0).length / list.length;
  return {
    chart: masses(
      [
        { name: 'before', points: shares(old!) },
        { name: 'after', points: shares(fresh!) },
      ],
      {
        title: `“${name}” before, and one way it could come out`,
        x: width === 1 ? 'value' : `value, in groups of ${Number((width * unit).toPrecision(4))}`,
        y: 'share of rows',
        height: 300,
      },
    ),
    examples: old!.slice(0, EXAMPLES).map((value, i) => [value * unit, fresh![i]! * unit]),
    negative: [below(old!), below(fresh!)],
    mean: [average(old!), average(fresh!)],
    values: before.length,
  };
}

/** All but one of a hundred at either end, so that a single far value does not press the picture together. */
function ends(list: readonly number[]): [number, number] {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  return [at(0.005), at(0.995)];
}
