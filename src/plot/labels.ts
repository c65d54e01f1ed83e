// The names of series: at the ends of their lines, or in a corner.

import * as Plot from '@observablehq/plot';
import type { Axes, Point, Series } from './series.js';
import { lookOf } from './style.js';

/** Labels at the right end of each line, moved apart where they would overlap. */
export function endLabels(series: readonly Series[], axes: Axes, rows: readonly Point[]) {
  const height = (axes.height ?? 340) - 74;
  const values = rows.map((row) => row.y).filter((v) => !axes.logY || v > 0);
  const scale = (v: number) => (axes.logY ? Math.log(v) : v);
  const low = values.reduce((a, b) => Math.min(a, b), axes.logY ? Infinity : 0);
  const high = values.reduce((a, b) => Math.max(a, b), 0);
  const span = scale(high) - scale(low) || 1;
  const labels = series
    .filter(({ points }) => points.length > 0)
    .map(({ name, points }) => {
      const last = points[points.length - 1]!;
      return { name, last, at: ((scale(high) - scale(last.y)) / span) * height };
    })
    .sort((a, b) => a.at - b.at);
  const placed: number[] = [];
  for (const { at } of labels) placed.push(Math.max(at, (placed[placed.length - 1] ?? -Infinity) + 15));
  const over = (placed[placed.length - 1] ?? 0) - height;
  if (over > 0)
    for (let i = placed.length - 1, limit = height; i >= 0; i--, limit -= 15)
      placed[i] = Math.min(placed[i]!, limit);
  return labels.map(({ name, last, at }, i) => {
    const { label, colour } = lookOf(name);
    return Plot.text([last], {
      x: 'x',
      y: 'y',
      text: () => label,
      dx: 8,
      dy: placed[i]! - at,
      textAnchor: 'start',
      fill: colour,
      fontWeight: name === 'optimum' ? 700 : 400,
      clip: false,
    });
  });
}

export function legendInside(series: readonly Series[]) {
  return series.map(({ name }, i) => {
    const { label, colour } = lookOf(name);
    return Plot.text([label], {
      frameAnchor: 'top-right',
      dx: 140,
      dy: 4 + 17 * i,
      textAnchor: 'end',
      fill: colour,
      text: (d: string) => d,
    });
  });
}
