// A report is made of sections: words, charts and tables of plain data, which the caller draws and writes.

import type { Pmf } from '../pmf/index.js';
import type { Simulation } from './simulate.js';

/** What the report needs from its caller. */
export interface Reproduction {
  /** Other inputs to try the optimum on. */
  readonly inputs: readonly { readonly name: string; readonly pmf: Pmf }[];
  /** Of the simulated runs. */
  readonly seed: string;
  /** The distances of all runs, on as many cores as there are. */
  readonly simulate: (simulation: Simulation) => Promise<Float64Array>;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Chart {
  /** Of the file. */
  readonly name: string;
  readonly kind: 'mass' | 'line' | 'bars' | 'map';
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly logY?: boolean;
  readonly series: readonly { readonly name: string; readonly points: readonly Point[] }[];
  /** Values marked on the x axis. */
  readonly marks?: readonly { readonly name: string; readonly x: number }[];
}

export type Cell = number | string | null;

export interface Table {
  /** Of the file. */
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Kept out of the page, where a chart shows it; in the files all the same. */
  readonly hidden?: boolean;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly words: readonly string[];
  readonly charts: readonly Chart[];
  readonly tables: readonly Table[];
}

/** A chart's data as a table. */
export function tableOf(chart: Chart): Table {
  return {
    name: chart.name,
    header: ['series', chart.x, chart.y],
    rows: [
      ...chart.series.flatMap(({ name, points }) => points.map(({ x, y }): Cell[] => [name, x, y])),
      ...(chart.marks ?? []).map(({ name, x }): Cell[] => [name, x, null]),
    ],
    hidden: true,
  };
}

export function withData(
  id: string,
  title: string,
  words: string[],
  charts: Chart[],
  tables: Table[] = [],
): Section {
  return { id, title, words, charts, tables: [...tables, ...charts.map(tableOf)] };
}

/** A table of records whose fields are its titles. */
export function tableFrom(
  name: string,
  records: readonly Readonly<Record<string, Cell>>[],
  hidden = false,
): Table {
  return {
    name,
    header: Object.keys(records[0] ?? {}),
    rows: records.map((record) => Object.values(record)),
    ...(hidden ? { hidden } : {}),
  };
}
