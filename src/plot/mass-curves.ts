// Probabilities as steps.

import { drawable, finish, frame, isNarrow, path, WIDTH } from './frame.js';
import { inked, px } from './ink.js';
import { besideCurves, key, listed, together } from './labels.js';
import type { Axes, Series } from './series.js';
import { lookOf } from './style.js';

/** Probabilities as steps, each point a lattice value; the first series is filled. */
export function massCurves(series: readonly Series[], axes: Axes): string {
  const there = series
    .map(({ name, points }) => ({ name, points: drawable(points, axes) }))
    .filter(({ points }) => points.length > 0);
  const points = there.flatMap((own) => own.points);
  const draw = (above: number) => {
    const own = frame(axes, { points, above, room: 0.02 });
    const drawn = there.map(({ name, points: values }) => ({
      name,
      places: values.map(({ x, y }) => ({ x: own.x(x), y: own.y(y) })),
    }));
    const marks = drawn.map(({ name, places }, i) => {
      const { colour, dash } = lookOf(name);
      const curve = path(places, true);
      const line = `<path d="${curve}" fill="none" stroke="currentColor" stroke-width="1.8"${dash ? ` stroke-dasharray="${dash}"` : ''}/>`;
      const ends = `L${px(places.at(-1)!.x)},${px(own.bottom)}L${px(places[0]!.x)},${px(own.bottom)}Z`;
      const area =
        i > 0 || axes.logY ? '' : `<path d="${curve}${ends}" fill="currentColor" fill-opacity="0.18"/>`;
      return `<g data-series="${i}" ${inked(colour)}>${area}${line}</g>`;
    });
    return { own, drawn, marks };
  };
  // A single curve is named by the title.
  const first = draw(0);
  if (there.length < 2) return finish(axes, first.own, first.marks);
  const groups = together(first.drawn);
  const beside = isNarrow(axes) ? null : besideCurves(groups, first.own);
  if (beside !== null) return finish(axes, first.own, [...first.marks, beside]);
  const names = key(listed(groups), axes.width ?? WIDTH);
  const { own, marks } = draw(names.height);
  return finish(axes, own, [...marks, names.svg(own.top - names.height - 6)]);
}
