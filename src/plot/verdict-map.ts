// Verdicts over two parameters.

import * as Plot from '@observablehq/plot';
import { frame, render } from './frame.js';
import type { Axes, Point, Series } from './series.js';

const VERDICTS: Readonly<Record<string, { colour: string; symbol: 'circle' | 'square' | 'times' }>> = {
  loose: { colour: '#0072b2', symbol: 'circle' },
  tight: { colour: '#009e73', symbol: 'square' },
  unsound: { colour: '#d55e00', symbol: 'times' },
  undefined: { colour: '#777777', symbol: 'square' },
};

/** Verdicts over two parameters: a colour and a mark for each. */
export function verdictMap(series: readonly Series[], axes: Axes, document: unknown): string {
  const shown = series.filter(({ points }) => points.length > 0);
  const marks = shown.flatMap(({ name, points }, i) => {
    const { colour, symbol } = (Object.hasOwn(VERDICTS, name) ? VERDICTS[name] : undefined) ?? {
      colour: '#000',
      symbol: 'circle' as const,
    };
    return [
      Plot.dot(points as Point[], { x: 'x', y: 'y', stroke: colour, symbol, r: 5, strokeWidth: 2 }),
      Plot.text([name], {
        frameAnchor: 'top-right',
        dx: 130,
        dy: 4 + 17 * i,
        textAnchor: 'end',
        fill: colour,
        text: (d: string) => `${symbol === 'times' ? '×' : symbol === 'square' ? '□' : '○'} ${d}`,
      }),
    ];
  });
  return render({ ...frame(axes, [], 150), inset: 14, marks }, axes.title, document);
}
