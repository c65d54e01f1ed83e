// Charts as they travel from a worker to the page: drawn for both widths, with the figures they show.

import { type Axes, lineChart, massCurves, type Picture, pictureOf, type Series } from 'discreet-dp/plot';

export interface Chart {
  readonly title: string;
  readonly picture: Picture;
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** Rows of a table behind a chart: a reader needs the shape, not four thousand points. */
const MOST_ROWS = 60;

function chartOf(series: readonly Series[], axes: Axes, draw: typeof lineChart): Chart {
  const places = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const every = Math.ceil(places.length / MOST_ROWS);
  const at = series.map(({ points }) => new Map(points.map(({ x, y }) => [x, y])));
  return {
    title: axes.title,
    picture: pictureOf((width) => draw(series, { ...axes, width })),
    table: {
      head: [axes.x, ...series.map(({ name }) => name)],
      rows: places
        .filter((_, i) => i % every === 0)
        .map((x) => [number(x), ...at.map((own) => (own.has(x) ? number(own.get(x)!) : ''))]),
    },
  };
}

/** Lines through points. */
export function lines(series: readonly Series[], axes: Axes): Chart {
  return chartOf(series, axes, lineChart);
}

/** Probabilities as steps. */
export function masses(series: readonly Series[], axes: Axes): Chart {
  return chartOf(series, axes, massCurves);
}

function number(x: number): string {
  return String(Number(x.toPrecision(4))).replace('-', '−');
}
