// Lines, each named at its right end.

import { drawable, type Frame, finish, frame, isNarrow, path, WIDTH } from './frame.js';
import { INK, inked, px, SOFT, text } from './ink.js';
import { endLabels, key, listed, roomBeside, together } from './labels.js';
import type { Axes, Point, Series } from './series.js';
import { lookOf } from './style.js';

/** Lines, each labelled at its right end. */
export function lineChart(series: readonly Series[], axes: Axes): string {
  const there = series
    .map(({ name, points }) => ({ name, points: drawable(points, axes) }))
    .filter(({ points }) => points.length > 0);
  const place = (above: number) => {
    const own = frame(axes, {
      points: [...there.flatMap(({ points }) => points), ...(axes.mark ? [axes.mark] : [])],
      right: roomBeside(there, axes),
      above,
    });
    const drawn = there.map(({ name, points }) => ({
      name,
      places: points.map(({ x, y }) => ({ x: own.x(x), y: own.y(y) })),
    }));
    return { own, drawn };
  };
  const names = isNarrow(axes) ? key(listed(together(place(0).drawn)), axes.width ?? WIDTH) : null;
  const { own, drawn } = place(names?.height ?? 0);
  const marks = drawn.map(({ name, places }, i) => {
    const { colour, dash } = lookOf(name);
    const line = `<path d="${path(places)}" fill="none" stroke="currentColor" stroke-width="${name === 'optimum' ? 3 : 1.8}" stroke-linejoin="round"${dash ? ` stroke-dasharray="${dash}"` : ''}/>`;
    return `<g data-series="${i}" ${inked(colour)}>${line}${axes.smooth ? '' : dots(places)}</g>`;
  });
  return finish(axes, own, [
    // The first series is drawn last, on top.
    ...marks.reverse(),
    ...markOf(axes, own),
    names ? names.svg(own.top - names.height - 6) : endLabels(together(drawn), own),
  ]);
}

function dots(places: readonly Point[]): string {
  return places.map(({ x, y }) => `<circle cx="${px(x)}" cy="${px(y)}" r="2" fill="currentColor"/>`).join('');
}

/** The place with lines to both axes, and its words beside it. */
function markOf({ mark }: Axes, { x, y, left, bottom, right }: Frame): string[] {
  if (!mark) return [];
  const [at, height] = [x(mark.x), y(mark.y)];
  const beyond = at > (left + right) / 2;
  return [
    `<path d="M${px(left)},${px(height)}H${px(at)}V${px(bottom)}" ${inked(SOFT)} fill="none" stroke="currentColor" stroke-dasharray="3 3"/>`,
    `<circle cx="${px(at)}" cy="${px(height)}" r="4" ${inked(INK)} fill="currentColor"/>`,
    text(mark.text, beyond ? at - 8 : at + 8, height - 10, {
      rim: true,
      bold: true,
      anchor: beyond ? 'end' : 'start',
    }),
  ];
}
