// Probabilities as steps.

import * as Plot from '@observablehq/plot';
import { frame, render } from './frame.js';
import { legendInside } from './labels.js';
import type { Axes, Point, Series } from './series.js';
import { lookOf } from './style.js';

/** Probabilities as steps, each point a lattice value; the first series is filled. */
export function massCurves(series: readonly Series[], axes: Axes, document: unknown): string {
  const rows = series.flatMap(({ points }) => points);
  const marks = series.flatMap(({ name, points }, i) => {
    const { colour, dash } = lookOf(name);
    const data = points as Point[];
    const line = Plot.lineY(data, {
      x: 'x',
      y: 'y',
      stroke: colour,
      strokeWidth: 1.8,
      curve: 'step',
      ...(dash ? { strokeDasharray: dash } : {}),
    });
    if (i > 0 || axes.logY) return [line];
    return [Plot.areaY(data, { x: 'x', y: 'y', fill: colour, fillOpacity: 0.18, curve: 'step' }), line];
  });
  return render(
    {
      ...frame(axes, rows, 150),
      marks: [Plot.ruleY(axes.logY ? [] : [0]), ...marks, ...legendInside(series)],
    },
    axes.title,
    document,
  );
}
