// The statistics of a column behind its noise: distribution, mean, variance, quantiles and shares, each with two intervals. All in
// steps; the distribution is by groups of values where there are many.

import { badData } from '../error/index.js';
import { type Rational, rational, toNumberNear } from '../exact/index.js';
import { lastIndex, moments, type Pmf, quantile, standardDeviation } from '../pmf/index.js';
import { cellsOf, type Outputs } from './cells.js';
import { type Direct, type Figures, figuresOf, type Level } from './figures.js';
import { fit } from './fit.js';
import { possible } from './guaranteed.js';
import { kernelOf, type Support, type Within, withinOf } from './kernel.js';
import { noiseMean } from './noise-mean.js';
import type { Problem } from './problem.js';
import { redraw } from './redrawn.js';
import { chooseSmoothing, type Smoothed } from './smoothing.js';

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
}

export interface Recovered extends Figures {
  readonly rows: number;
  readonly support: Support;
  readonly gap: number;
  readonly smoothing: Smoothed | null;
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
/** How accurate a fit is: of the likelihood of a row, and of all of them. */
const ROW_GAP = 1e-7;
const COLUMN_GAP = 1e-2;
const REDRAWN = 200;
const FEW_REDRAWN = 40;
/** Shares of the smoothing at which intervals look. */
const ROUGHER = [1, 0.1, 0.01];
/** Noise beyond this share on either side has no cell, and no threshold, of its own. */
const RARE = rational(1n, 10n ** 9n);
const SELDOM = rational(1n, 1000n);

export function recoverColumn(outputs: Outputs, noise: Pmf, asked: Asked): Recovered {
  const { rows } = outputs;
  const [low, high] = asked.range ?? seenRange(outputs);
  const reachBy = (share: Rational) => {
    const [least, most] = reachOf(noise, share);
    return [low + least, high + most] as const;
  };
  const reach = reachBy(RARE);
  const within = withinOf(noise, furthestOf(outputs, low, high, reach));
  // Values nearer to each other than a small part of the noise are not told apart by it.
  const blur = Math.floor(standardDeviation(moments({ ...noise, step: rational(1n) })) / FINE);
  const support = supportOf(low, high, MOST_POINTS, blur);
  const problem = problemOf(outputs, within, support, reach, MOST_CELLS, blur);
  checkPossible(problem, asked.range !== null);
  const smoothing = asked.smooth === 'none' ? null : chosen(outputs, within, low, high, reach);
  const own = (smoothing?.smoothing ?? 0) * (fewOf(outputs, low, high).apart / support.apart) ** 4;
  const times = support.points > FEW_POINTS ? FEW_REDRAWN : REDRAWN;
  const levels = (smoothing ? ROUGHER : [1]).map((share): Level => {
    const rougher = { ...problem, smoothing: own * share };
    const found = fit(rougher, share < 1 ? ROW_GAP : Math.min(ROW_GAP, COLUMN_GAP / rows));
    return { found, redrawn: redraw(rougher, found, rows, times) };
  });
  const alpha = 1 - asked.confidence;
  return {
    rows,
    support,
    gap: levels[0]!.found.gap,
    smoothing: smoothing && { ...smoothing, smoothing: own },
    ...figuresOf(
      {
        support,
        levels: levels as [Level, ...Level[]],
        certain: asked.range ? possible(outputs, within, support, reachBy(SELDOM), alpha) : null,
        direct: directOf(outputs, noise, alpha),
        ...{ confidence: asked.confidence, bins: asked.bins },
      },
      asked.quantiles,
      asked.atLeast,
    ),
  };
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

/** From which to which value noise goes, but for a share on either side. */
function reachOf(noise: Pmf, share: Rational): readonly [number, number] {
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
  return { from: low, apart, points: Math.ceil((high - low + 1) / apart) };
}

function problemOf(
  outputs: Outputs,
  within: Within,
  support: Support,
  [low, high]: readonly [number, number],
  most: number,
  blur = 1,
): Problem {
  const wanted = Math.ceil((high - low) / Math.max(1, blur));
  const cells = cellsOf(outputs, low, high, Math.min(most, Math.max(FEW_CELLS, wanted)));
  return {
    kernel: kernelOf(within, cells, support),
    weights: Float64Array.from(cells, ({ count }) => count / outputs.rows),
    smoothing: 0,
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
  return chooseSmoothing(problemOf(outputs, within, support, reach, FEW_CELLS), outputs.rows);
}

/** A few rows tell of a few groups. */
function fewOf({ rows }: Outputs, low: number, high: number): Support {
  return supportOf(low, high, Math.max(FEWEST_POINTS, Math.min(FEW_POINTS, rows)));
}

/** Is there a true value that could have become each released one? */
function checkPossible({ kernel, weights }: Problem, isRanged: boolean): void {
  const likely = kernel.forward(new Float64Array(kernel.points).fill(1 / kernel.points));
  if (weights.some((w, j) => w > 0 && !(likely[j]! > 0)))
    throw badData(
      isRanged
        ? 'some released values lie further outside this range than the noise reaches; widen it, or name the mechanism that the column was released with'
        : 'its noise cannot have made this column; name the one that it was released with',
      isRanged ? 'range' : 'mechanism',
    );
}
