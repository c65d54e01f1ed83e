// The distribution behind a released column: figures with two intervals each, and the picture.

import { invalid } from 'discreet-dp/error';
import { toNumberNear } from 'discreet-dp/exact';
import type { Mechanism } from 'discreet-dp/mechanism';
import { type Figure, type Recovery, recoverCounts } from 'discreet-dp/recover';
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
        through === undefined || through === value ? plain(value) : `${plain(value)} to ${plain(through)}`,
        percent(mass),
        interval([low, high], percent),
        guaranteed ? interval(guaranteed, percent) : '–',
      ]),
    csv: csvOf(found),
    chart: chartOf(found, counts, mechanism),
  };
}

function figuresOf(found: Recovery) {
  const row = (name: string, key: string, { estimate, usual, guaranteed }: Figure, shown = plain) => ({
    ...{ name, key, estimate: shown(estimate), usual: interval(usual, shown) },
    guaranteed: guaranteed ? interval(guaranteed, shown) : null,
  });
  return [
    row('mean', 'mean', found.mean),
    row('variance', 'variance', found.variance),
    ...QUANTILES.map((p) =>
      row(p === '0.5' ? 'median' : `quantile ${p}`, `quantile-${p}`, found.quantiles[p]!),
    ),
    ...Object.entries(found.atLeast).map(([t, figure]) =>
      row(`${t} or more`, `at-least-${t}`, figure, percent),
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
function chartOf({ distribution, rows }: Recovery, counts: Counts['counts'], { pmf }: Mechanism) {
  const unit = toNumberNear(pmf.step);
  const [first] = distribution;
  const apart = (first!.through ?? first!.value) - first!.value;
  const width = apart / unit + 1;
  const band = (key: 'mass' | 'low' | 'high') =>
    distribution.map((share) => ({ x: share.value + apart / 2, y: share[key] / width }));
  const released = [...counts].sort(([a], [b]) => a - b).map(([i, n]) => ({ x: i * unit, y: n / rows }));
  const series = [
    { name: 'recovered', points: band('mass') },
    { name: 'usual, low', points: band('low') },
    { name: 'usual, high', points: band('high') },
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

function interval([low, high]: readonly [number, number], shown: (x: number) => string): string {
  return `${shown(low)} to ${shown(high)}`;
}

function plain(x: number): string {
  return String(Number(x.toPrecision(4))).replace('-', '−');
}

function percent(x: number): string {
  return x > 0 && x < 0.01 ? `${Number((100 * x).toPrecision(2))} %` : `${(100 * x).toFixed(1)} %`;
}
