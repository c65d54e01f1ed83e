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
      Plot.dot(points as Point[], { x: 'x', y: 'y', fill: colour, r: 2 }),
    ];
  });
  return render(
    {
      ...frame(axes, rows, 150),
      marks: [Plot.ruleY(axes.logY ? [] : [0]), ...marks, ...endLabels(series, axes, rows)],
    },
    axes.title,
    document,
  );
}
