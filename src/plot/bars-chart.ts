// Bars of counts, with marked values.

import * as Plot from '@observablehq/plot';
import { frame, render } from './frame.js';
import type { Axes, Point, Series } from './series.js';
import { lookOf } from './style.js';

/** Bars of counts over equal bins. */
export function barsChart(
  series: readonly Series[],
  axes: Axes,
  document: unknown,
  marked: readonly { readonly name: string; readonly x: number }[] = [],
): string {
  const points = series[0]!.points as Point[];
  const width = points.length > 1 ? points[1]!.x - points[0]!.x : 1;
  const bars = points.map(({ x, y }) => ({ from: x - width / 2, to: x + width / 2, y }));
  return render(
    {
      ...frame(axes, points, 30),
      marks: [
        Plot.rectY(bars, {
          x1: 'from',
          x2: 'to',
          y: 'y',
          fill: lookOf(series[0]!.name).colour,
          fillOpacity: 0.75,
        }),
        Plot.ruleY([0]),
        ...marked.flatMap(({ name, x }, i) => [
          Plot.ruleX([x], { stroke: '#222', strokeWidth: 1.6, strokeDasharray: MARKS[i % MARKS.length]! }),
          Plot.text([`${GLYPHS[i % GLYPHS.length]} ${name}: ${Number(x.toPrecision(4))}`], {
            frameAnchor: 'top-right',
            dx: -8,
            dy: 6 + 17 * i,
            textAnchor: 'end',
            fill: '#222',
            text: (d: string) => d,
          }),
        ]),
      ],
    },
    axes.title,
    document,
  );
}

/** Dashes of marked values. */
const MARKS = ['', '6 3', '2 3'];

const GLYPHS = ['──', '– –', '· · ·'];
