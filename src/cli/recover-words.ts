// A recovered column, in words, as CSV and as a picture.

import { toNumberNear } from '../exact/index.js';
import type { Mechanism } from '../mechanism/index.js';
import { barChart, massCurves } from '../plot/index.js';
import {
  type Figure,
  outlined,
  type Recovery,
  releaseIn,
  type Share,
  told,
  toldInterval,
  toldWithin,
  type Unit,
} from '../recover/index.js';
import type { Histogram } from '../release/index.js';
import { tableText } from './output.js';

/** A recovered column, of one group or of all rows. */
export interface Group {
  readonly by: string | null;
  readonly seen: Histogram;
  readonly found: Recovery;
}

const BARS = 24;
/** Shares that are drawn. */
const LEAST_SEEN = 1e-3;

export function words(
  all: Group,
  groups: readonly Group[] | null,
  column: string,
  mechanism: Mechanism,
): string {
  const { found } = all;
  const level = `${Number((100 * found.confidence).toPrecision(6))} %`;
  const parts = [
    `Column ${column}: ${count(found.rows, 'value')}${found.nulls > 0 ? `, ${count(found.nulls, 'empty cell')} beside them` : ''}`,
    figures(found, level),
    `How the true values are distributed, as finely as can be told, usual, ${level}\n${shape(found, toNumberNear(mechanism.pmf.step))}`,
    notes(found),
  ];
  if (groups) parts.splice(2, 0, byGroup(groups, level));
  const done = releaseIn(mechanism.origin);
  if (done?.clamp) parts[0] += `, clamped to ${done.clamp.join(' … ')}`;
  if (done?.roundTo) parts[0] += `, rounded to multiples of ${done.roundTo}`;
  if (toNumberNear(mechanism.pmf.step) !== 1)
    parts[0] += `, as rounded to multiples of ${toNumberNear(mechanism.pmf.step)} before the noise: what follows is of them`;
  return parts.join('\n\n');
}

function figures(found: Recovery, level: string): string {
  const named: [string, Figure, Unit][] = [
    ['mean', found.mean, 'value'],
    ['variance', found.variance, 'value'],
    ...Object.entries(found.quantiles).map(([p, figure]): [string, Figure, Unit] => [
      Number(p) === 0.5 ? 'median' : `quantile ${p}`,
      figure,
      'value',
    ]),
    ...Object.entries(found.atLeast).flatMap(([t, figure]): [string, Figure, Unit][] => [
      [`${t} or more`, figure, 'share'],
      ['  in rows', figure, { rows: found.rows }],
    ]),
  ];
  return tableText(
    ['', 'estimate', `usual, ${level}`, `guaranteed, ${level}`],
    named.map(([name, figure, unit]) => {
      const { estimate, usual, guaranteed } = told(figure, unit);
      return [name, estimate, usual, guaranteed ?? 'needs --range'];
    }),
  );
}

/** Groups that are listed; the rest is in JSON and CSV. */
const LISTED = 50;
const LONGEST = 24;

/** A table for the mean, and one for each share that was asked for. */
function byGroup(groups: readonly Group[], level: string): string {
  const listed = groups.slice(0, LISTED);
  const table = (name: string, figureOf: (found: Recovery) => Figure, unit: Unit) =>
    tableText(
      ['group', 'values', name, `usual, ${level}`, `guaranteed, ${level}`],
      listed.map(({ by, found }) => {
        const { estimate, usual, guaranteed } = told(figureOf(found), unit);
        return [
          shortened(by ?? '(none)'),
          found.rows.toLocaleString('en'),
          estimate,
          usual,
          guaranteed ?? (found.warning === null ? 'needs --range' : 'impossible'),
        ];
      }),
    );
  const shares = Object.keys(groups[0]?.found.atLeast ?? {}).map((t) =>
    table(`${t} or more`, ({ atLeast }) => atLeast[t]!, 'share'),
  );
  const more = groups.length - listed.length;
  return [
    table('mean', ({ mean }) => mean, 'value'),
    ...shares,
    ...(more > 0 ? [`${more} more groups, and all figures of each: --json, or --csv`] : []),
  ].join('\n\n');
}

function shortened(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

/** Bars as high as a value's share, for they are of different widths. */
function shape(found: Recovery, unit: number): string {
  const shown = found.shape.map(
    ({ value, through, mass, low, high }) =>
      [
        value === through ? `${value}` : `${value} to ${through}`,
        toldWithin(mass, [low, high], 'share'),
        `(${toldInterval([low, high], 'share')})`,
        mass / (through - value + unit),
      ] as const,
  );
  const widest = ([0, 1, 2] as const).map((i) => Math.max(...shown.map((row) => row[i].length)));
  return barChart(
    shown.map(([name, mass, told, height]) => ({
      label: `${name}  ${mass.padStart(widest[1]!)} ${told.padEnd(widest[2]!)}`,
      value: height,
    })),
    40,
  );
}

/** The shares of neighbouring values together where there are many. */
export function chart(distribution: readonly Pick<Share, 'value' | 'through' | 'mass'>[]): string {
  const last = distribution.findLastIndex(({ mass }) => mass >= 5e-4);
  const first = Math.max(
    0,
    distribution.findIndex(({ mass }) => mass >= 5e-4),
  );
  const shown = distribution.slice(first, last + 1);
  const together = Math.ceil(shown.length / BARS);
  const bars = Array.from({ length: Math.ceil(shown.length / together) }, (_, i) => {
    const part = shown.slice(i * together, (i + 1) * together);
    const [from, to] = [part[0]!.value, part.at(-1)!.through ?? part.at(-1)!.value];
    const mass = part.reduce((sum, share) => sum + share.mass, 0);
    return {
      label: `${from === to ? from : `${from} to ${to}`}  ${`${(100 * mass).toFixed(1)} %`.padStart(7)}`,
      value: mass < 5e-5 ? 0 : mass,
    };
  });
  return barChart(bars, 40);
}

function notes({ gap, smoothing, mean, warning }: Recovery): string {
  const how = smoothing
    ? `Smoothed with weight ${Number(smoothing.weight.toPrecision(2))}, chosen by Akaike's criterion: ${smoothing.degrees.toFixed(1)} degrees of freedom are left.`
    : 'Not smoothed.';
  return [
    ...(warning === null ? [] : [`Mind: ${warning}.`]),
    `${how} No other distribution is likelier, a row, by more than ${gap.toExponential(1)}.`,
    ...(mean.guaranteed ? [] : ['State what true values can be with --range to have guaranteed intervals.']),
  ].join('\n');
}

export function csv(all: Group, groups: readonly Group[] | null): string {
  const grouped = all.found.distribution.some(({ through }) => through !== undefined);
  const row = (
    by: string | null,
    { value, through, mass, low, high, guaranteed }: Recovery['distribution'][number],
  ) =>
    [
      ...(groups ? [by === null ? '' : `"${by.replaceAll('"', '""')}"`] : []),
      value,
      ...(grouped ? [through ?? value] : []),
      mass,
      low,
      high,
      ...(guaranteed ?? ['', '']),
    ].join(',');
  const header = [
    ...(groups ? ['by'] : []),
    'value',
    ...(grouped ? ['through'] : []),
    'mass,low,high,guaranteed_low,guaranteed_high',
  ].join(',');
  const lines = (groups ?? [all]).flatMap(({ by, found }) =>
    found.distribution.map((share) => row(by, share)),
  );
  return `${[header, ...lines].join('\n')}\n`;
}

/** What was released, what lay behind it, and the usual band. */
export function draw({ seen, found }: Group, column: string, { pmf }: Mechanism): string {
  const unit = toNumberNear(pmf.step);
  const released = [...seen.counts].sort(([a], [b]) => a - b);
  const { mass, low, high } = outlined(found.shape, unit);
  const series = [
    { name: 'recovered', points: mass },
    { name: 'usual, low', points: low },
    { name: 'usual, high', points: high },
    { name: 'released', points: released.map(([index, n]) => ({ x: index * unit, y: n / found.rows })) },
  ];
  // Where there is anything to be seen.
  const seenAt = series.flatMap(({ points }) => points.filter(({ y }) => y > LEAST_SEEN)).map(({ x }) => x);
  const [from, to] = [Math.min(...seenAt), Math.max(...seenAt)];
  return massCurves(
    series.map(({ name, points }) => ({ name, points: points.filter(({ x }) => x >= from && x <= to) })),
    { title: `${column}: released, and recovered`, x: 'value, in data units', y: 'share of rows' },
  );
}

function count(n: number, what: string): string {
  return `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;
}
