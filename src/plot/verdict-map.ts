// Verdicts over two parameters.

import { drawable, finish, frame, WIDTH } from './frame.js';
import { INK, inked, px, text, widthOf } from './ink.js';
import type { Axes, Point, Series } from './series.js';

type Shape = 'circle' | 'square' | 'times';

const VERDICTS: Readonly<Record<string, { readonly colour: string; readonly shape: Shape }>> = {
  loose: { colour: '#0072b2', shape: 'circle' },
  tight: { colour: '#009e73', shape: 'square' },
  unsound: { colour: '#d55e00', shape: 'times' },
  undefined: { colour: '#777777', shape: 'square' },
};

/** Verdicts over two parameters: a colour and a mark for each. */
export function verdictMap(series: readonly Series[], axes: Axes): string {
  const shown = series.filter(({ points }) => points.length > 0);
  const own = frame(axes, {
    points: shown.flatMap(({ points }) => drawable(points, axes)),
    above: 24,
    zeroY: false,
    room: 0.06,
  });
  let at = 14;
  const names = shown.map(({ name }) => {
    const x = at;
    at += widthOf(name) + 44;
    return `${marksOf(name, [{ x, y: own.top - 34 }])}${text(name, x + 12, own.top - 30, { colour: INK })}`;
  });
  const marks = shown.map(({ name, points }) =>
    marksOf(
      name,
      drawable(points, axes).map(({ x, y }) => ({ x: own.x(x), y: own.y(y) })),
    ),
  );
  return finish({ ...axes, width: axes.width ?? WIDTH }, own, [
    ...marks.map((mark, i) => `<g data-series="${i}">${mark}</g>`),
    `<g data-names="">${names.join('')}</g>`,
  ]);
}

function marksOf(name: string, places: readonly Point[]): string {
  const known = Object.hasOwn(VERDICTS, name) ? VERDICTS[name] : undefined;
  const { colour, shape } = known ?? { colour: '#000000', shape: 'circle' as const };
  return `<g ${inked(colour)} fill="none" stroke="currentColor" stroke-width="2">${places.map((place) => SHAPES[shape](place)).join('')}</g>`;
}

const SHAPES: Readonly<Record<Shape, (place: Point) => string>> = {
  circle: ({ x, y }) => `<circle cx="${px(x)}" cy="${px(y)}" r="5"/>`,
  square: ({ x, y }) => `<rect x="${px(x - 4.5)}" y="${px(y - 4.5)}" width="9" height="9"/>`,
  times: ({ x, y }) => `<path d="M${px(x - 4.5)},${px(y - 4.5)}l9,9m0,-9l-9,9"/>`,
};
