// Figures of a recovered column, with a usual and a guaranteed interval each.

import { normalQuantileUp } from '../account/index.js';
import { fromNumber, toNumberNear } from '../exact/index.js';
import { between, most, type Possible } from './guaranteed.js';
import { groupAt, type Support } from './kernel.js';
import type { NoiseMean } from './noise-mean.js';
import { type Bar, shapeOf } from './shape.js';
import { possibleOfTwo, shareOfTwo, usualOfTwo } from './two.js';
import { type Figure, type Interval, leastOf, type Usual } from './usual.js';

export type { Figure, Interval } from './usual.js';

export interface Figures {
  /** Of each group of values; they take the longest, so only where they are asked for. */
  readonly masses: () => readonly Figure[];
  /** The distribution in groups as wide as it takes to tell them apart. */
  readonly shape: () => readonly Bar[];
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

export interface Basis {
  readonly support: Support;
  /** The distribution that is told: one of the likely ones. */
  readonly told: Float64Array;
  readonly usual: Usual;
  /** All that values can be, in steps. */
  readonly range: Interval;
  readonly certain: Possible | null;
  readonly direct: Direct | null;
  readonly confidence: number;
  readonly bins: boolean;
}

/** Groups up to which each has its own intervals; of more, neighbours share them. */
const MOST_BINS = 128;
const SHARED = 48;
/** Places at which the mean is taken to be, for the least and the most variance. */
const PLACES = 9;

export function figuresOf(given: Basis, quantiles: readonly number[], atLeast: readonly number[]): Figures {
  const basis = byMean(given);
  const { support, told, usual, certain } = basis;
  return {
    masses: () => massesOf(basis),
    shape: () => shapeOf(support, told, usual),
    mean: meanOf(basis),
    variance: varianceOf(basis),
    quantiles: quantiles.map((p) => quantileOf(basis, p)),
    atLeast: atLeast.map((t) => {
      const guaranteed = certain && between(certain, (x) => (x >= t ? 1 : 0), t);
      return figure(
        linear(told, shareFrom(support, t)),
        usual.share(t, Infinity),
        held(guaranteed, [0, 1]),
        [0, 1],
      );
    }),
  };
}

/** Of two values, where nothing but noise was added, the mean says all: one answer, and the better one. */
function byMean(basis: Basis): Basis {
  const { support, direct, range, certain } = basis;
  if (!direct || support.points !== 2 || range[1] - range[0] !== 1) return basis;
  const [low] = range;
  const { estimate, usual, guaranteed } = shareOfTwo(low, meanOf(basis));
  return {
    ...basis,
    told: Float64Array.of(1 - estimate, estimate),
    usual: usualOfTwo(low, usual),
    certain: certain && guaranteed && possibleOfTwo(low, guaranteed),
  };
}

/**
 * What smoothing takes out of an interval is brought back to its end. What is usual is also possible; where the estimate is not, no
 * column of this range and noise may be what was released, and both are told as they are.
 */
function figure(estimate: number, usual: Interval, guaranteed: Interval | null, bounds: Interval): Figure {
  const within = held(usual, bounds)!;
  const own = Math.max(within[0], Math.min(within[1], estimate));
  const isPossible = guaranteed !== null && guaranteed[0] <= own && own <= guaranteed[1];
  return { estimate: own, usual: isPossible ? held(within, guaranteed)! : within, guaranteed };
}

function linear(masses: Float64Array, coefficients: Float64Array): number {
  return masses.reduce((sum, mass, k) => sum + mass * coefficients[k]!, 0);
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

function held(interval: Interval | null, [low, high]: Interval): Interval | null {
  return interval && [Math.max(low, Math.min(high, interval[0])), Math.min(high, Math.max(low, interval[1]))];
}

function massesOf(basis: Basis): Figure[] {
  const { support, told, usual, bins } = basis;
  const certain = bins ? basis.certain : null;
  const { points } = support;
  const start = (k: number) => (k < points ? groupAt(support, k)[0] : support.last + 1);
  const isFrom = (t: number) => (x: number) => (x >= t ? 1 : 0);
  // The share from the start of every so many groups on.
  const together = Math.ceil(points / SHARED);
  const shared =
    certain && points > MOST_BINS
      ? Array.from({ length: Math.ceil(points / together) + 1 }, (_, i) =>
          between(certain, isFrom(start(i * together)), start(i * together)),
        )
      : null;
  const blockOf = (k: number) => Math.floor(k / together);
  const guaranteed = (k: number): Interval | null => {
    if (!certain) return null;
    const i = blockOf(k);
    if (shared) return [0, shared[i]![1] - shared[i + 1]![0]];
    return between(certain, (x) => (x >= start(k) && x < start(k + 1) ? 1 : 0), start(k));
  };
  const blocks = new Map<number, Interval>();
  const usualOf = (k: number): Interval => {
    if (points <= MOST_BINS) return usual.share(start(k), start(k + 1));
    const i = blockOf(k);
    const own = blocks.get(i) ?? [0, usual.greatest(start(i * together), start((i + 1) * together))];
    blocks.set(i, own);
    return own;
  };
  // Shares are left as they are, so that their sum is 1: their intervals reach to them.
  return Array.from(told, (mass, k) => {
    const [low, high] = usualOf(k);
    return figure(mass, [Math.min(low, mass), Math.max(high, mass)], held(guaranteed(k), [0, 1]), [0, 1]);
  });
}

/** Where nothing but noise was added, the mean of what was released less the noise's own: unbiased, whatever the column. */
function meanOf(basis: Basis): Figure {
  const { support, told, usual, range, certain, direct, confidence } = basis;
  if (!direct)
    return figure(
      linear(told, middles(support)),
      usual.mean(),
      held(certain && between(certain, (x) => x), range),
      range,
    );
  // What is known of the range is known of the mean.
  return directMean(direct, confidence, certain ? range : [-Infinity, Infinity]);
}

export function directMean(direct: Direct, confidence: number, known: Interval): Figure {
  const estimate = direct.released - direct.mean;
  // What noise drawn anew would do to it: the law of a mean of many draws.
  const reach = toNumberNear(normalQuantileUp(fromNumber((1 + confidence) / 2))) * direct.error;
  const around = (below: number, above: number): Interval => [estimate - above, estimate + below];
  const nearest = Math.max(known[0], Math.min(known[1], estimate));
  // Means that are as likely as the interval's ends, next to the most likely one that can be.
  const likely = Math.hypot(reach, nearest - estimate);
  return {
    estimate: nearest,
    usual: held(around(likely, likely), known)!,
    guaranteed: held(around(direct.below, direct.above), known),
  };
}

function varianceOf({ support, told, usual, range, certain }: Basis): Figure {
  const values = middles(support);
  const mean = linear(told, values);
  // Within a group of equally frequent values there is some as well.
  const squares = Float64Array.from(values, (value, k) => {
    const [start, end] = groupAt(support, k);
    return (value - mean) ** 2 + ((end - start + 1) ** 2 - 1) / 12;
  });
  const bounds: Interval = [0, ((range[1] - range[0]) / 2) ** 2];
  return figure(
    linear(told, squares),
    usual.variance(),
    held(certain && certainVariance(certain), bounds),
    bounds,
  );
}

/**
 * The variance is the least over c of E(x − c)². Each c is thus a bound above; and one within `apart` of the mean is a bound below,
 * but for apart².
 */
function certainVariance(certain: Possible): Interval {
  const [low, high] = between(certain, (x) => x);
  const apart = (high - low) / (PLACES - 1);
  let [lowest, highest] = [Infinity, Infinity];
  for (let i = 0; i < PLACES; i++) {
    const c = low + i * apart;
    const [below, above] = between(certain, (x) => (x - c) ** 2);
    lowest = Math.min(lowest, below - (apart / 2) ** 2);
    highest = Math.min(highest, above);
  }
  return [lowest, highest];
}

/** The least value with at least a share p up to it; its interval is where the interval of that share holds p. */
function quantileOf({ support, told, usual, range, certain }: Basis, p: number): Figure {
  let [own, before] = [0, 0];
  while (own < support.points - 1 && before + told[own]! < p - 1e-12) before += told[own++]!;
  // Within a group, whose values are taken to be equally frequent.
  const [first, last] = groupAt(support, own);
  const within = Math.ceil(((p - before) / told[own]!) * (last - first + 1) - 1e-9) - 1;
  return figure(
    first + Math.max(0, Math.min(last - first, within)),
    usual.quantile(p),
    certain && certainQuantile(certain, p, range),
    range,
  );
}

/** The least value up to which there may be a share p, and the least up to which there surely is. */
function certainQuantile(certain: Possible, p: number, range: Interval): Interval {
  const upTo = (t: number) => (x: number) => (x <= t ? 1 : 0);
  const low = leastOf(range[0], range[1], (t) => most(certain, upTo(t), t) >= p);
  return [low, leastOf(low, range[1], (t) => certain.least(upTo(t), t) >= p)];
}
