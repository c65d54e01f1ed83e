// The statistics of a column behind its noise: distribution, mean, variance, quantiles and shares, each with two intervals. All in
// steps; the distribution is by groups of values where there are many.

import { badData, isOurs } from '../error/index.js';
import { type Rational, rational, toNumberNear } from '../exact/index.js';
import { lastIndex, moments, type Pmf, quantile, standardDeviation } from '../pmf/index.js';
import { cellsOf, type Outputs } from './cells.js';
import { type Direct, type Figures, figuresOf } from './figures.js';
import { type Fit, fit } from './fit.js';
import { possible } from './guaranteed.js';
import { groups, type Kernel, kernelOf, onCells, type Support, type Within, withinOf } from './kernel.js';
import { likelyOnes } from './likely.js';
import { noiseMean } from './noise-mean.js';
import { type Problem, rowsSeen } from './problem.js';
import { middleDistance, redraw } from './redrawn.js';
import { chooseSmoothing, type Smoothed } from './smoothing.js';
import { usualOf } from './usual.js';

export interface Asked {
  /** The lowest and the highest true value, where it is known. */
  readonly range: readonly [low: number, high: number] | null;
  /** Chosen from the data, or none. */
  readonly smooth: 'chosen' | 'none';
  readonly confidence: number;
  readonly quantiles: readonly number[];
  readonly atLeast: readonly number[];
  /** Is there a guaranteed interval for each value's share? They take the longest. */
  readonly bins: boolean;
  readonly impossible: 'fail' | 'warn';
}

export interface Recovered extends Figures {
  readonly rows: number;
  readonly support: Support;
  readonly gap: number;
  readonly smoothing: Smoothed | null;
  /** The distance of the recovered distribution from the true one, in the middle of what happens: W in steps. */
  readonly apart: () => number;
  /** Ends of usual intervals, so far, that could not be found: what is told of them is further out. */
  readonly missed: () => number;
  /** Why nothing is guaranteed, where no column would come out like this. */
  readonly impossible: string | null;
}

/** Values, and cells of released ones, up to which each has its own. */
const MOST_POINTS = 1024;
const MOST_CELLS = 2048;
/** Parts of the noise's standard deviation that are told apart. */
const FINE = 16;
/** As above, where only the smoothing is chosen. */
const FEW_POINTS = 128;
const FEWEST_POINTS = 16;
const FEW_CELLS = 512;
/** As above, of narrow noise, where intervals are looked for; and the part of its deviation that it hardly tells apart. */
const MANY_POINTS = 256;
const HARDLY = 4;
/** How accurate a fit is: of the likelihood of a row, and of all of them. */
const ROW_GAP = 1e-7;
const COLUMN_GAP = 1e-2;
/** Below it doubles round. */
const LEAST_GAP = 2e-8;
const REDRAWN = 200;
const FEW_REDRAWN = 40;
/** What is left of a smoothing that hides too much; after so many times, of none at all. */
const LESS = 0.1;
const MOST_LESS = 12;
/** Noise beyond this share on either side has no cell, and no threshold, of its own. */
export const RARE = rational(1n, 10n ** 9n);
const SELDOM = rational(1n, 1000n);
const TRAITS = new WeakMap<
  Pmf,
  { readonly mean: number; readonly deviation: number; readonly farthest: readonly [number, number] }
>();

export function recoverColumn(outputs: Outputs, noise: Pmf, asked: Asked): Recovered {
  const { rows } = outputs;
  const all = behind(outputs, noise, asked.range, asked.confidence);
  const { range, low, high, reach, within, support, problem } = all;
  const smoothing = asked.smooth === 'none' ? null : chosen(outputs, within, low, high, reach);
  const own = (smoothing?.smoothing ?? 0) * (fewOf(outputs, low, high).apart / support.apart) ** 4;
  const [weight, found] = toldBy(all, own, rows);
  const alpha = 1 - asked.confidence;
  const certainOf = () => {
    const [least, most] = reachOf(noise, SELDOM);
    const wide = supportOf(range[0], range[1], MOST_POINTS, all.blur);
    try {
      return possible(outputs, within, wide, [range[0] + least, range[1] + most], alpha, all.noise);
    } catch (error) {
      if (asked.impossible === 'fail' || !isOurs(error, 'data')) throw error;
      impossible = error.problem;
      return null;
    }
  };
  let impossible: string | null = null;
  const certain = asked.range ? certainOf() : null;
  return {
    rows,
    support,
    gap: found.gap,
    smoothing: smoothing && { ...smoothing, smoothing: weight },
    apart: () => {
      const times = support.points > FEW_POINTS ? FEW_REDRAWN : REDRAWN;
      return middleDistance(
        redraw({ ...problem, smoothing: weight }, all.kernel, found, rows, times),
        support,
      );
    },
    missed: all.likely.missed,
    impossible,
    ...figuresOf(
      {
        support,
        told: found.masses,
        usual: all.usual,
        range,
        certain,
        direct: directOf(outputs, noise, alpha),
        ...{ confidence: asked.confidence, bins: asked.bins },
      },
      asked.quantiles,
      asked.atLeast,
    ),
  };
}

/** What is worked out exactly of a noise, once for all groups. */
function traitsOf(noise: Pmf) {
  const known = TRAITS.get(noise);
  if (known) return known;
  const exact = moments({ ...noise, step: rational(1n) });
  const own = {
    ...{ mean: toNumberNear(exact.mean), deviation: standardDeviation(exact) },
    farthest: reachOf(noise, RARE),
  };
  TRAITS.set(noise, own);
  return own;
}

/** What can lie behind a column within a range, or within what was seen of it, and the usual intervals of its figures. */
export function behind(outputs: Outputs, noise: Pmf, known: Asked['range'], confidence: number) {
  const range = known ?? seenRange(outputs);
  const { mean, deviation, farthest } = traitsOf(noise);
  // What lies further from all that was released than noise goes is not looked at, but for what is certain.
  const [low, high] = nearRange(outputs, range, farthest);
  const reach = [low + farthest[0], high + farthest[1]] as const;
  const within = withinOf(
    noise,
    furthestOf(outputs, range[0], range[1], [range[0] + farthest[0], range[1] + farthest[1]]),
  );
  // Values nearer to each other than a small part of the noise are not told apart by it.
  const blur = Math.floor(deviation / FINE);
  const support = supportOf(low, high, MOST_POINTS, blur);
  const { problem, kernel, ...fine } = problemOf(outputs, within, support, reach, MOST_CELLS, blur);
  checkPossible(problem, known !== null);
  // Intervals take many solutions: of many values, as few groups as the noise hardly tells apart.
  const together = Math.min(
    Math.ceil(support.points / FEW_POINTS),
    Math.max(Math.ceil(support.points / MANY_POINTS), Math.floor(deviation / HARDLY / support.apart)),
  );
  const wide = together > 1 ? groups(low, high, together * support.apart) : support;
  const { problem: own, weights } =
    together > 1 ? problemOf(outputs, within, wide, reach, FEW_CELLS, blur) : { problem, ...fine };
  const likely = likelyOnes({ kernel: own.kernel, weights }, outputs.rows, confidence);
  /** How likely a distribution is, in those groups. */
  const likelihood = (masses: Float64Array) => {
    const sums = new Float64Array(wide.points);
    masses.forEach((mass, k) => {
      sums[Math.floor(k / Math.max(1, together))]! += mass;
    });
    return own.evidence.likelihood(own.kernel.forward(sums));
  };
  return {
    ...{ range, low, high, reach, within, blur, support, problem, kernel, likely, likelihood },
    noise: { mean, deviation },
    usual: usualOf(likely, wide, wide.apart > Math.max(1, deviation / HARDLY)),
  };
}

/** The smoothest fit up to this weight that is itself a likely distribution, so that all its figures are in their intervals. */
function toldBy(
  { problem, likely, likelihood }: ReturnType<typeof behind>,
  smoothing: number,
  rows: number,
): readonly [smoothing: number, found: Fit] {
  const tolerance = Math.max(LEAST_GAP, Math.min(ROW_GAP, COLUMN_GAP / rows));
  let [weight, found] = [smoothing, fit({ ...problem, smoothing }, tolerance)];
  const isUnlikely = () => likely.best.likelihood - likelihood(found.masses) > likely.room;
  for (let times = 1; weight > 0 && isUnlikely(); times++) {
    weight = times < MOST_LESS ? weight * LESS : 0;
    found = fit({ ...problem, smoothing: weight }, tolerance, found);
  }
  return [weight, found];
}

export function directOf({ seen, rows, unit, clamp }: Outputs, noise: Pmf, alpha: number): Direct | null {
  if (unit !== 1 || clamp.some(Number.isFinite)) return null;
  let sum = 0;
  for (const { low, count } of seen) sum += low * (count / rows);
  return { released: sum, ...noiseMean(noise, rows, alpha) };
}

function seenRange({ seen, clamp }: Outputs): readonly [number, number] {
  const ends = [...seen.flatMap(({ low, high }) => [low, high]), ...clamp].filter(Number.isFinite);
  return [ends.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))];
}

/** As far into the range as noise on it could have made what was released; a clamp's end may hide anything. */
function nearRange(
  { seen }: Outputs,
  [low, high]: readonly [number, number],
  [least, most]: readonly [number, number],
): readonly [number, number] {
  const lowest = seen.reduce((a, cell) => Math.min(a, cell.low), Infinity);
  const highest = seen.reduce((a, cell) => Math.max(a, cell.high), -Infinity);
  const near = [Math.max(low, lowest - most), Math.min(high, highest - least)] as const;
  return near[0] <= near[1] ? near : [low, high];
}

/** From which to which value noise goes, but for a share on either side. */
export function reachOf(noise: Pmf, share: Rational): readonly [number, number] {
  const unit = { ...noise, step: rational(1n) };
  const mirrored = rational(share.den - share.num, share.den);
  return [
    noise.left ? toNumberNear(quantile(unit, share)) : noise.from,
    noise.right ? toNumberNear(quantile(unit, mirrored)) : lastIndex(noise),
  ];
}

function furthestOf({ seen }: Outputs, low: number, high: number, reach: readonly number[]): number {
  let most = Math.max(...reach.map(Math.abs)) + Math.max(Math.abs(low), Math.abs(high));
  for (const cell of seen)
    for (const end of [cell.low, cell.high])
      if (Number.isFinite(end)) most = Math.max(most, Math.abs(end - low), Math.abs(end - high));
  return most + 1;
}

function supportOf(low: number, high: number, most: number, blur = 1): Support {
  const size = high - low + 1;
  const apart = Math.max(Math.ceil(size / most), Math.min(Math.ceil(size / FEW_POINTS), blur));
  return groups(low, high, apart);
}

function problemOf(
  outputs: Outputs,
  within: Within,
  support: Support,
  [low, high]: readonly [number, number],
  most: number,
  blur = 1,
): { readonly problem: Problem; readonly kernel: Kernel; readonly weights: Float64Array } {
  const wanted = Math.ceil((high - low) / Math.max(1, blur));
  const cells = cellsOf(outputs, low, high, Math.min(most, Math.max(FEW_CELLS, wanted)));
  const all = kernelOf(within, cells, support);
  // What was not seen says nothing that the rest does not.
  const seen = [...cells.keys()].filter((j) => cells[j]!.count > 0);
  const weights = Float64Array.from(seen, (j) => cells[j]!.count / outputs.rows);
  return {
    kernel: all,
    weights,
    problem: { kernel: onCells(all, seen), evidence: rowsSeen(weights), smoothing: 0 },
  };
}

/** Chosen on a few groups of values; roughness grows with the fourth power of a group's width. */
function chosen(
  outputs: Outputs,
  within: Within,
  low: number,
  high: number,
  reach: readonly [number, number],
): Smoothed {
  const support = fewOf(outputs, low, high);
  return chooseSmoothing(problemOf(outputs, within, support, reach, FEW_CELLS).problem, outputs.rows);
}

/** A few rows tell of a few groups. */
function fewOf({ rows }: Outputs, low: number, high: number): Support {
  return supportOf(low, high, Math.max(FEWEST_POINTS, Math.min(FEW_POINTS, rows)));
}

/** Is there a true value that could have become each released one? */
function checkPossible({ kernel, evidence }: Problem, isRanged: boolean): void {
  const likely = kernel.forward(new Float64Array(kernel.points).fill(1 / kernel.points));
  if (!Number.isFinite(evidence.likelihood(likely)))
    throw badData(
      isRanged
        ? 'some released values lie further outside this range than the noise reaches; widen it, or name the mechanism that the column was released with'
        : 'its noise cannot have made this column; name the one that it was released with',
      isRanged ? 'range' : 'mechanism',
    );
}
