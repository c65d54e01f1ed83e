// Usual intervals of a column's figures: from the least to the greatest that they are over all likely distributions (likely.ts). What
// is inside of a group of values is not told apart, so that every end is taken outward.

import { groupAt, type Support } from './kernel.js';
import type { Likely } from './likely.js';

export type Interval = readonly [low: number, high: number];

export interface Figure {
  readonly estimate: number;
  readonly usual: Interval;
  /** null where nothing is certain: that takes a range. */
  readonly guaranteed: Interval | null;
}

export interface Usual {
  /** The share of values from `from` up to, but without, `to`. */
  share(from: number, to: number): Interval;
  /** The upper end alone. */
  greatest(from: number, to: number): number;
  mean(): Interval;
  variance(): Interval;
  /** Where the interval of the share up to a value holds p. */
  quantile(p: number): Interval;
}

/** Shares are compared to this. */
const ROUNDING = 1e-12;

/** `isCoarse`: groups are too wide for the noise to blur; where values lie within one is then anywhere. */
export function usualOf({ most, reaches }: Likely, support: Support, isCoarse: boolean): Usual {
  const { points, apart } = support;
  const ends = Array.from({ length: points }, (_, k) => groupAt(support, k));
  // A value at the edge of a group may look like the next one.
  const beyond = apart > 1 ? apart : 0;
  const each = (f: (first: number, last: number, k: number) => number) =>
    Float64Array.from(ends, ([first, last], k) => f(first, last, k));
  const least = (f: Float64Array) => -most(negative(f));
  /** Of each group, what is surely from `from` up to `to`, and what may be. The outermost groups end with the support. */
  const surely = (from: number, to: number) =>
    each((first, last, k) =>
      (k === 0 ? first : first - beyond) >= from && (k === points - 1 ? last : last + beyond) < to ? 1 : 0,
    );
  const perhaps = (from: number, to: number) =>
    each((first, last) => (last + beyond >= from && first - beyond < to ? 1 : 0));
  const middle = (first: number, last: number) => (first + last) / 2;
  /** What may be, by the groups that it may be in: many shares are of the same. */
  const known = new Map<string, number>();
  const mostOf = (f: Float64Array) => {
    const key = f.join('');
    const own = known.get(key) ?? most(f);
    known.set(key, own);
    return own;
  };
  /** What is blurred is where its group's neighbours say, so that groups count by their middles; the outermost have none beyond. */
  const isLoose = (k: number) => isCoarse || (apart > 1 && (k === 0 || k === points - 1));
  let mean: Interval | undefined;
  const meanOf = (): Interval => {
    mean ??= [
      least(each((first, last, k) => (isLoose(k) ? first : middle(first, last)))),
      most(each((first, last, k) => (isLoose(k) ? last : middle(first, last)))),
    ];
    return mean;
  };
  /** (x − c)² of each group: at its nearer or farther end, or on average where values are blurred. */
  const square = (c: number, farther: boolean) =>
    each((first, last, k) => {
      const [near, far] = [
        Math.max(0, first - c, c - last),
        Math.max(Math.abs(first - c), Math.abs(last - c)),
      ];
      if (isLoose(k)) return (farther ? far : near) ** 2;
      return (middle(first, last) - c) ** 2 + ((last - first + 1) ** 2 - 1) / 12;
    });
  /** A single value that is blurred looks like two neighbouring groups around it, whose variance is at most this. */
  const spread = apart > 1 && !isCoarse ? apart ** 2 / 3 : 0;
  return {
    share(from, to) {
      const high = this.greatest(from, to);
      return [Math.min(high, least(surely(from, to))), high];
    },
    greatest: (from, to) => mostOf(perhaps(from, to)),
    mean: meanOf,
    variance() {
      // The variance is the least E(x − c)² of all c. This one is at most `away` from the mean of any likely distribution.
      const [low, high] = meanOf();
      const [c, away] = [(low + high) / 2, (high - low) / 2];
      return [Math.max(0, least(square(c, false)) - away ** 2 - spread), most(square(c, true))];
    },
    quantile(p) {
      const upTo = (of: typeof surely, t: number) => of(-Infinity, t + 1);
      const low = leastOf(0, points - 1, (k) => reaches(upTo(perhaps, ends[k]![0]), p - ROUNDING));
      const high = leastOf(
        low,
        points - 1,
        (k) => !reaches(negative(upTo(surely, ends[k]![1])), ROUNDING - p),
      );
      return [ends[low]![0], ends[high]![1]];
    },
  };
}

function negative(f: Float64Array): Float64Array {
  return f.map((v) => -v);
}

/** The least whole number of a range that reaches something, or its end; what reaches it, all above reach as well. */
export function leastOf(from: number, to: number, reaches: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (reaches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
