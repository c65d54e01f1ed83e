// What a reader will be able to recover, before anybody has read anything: the same recovery of what a prior would most likely become.

import { one, toNumberNear } from '../exact/index.js';
import { type Finish, latticeOf, type Mechanism } from '../mechanism/index.js';
import { lastIndex, moments, type Pmf, probabilities } from '../pmf/index.js';
import { type Cell, edgesOf, type Outputs } from './cells.js';
import { directOf, RARE, reachOf, recoverColumn } from './column.js';
import { directMean, type Figure, type Interval } from './figures.js';
import { withinOf } from './kernel.js';
import { scaled } from './recover.js';

export interface Foretold {
  readonly rows: number;
  readonly confidence: number;
  /** Null where clamping or rounding makes it depend on the data, and no prior tells of them. */
  readonly mean: Figure | null;
  /** The rest takes a prior. */
  readonly median: Figure | null;
  readonly variance: Figure | null;
  /** How far the recovered distribution lies from the true one, in the middle of what happens; W in data units. */
  readonly wasserstein: number | null;
}

/** Values of a prior up to which each is looked at by itself. */
const MOST_POINTS = 2048;
const MOST_CELLS = 65_536;

/** For so many rows. Without a prior only the mean's error is known, and where nothing but noise was added. */
export function foretell(
  prior: Pmf | null,
  { pmf }: Mechanism,
  finish: Finish,
  rows: number,
  confidence = 0.95,
): Foretold {
  const unit = toNumberNear(pmf.step);
  const bare = outputsFor(finish, latticeOf(pmf.step).limit);
  // Around the prior's mean, or around 0: the error alone.
  const centre = prior ? toNumberNear(moments({ ...prior, step: one }).mean) : 0;
  const direct = directOf({ ...bare, rows, seen: [] }, pmf, 1 - confidence);
  const known: Interval = prior ? [prior.from, lastIndex(prior)] : [-Infinity, Infinity];
  const own = direct && directMean({ ...direct, released: centre + direct.mean }, confidence, known);
  const mean = own && scaled(own, unit);
  if (!prior) return { rows, confidence, mean, median: null, variance: null, wasserstein: null };
  const found = recoverColumn({ ...bare, rows, seen: expected(prior, pmf, bare, rows) }, pmf, {
    range: [prior.from, lastIndex(prior)],
    smooth: 'chosen',
    confidence,
    quantiles: [0.5],
    atLeast: [],
    bins: false,
    // What is foretold by cells that are too coarse for thresholds has nothing guaranteed.
    impossible: 'warn',
  });
  return {
    rows,
    confidence,
    mean: mean ?? scaled(found.mean, unit),
    median: scaled(found.quantiles[0]!, unit),
    variance: scaled(found.variance, unit * unit),
    wasserstein: found.apart() * unit,
  };
}

function outputsFor({ low, high, roundTo }: Finish, limit: bigint): Pick<Outputs, 'unit' | 'clamp'> {
  return {
    unit: Number(roundTo),
    clamp: [low > -limit ? Number(low) : -Infinity, high < limit ? Number(high) : Infinity],
  };
}

/** How many rows would be released in each cell, on average. */
function expected(
  prior: Pmf,
  noise: Pmf,
  bare: Pick<Outputs, 'unit' | 'clamp'>,
  rows: number,
): readonly Cell[] {
  const [low, high] = [prior.from, lastIndex(prior)];
  const [least, most] = reachOf(noise, RARE);
  const edges = edgesOf({ ...bare, rows, seen: [] }, low + least, high + most, MOST_CELLS);
  const furthest = Math.max(Math.abs(least), Math.abs(most)) + high - low + 2 * bare.unit + 2;
  const within = withinOf(noise, furthest);
  const { p } = probabilities(prior, low, high);
  // Neighbours are taken for one, in their middle.
  const together = Math.ceil(p.length / MOST_POINTS);
  const ends = [-Infinity, ...edges.map((edge) => edge + 1)];
  const counts = new Float64Array(ends.length);
  for (let from = 0; from < p.length; from += together) {
    let mass = 0;
    for (let i = from; i < Math.min(p.length, from + together); i++) mass += p[i]!;
    const x = low + from + Math.floor((together - 1) / 2);
    if (mass > 0)
      for (let j = 0; j < ends.length; j++)
        counts[j]! += rows * mass * within(ends[j]! - x, (edges[j] ?? Infinity) - x);
  }
  return Array.from(counts, (count, j) => ({ low: ends[j]!, high: edges[j] ?? Infinity, count }));
}
