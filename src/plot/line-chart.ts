// Lines, each labelled at its right end.

import * as Plot from '@observablehq/plot';
import { frame, render } from './frame.js';
import { endLabels } from './labels.js';
import type { Axes, Point, Series } from './series.js';
import { lookOf } from './style.js';

/** Lines, each labelled at its right end. */
export function lineChart(series: readonly Series[], axes: Axes, document: unknown): string {
  const rows = series.flatMap(({ name, points }) => points.map((point) => ({ ...point, name })));
  // The first series is drawn last, on top.
  const marks = [...series].reverse().flatMap(({ name, points }) => {
    const { colour, dash } = lookOf(name);
    const options = { x: 'x', y: 'y', stroke: colour, strokeWidth: name === 'optimum' ? 3 : 1.8 };
    return [
      Plot.lineY(points as Point[], { ...options, ...(dash ? { strokeDasharray: dash } : {}) }),
      ...(axes.smooth ? [] : [Plot.dot(points as Point[], { x: 'x', y: 'y', fill: colour, r: 2 })]),
    ];
  });
  return render(
    {
      ...frame(axes, axes.mark ? [...rows, axes.mark] : rows, 150),
      marks: [Plot.ruleY(axes.logY ? [] : [0]), ...marks, ...markOf(axes), ...endLabels(series, axes, rows)],
    },
    axes.title,
    document,
  );
}

/** The place with lines to both axes, and its words beside it. */
function markOf({ mark }: Axes) {
  if (!mark) return [];
  const place = { x: 'x', y: 'y' };
  return [
    Plot.ruleX([mark], { x: 'x', stroke: '#999', strokeDasharray: '3 3' }),
    Plot.ruleY([mark], { y: 'y', stroke: '#999', strokeDasharray: '3 3' }),
    Plot.dot([mark], { ...place, fill: '#222', r: 4 }),
    Plot.text([mark], {
      ...place,
      text: 'text',
      dx: 8,
      dy: -10,
      textAnchor: 'start',
      stroke: 'white',
      strokeWidth: 4,
      fill: '#222',
    }),
  ];
}
