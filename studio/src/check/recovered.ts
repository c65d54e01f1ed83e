// The distribution behind a released column: figures with two intervals each, and the picture.

import { invalid } from 'discreet-dp/error';
import { toNumberNear } from 'discreet-dp/exact';
import type { Mechanism } from 'discreet-dp/mechanism';
import {
  type Figure,
  outlined,
  type Recovery,
  recoverCounts,
  told,
  toldInterval,
  toldWithin,
  type Unit,
} from 'discreet-dp/recover';
import { masses } from '../engine/chart.js';
import type { Progress } from '../engine/serve.js';
import { mechanismIn } from './mechanism.js';
import type { Counts } from './rows.js';

export interface RecoverWanted extends Counts {
  readonly mechanism: File;
  /** low,high; empty where it is not known. */
  readonly range: string;
  readonly confidence: string;
  /** Numbers with blanks or semicolons between; empty for none. */
  readonly atLeast: string;
}

export type Recovered = Awaited<ReturnType<typeof recovered>>;

export const QUANTILES = ['0.25', '0.5', '0.75'];
/** Shares that are drawn. */
const LEAST_SEEN = 1e-3;
/** Rows of the table of shares. */
const LISTED = 400;

export async function recovered(wanted: RecoverWanted, progress: Progress) {
  const { counts, nulls, confidence } = wanted;
  const range = pairOf(wanted.range);
  const atLeast = wanted.atLeast.split(/[\s;,]+/).filter((text) => text !== '');
  const mechanism = await mechanismIn(wanted.mechanism);
  progress(null, 'looking for the distribution behind the noise…');
  const found = recoverCounts(counts, mechanism, {
    ...(range ? { range } : {}),
    ...{ confidence, atLeast, quantiles: QUANTILES, nulls },
  });
  return {
    values: found.rows,
    nulls: found.nulls,
    level: `${Number((100 * found.confidence).toPrecision(6))} %`,
    warning: found.warning,
    guaranteed: found.variance.guaranteed !== null,
    how: howWords(found),
    rounded: toNumberNear(mechanism.pmf.step) === 1 ? null : toNumberNear(mechanism.pmf.step),
    figures: figuresOf(found),
    shares: found.distribution
      .slice(0, LISTED)
      .map(({ value, through, mass, low, high, guaranteed }) => [
        through === undefined || through === value ? minus(`${value}`) : minus(`${value} to ${through}`),
        toldWithin(mass, [low, high], 'share'),
        toldInterval([low, high], 'share'),
        guaranteed ? toldInterval(guaranteed, 'share') : '–',
      ]),
    csv: csvOf(found),
    chart: chartOf(found, counts, mechanism),
  };
}

function figuresOf(found: Recovery) {
  const row = (name: string, key: string, figure: Figure, unit: Unit = 'value') => {
    const { estimate, usual, guaranteed } = told(figure, unit);
    return {
      ...{ name, key, estimate: minus(estimate), usual: minus(usual) },
      guaranteed: guaranteed && minus(guaranteed),
    };
  };
  return [
    row('mean', 'mean', found.mean),
    row('variance', 'variance', found.variance),
    ...QUANTILES.map((p) =>
      row(p === '0.5' ? 'median' : `quantile ${p}`, `quantile-${p}`, found.quantiles[p]!),
    ),
    ...Object.entries(found.atLeast).map(([t, figure]) =>
      row(`${t} or more`, `at-least-${t}`, figure, 'share'),
    ),
  ];
}

function howWords({ smoothing, gap }: Recovery): string {
  const how = smoothing
    ? `Smoothed with weight ${Number(smoothing.weight.toPrecision(2))}, chosen by Akaike’s criterion: ${smoothing.degrees.toFixed(1)} degrees of freedom are left.`
    : 'Not smoothed.';
  return `${how} No other distribution is likelier, a row, by more than ${gap.toExponential(1)}.`;
}

/** What was released, what lay behind it, and the usual band. */
function chartOf({ shape, rows }: Recovery, counts: Counts['counts'], { pmf }: Mechanism) {
  const unit = toNumberNear(pmf.step);
  const told = outlined(shape, unit);
  const released = [...counts].sort(([a], [b]) => a - b).map(([i, n]) => ({ x: i * unit, y: n / rows }));
  const series = [
    { name: 'recovered', points: told.mass },
    { name: 'usual, low', points: told.low },
    { name: 'usual, high', points: told.high },
    { name: 'released', points: released },
  ];
  // Where there is anything to be seen.
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { points } of series)
    for (const { x, y } of points)
      if (y > LEAST_SEEN) {
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
  return masses(
    series.map(({ name, points }) => ({
      name,
      points: low > high ? points : points.filter(({ x }) => x >= low && x <= high),
    })),
    { title: 'As released, and behind its noise', x: 'value, in data units', y: 'share of rows' },
  );
}

/** As `discreet recover --csv` writes it. */
function csvOf({ distribution }: Recovery): string {
  const grouped = distribution.some(({ through }) => through !== undefined);
  const head = `value,${grouped ? 'through,' : ''}mass,low,high,guaranteed_low,guaranteed_high`;
  const rows = distribution.map(({ value, through, mass, low, high, guaranteed }) =>
    [value, ...(grouped ? [through ?? value] : []), mass, low, high, ...(guaranteed ?? ['', ''])].join(','),
  );
  return `${[head, ...rows].join('\n')}\n`;
}

function pairOf(text: string): readonly [string, string] | null {
  if (text.trim() === '') return null;
  const parts = text
    .replaceAll('−', '-')
    .split(/[,;]|\s+to\s+|…/)
    .map((part) => part.trim());
  if (parts.length !== 2 || parts.includes(''))
    throw invalid(`range: expected the lowest and the highest value, as in 0,77; got ${text}`);
  return [parts[0]!, parts[1]!];
}

function minus(text: string): string {
  return text.replaceAll('-', '−');
}
