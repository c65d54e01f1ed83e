// Figures of a recovered column, with a usual and a guaranteed interval each.

import { normalQuantileUp } from '../account/index.js';
import { fromNumber, toNumberNear } from '../exact/index.js';
import type { Fit } from './fit.js';
import type { Possible } from './guaranteed.js';
import { groupAt, type Support } from './kernel.js';
import type { NoiseMean } from './noise-mean.js';
import type { Redrawn } from './redrawn.js';

export type Interval = readonly [low: number, high: number];

export interface Figure {
  readonly estimate: number;
  readonly usual: Interval;
  /** null where nothing is certain: that takes a range. */
  readonly guaranteed: Interval | null;
}

export interface Figures {
  /** Of each group of values. */
  readonly masses: readonly Figure[];
  readonly mean: Figure;
  readonly variance: Figure;
  /** In the order they were asked for. */
  readonly quantiles: readonly Figure[];
  readonly atLeast: readonly Figure[];
}

/** The mean of the column from that of what was released, where nothing but noise was added. */
export interface Direct extends NoiseMean {
  readonly released: number;
}

/** A fit, and what the same fit makes of columns redrawn. */
export interface Level {
  readonly found: Fit;
  readonly redrawn: readonly Redrawn[];
}

export interface Basis {
  readonly support: Support;
  /** The fit that is told, then rougher ones: what smoothing hides shows in what they find. */
  readonly levels: readonly [Level, ...Level[]];
  /** All that values can be, in steps. */
  readonly range: Interval;
  readonly certain: Possible | null;
  readonly direct: Direct | null;
  readonly confidence: number;
  readonly bins: boolean;
}

/** Groups up to which each has its own guaranteed interval; of more, neighbours share one. */
const MOST_BINS = 128;
const SHARED = 48;
/** Redrawn columns from which on their errors are ranked. */
const MANY = 100;
/** Places at which the mean is taken to be, for the least and the most variance. */
const PLACES = 9;

export function figuresOf(basis: Basis, quantiles: readonly number[], atLeast: readonly number[]): Figures {
  return {
    masses: massesOf(basis),
    mean: meanOf(basis),
    variance: varianceOf(basis),
    quantiles: quantiles.map((p) => quantileOf(basis, p)),
    atLeast: atLeast.map((t) => {
      const guaranteed = basis.certain?.between((x) => (x >= t ? 1 : 0), t) ?? null;
      return {
        ...usually(basis, linear(shareFrom(basis.support, t)), [0, 1]),
        guaranteed: held(guaranteed, [0, 1]),
      };
    }),
  };
}

type Functional = (masses: Float64Array) => number;

function linear(coefficients: Float64Array): Functional {
  return (masses) => masses.reduce((sum, mass, k) => sum + mass * coefficients[k]!, 0);
}

/** The middle of each group. */
function middles(support: Support): Float64Array {
  return Float64Array.from({ length: support.points }, (_, k) => {
    const [first, last] = groupAt(support, k);
    return (first + last) / 2;
  });
}

/** The share of each group that is t or more. */
function shareFrom(support: Support, t: number): Float64Array {
  return Float64Array.from({ length: support.points }, (_, k) => {
    const [first, last] = groupAt(support, k);
    return Math.max(0, Math.min(1, (last + 1 - t) / (last - first + 1)));
  });
}

/** An estimate less what the same estimate was off by on columns redrawn, of all levels, within what there can be. */
function usually(
  { levels, confidence }: Basis,
  of: Functional,
  bounds: Interval,
): Pick<Figure, 'estimate' | 'usual'> {
  const tail = (1 - confidence) / 2;
  const ends = levels.flatMap(({ found, redrawn }) => {
    const own = of(found.masses);
    const errors = redrawn.map(({ fitted, column }) => of(fitted) - of(column)).sort((a, b) => a - b);
    const [low, high] = spread(errors, tail);
    return [own - high, own - low];
  });
  // An estimate at the end of what there can be is in its interval.
  const estimate = of(levels[0].found.masses);
  const [low, high] = held([Math.min(...ends), Math.max(...ends)], bounds)!;
  return { estimate, usual: [Math.min(low, estimate), Math.max(high, estimate)] };
}

/** The middle of sorted errors, without a tail on either side; of a few, by a normal law. */
function spread(sorted: readonly number[], tail: number): Interval {
  if (sorted.length >= MANY) return [ranked(sorted, tail), ranked(sorted, 1 - tail)];
  const mean = sorted.reduce((sum, v) => sum + v, 0) / sorted.length;
  const square = sorted.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (sorted.length - 1);
  const reach = toNumberNear(normalQuantileUp(fromNumber(1 - tail))) * Math.sqrt(square);
  return [mean - reach, mean + reach];
}

/** Between the two values that the share p lies between. */
function ranked(sorted: readonly number[], p: number): number {
  const place = Math.min(sorted.length - 1, Math.max(0, p * (sorted.length + 1) - 1));
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (place - Math.floor(place)) * (above - below);
}

function held(interval: Interval | null, [low, high]: Interval): Interval | null {
  return interval && [Math.max(low, Math.min(high, interval[0])), Math.min(high, Math.max(low, interval[1]))];
}

function massesOf(basis: Basis): Figure[] {
  const { support, levels, bins } = basis;
  const certain = bins ? basis.certain : null;
  const { points } = support;
  const start = (k: number) => (k < points ? groupAt(support, k)[0] : support.last + 1);
  const isFrom = (t: number) => (x: number) => (x >= t ? 1 : 0);
  // The share from the start of every so many groups on.
  const together = Math.ceil(points / SHARED);
  const shared =
    certain && points > MOST_BINS
      ? Array.from({ length: Math.ceil(points / together) + 1 }, (_, i) =>
          certain.between(isFrom(start(i * together)), start(i * together)),
        )
      : null;
  const guaranteed = (k: number): Interval | null => {
    if (!certain) return null;
    const i = Math.floor(k / together);
    if (shared) return [0, shared[i]![1] - shared[i + 1]![0]];
    return certain.between((x) => (x >= start(k) && x < start(k + 1) ? 1 : 0), start(k));
  };
  return Array.from(levels[0].found.masses, (_, k) => ({
    ...usually(basis, (masses) => masses[k]!, [0, 1]),
    guaranteed: held(guaranteed(k), [0, 1]),
  }));
}

/** Where nothing but noise was added, the mean of what was released less the noise's own: unbiased, whatever the column. */
function meanOf(basis: Basis): Figure {
  const { support, range, certain, direct, confidence } = basis;
  if (!direct)
    return {
      ...usually(basis, linear(middles(support)), range),
      guaranteed: held(certain?.between((x) => x) ?? null, range),
    };
  // What is known of the range is known of the mean.
  return directMean(direct, confidence, certain ? range : [-Infinity, Infinity]);
}

export function directMean(direct: Direct, confidence: number, known: Interval): Figure {
  const estimate = direct.released - direct.mean;
  // What noise drawn anew would do to it: the law of a mean of many draws.
  const reach = toNumberNear(normalQuantileUp(fromNumber((1 + confidence) / 2))) * direct.error;
  const around = (below: number, above: number): Interval => [estimate - above, estimate + below];
  return {
    estimate: Math.max(known[0], Math.min(known[1], estimate)),
    usual: held(around(reach, reach), known)!,
    guaranteed: held(around(direct.below, direct.above), known),
  };
}

function varianceOf(basis: Basis): Figure {
  const { support, range, certain } = basis;
  const values = middles(support);
  // Within a group of equally frequent values there is some as well.
  const inner = Float64Array.from(values, (_, k) => {
    const [start, end] = groupAt(support, k);
    return ((end - start + 1) ** 2 - 1) / 12;
  });
  const of = (masses: Float64Array) => {
    let [first, second] = [0, 0];
    masses.forEach((mass, k) => {
      first += mass * values[k]!;
      second += mass * (values[k]! ** 2 + inner[k]!);
    });
    return second - first * first;
  };
  const most = ((range[1] - range[0]) / 2) ** 2;
  return {
    ...usually(basis, of, [0, most]),
    guaranteed: held(certain && certainVariance(certain), [0, most]),
  };
}

/**
 * The variance is the least over c of E(x − c)². Each c is thus a bound above; and one within `apart` of the mean is a bound below,
 * but for apart².
 */
function certainVariance(certain: Possible): Interval {
  const [low, high] = certain.between((x) => x);
  const apart = (high - low) / (PLACES - 1);
  let [least, most] = [Infinity, Infinity];
  for (let i = 0; i < PLACES; i++) {
    const c = low + i * apart;
    const [below, above] = certain.between((x) => (x - c) ** 2);
    least = Math.min(least, below - (apart / 2) ** 2);
    most = Math.min(most, above);
  }
  return [least, most];
}

/** The least value with at least a share p up to it; its interval is where the interval of that share holds p. */
function quantileOf(basis: Basis, p: number): Figure {
  const { support, range, levels, certain } = basis;
  const { points } = support;
  const { masses } = levels[0].found;
  const upTo = (k: number) => (of: Float64Array) => {
    let sum = 0;
    for (let i = 0; i <= k; i++) sum += of[i]!;
    return sum;
  };
  const group = (reaches: (k: number) => boolean) => leastOf(0, points - 1, reaches);
  // Within a group, whose values are taken to be equally frequent.
  const own = group((k) => upTo(k)(masses) >= p - 1e-12);
  const [first, last] = groupAt(support, own);
  const share = (p - (own === 0 ? 0 : upTo(own - 1)(masses))) / masses[own]!;
  const within = Math.ceil(share * (last - first + 1) - 1e-9) - 1;
  const estimate = first + Math.max(0, Math.min(last - first, within));
  const usual = (side: 0 | 1) => group((k) => usually(basis, upTo(k), [0, 1]).usual[side] >= p - 1e-12);
  const sure = (side: 0 | 1) =>
    leastOf(range[0], range[1], (t) => certain!.between((x) => (x <= t ? 1 : 0), t)[side] >= p);
  return {
    estimate,
    usual: [
      Math.min(estimate, groupAt(support, usual(1))[0]),
      Math.max(estimate, groupAt(support, usual(0))[1]),
    ],
    guaranteed: certain && [sure(1), sure(0)],
  };
}

/** The least whole number of a range that reaches something, or its end; what reaches it, all above reach as well. */
function leastOf(from: number, to: number, reaches: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (reaches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
