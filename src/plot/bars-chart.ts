// Bars of counts, with marked values.

import { finish, frame } from './frame.js';
import { INK, inked, px, text } from './ink.js';
import type { Axes, Series } from './series.js';
import { lookOf } from './style.js';

export interface Marked {
  readonly name: string;
  readonly x: number;
}

/** Dashes of marked values, and their samples in text. */
const MARKS = ['', '6 3', '2 3'];
const SAMPLES = ['──', '– –', '· · ·'];

/** Bars of counts over equal bins. */
export function barsChart(series: readonly Series[], axes: Axes, marked: readonly Marked[] = []): string {
  const { name, points } = series[0]!;
  const width = points.length > 1 ? points[1]!.x - points[0]!.x : 1;
  const bars = points.map(({ x, y }) => ({ from: x - width / 2, to: x + width / 2, y }));
  const own = frame(axes, {
    points: [
      ...bars.flatMap(({ from, to, y }) => [from, to].map((x) => ({ x, y }))),
      ...marked.map(({ x }) => ({ x, y: 0 })),
    ],
    above: 17 * marked.length,
  });
  const rects = bars.map(({ from, to, y }) => {
    const [left, right, high] = [own.x(from), own.x(to), own.y(y)];
    return `<rect x="${px(left)}" y="${px(high)}" width="${px(right - left)}" height="${px(own.bottom - high)}"/>`;
  });
  const rules = marked.map(({ x }, i) => {
    const dash = MARKS[i % MARKS.length]!;
    return `<line x1="${px(own.x(x))}" y1="${px(own.top)}" x2="${px(own.x(x))}" y2="${px(own.bottom)}" ${inked(INK)} stroke="currentColor" stroke-width="1.6"${dash ? ` stroke-dasharray="${dash}"` : ''}/>`;
  });
  const words = marked.map(({ name: what, x }, i) =>
    text(
      `${SAMPLES[i % SAMPLES.length]} ${what}: ${Number(x.toPrecision(4))}`,
      own.right,
      own.top - 8 - 17 * (marked.length - 1 - i),
      { anchor: 'end' },
    ),
  );
  return finish(axes, own, [
    `<g data-series="0" ${inked(lookOf(name).colour)} fill="currentColor" fill-opacity="0.75">${rects.join('')}</g>`,
    ...rules,
    `<g data-marked="">${words.join('')}</g>`,
  ]);
}
