// Curves of utility against privacy, as a table, as CSV and as a picture.

import type { Tradeoff } from '../design/index.js';
import { lineChart, stacked } from '../plot/index.js';
import { rough, tableText } from './output.js';

/** One mechanism at one point of the range, whose figures are kept as they were given. */
export interface Row extends Tradeoff {
  readonly epsilon: string;
  readonly adjacency: string;
}

export interface Curves {
  readonly rows: readonly Row[];
  readonly over: 'epsilon' | 'adjacency';
  /** What stays the same. */
  readonly fixed: string;
  readonly hasW: boolean;
}

export function csv(rows: readonly Row[]): string {
  const lines = rows.map(({ epsilon, adjacency, mechanism, noise, w, meanAbs, lowerBound }) =>
    [
      epsilon,
      adjacency,
      mechanism,
      noise === null ? '' : `"${noise}"`,
      w ?? '',
      meanAbs,
      lowerBound ?? '',
    ].join(','),
  );
  return `${['epsilon,adjacency,mechanism,noise,w,mean_abs,lower_bound', ...lines].join('\n')}\n`;
}

export function table({ rows, over, hasW }: Curves): string {
  const names = [...new Set(rows.map(({ mechanism }) => mechanism))];
  const keys = [...new Set(rows.map((row) => row[over]))];
  const block = (title: string, value: (row: Row) => number | null) => {
    const cells = keys.map((key) => [
      key,
      ...names.map((name) => {
        const row = rows.find((r) => r[over] === key && r.mechanism === name);
        return row ? rough(value(row)) : '–';
      }),
    ]);
    return `${title}\n${tableText([over === 'epsilon' ? 'ε' : 'm', ...names], cells)}`;
  };
  return [
    ...(hasW ? [block('W of output from input', ({ w }) => w)] : []),
    block('E|θ|', ({ meanAbs }) => meanAbs),
  ].join('\n\n');
}

export function draw({ rows, over, fixed, hasW }: Curves): string {
  const names = [...new Set(rows.map(({ mechanism }) => mechanism))];
  const chart = (title: string, y: string, value: (row: Row) => number | null) =>
    lineChart(
      names.map((name) => ({
        name,
        points: rows
          .filter(({ mechanism }) => mechanism === name)
          .map((row) => ({ x: Number(row[over]), y: value(row) ?? 0 })),
      })),
      {
        title,
        x: over === 'epsilon' ? 'ε' : 'adjacency m, in data units',
        y,
        logX: over === 'epsilon',
        logY: true,
        height: 420,
      },
    );
  return stacked([
    ...(hasW ? [chart(`Distance of output from input, ${fixed}`, 'W, in data units', ({ w }) => w)] : []),
    chart(`Error of a record, ${fixed}`, 'E|θ|, in data units', ({ meanAbs }) => meanAbs),
  ]);
}
