// The names of series: beside their lines where there is room, above the picture where there is none.

import { type Frame, isNarrow } from './frame.js';
import { INK, inked, px, text, widthOf } from './ink.js';
import type { Axes, Point, Series } from './series.js';
import { lookOf } from './style.js';

/** A series where it is drawn, with all that lie on it. */
export interface Drawn {
  readonly names: readonly string[];
  readonly places: readonly Point[];
}

const ROW = 18;

/** Curves that cannot be told apart are one, by all their names. */
export function together(
  drawn: readonly { readonly name: string; readonly places: readonly Point[] }[],
): Drawn[] {
  const found: { names: string[]; places: readonly Point[] }[] = [];
  for (const { name, places } of drawn) {
    const same = found.find(
      (other) =>
        places.length === other.places.length &&
        places.every(
          ({ x, y }, i) => Math.abs(x - other.places[i]!.x) < 0.5 && Math.abs(y - other.places[i]!.y) < 1,
        ),
    );
    if (same) same.names.push(name);
    else found.push({ names: [name], places });
  }
  return found;
}

export const nameOf = ({ names }: Pick<Drawn, 'names'>): string =>
  names.map((name) => lookOf(name).label).join(' = ');

/** Room for names at the right ends of lines; none where the picture is narrow. */
export function roomBeside(series: readonly Series[], axes: Axes): number {
  if (isNarrow(axes)) return 16;
  const widest = series
    .filter(({ points }) => points.length > 0)
    .reduce((most, { name }) => Math.max(most, widthOf(`= ${lookOf(name).label}`)), 0);
  return Math.min(widest + 24, (axes.width ?? 760) * 0.4);
}

/** At the right end of each line, moved apart where they would overlap. */
export function endLabels(drawn: readonly Drawn[], { top, bottom }: Frame): string {
  const labels = drawn
    .filter(({ places }) => places.length > 0)
    .flatMap((own) => own.names.map((name, i) => ({ name, more: i > 0, end: own.places.at(-1)! })))
    .sort((a, b) => a.end.y - b.end.y);
  const placed: number[] = [];
  for (const { end } of labels) placed.push(Math.max(end.y, (placed.at(-1) ?? top - 99) + 15));
  const over = (placed.at(-1) ?? 0) - bottom;
  if (over > 0)
    for (let i = placed.length - 1, limit = bottom; i >= 0; i--, limit -= 15)
      placed[i] = Math.min(placed[i]!, limit);
  return labels
    .map(({ name, more, end }, i) => {
      const { label, colour } = lookOf(name);
      const leader =
        Math.abs(placed[i]! - end.y) > 8
          ? `<path d="M${px(end.x + 3)},${px(end.y)}L${px(end.x + 8)},${px(placed[i]!)}" ${inked(colour)} stroke="currentColor" stroke-opacity="0.5" fill="none"/>`
          : '';
      return `${leader}${text(more ? `= ${label}` : label, end.x + 10, placed[i]! + 4, { colour, bold: name === 'optimum' })}`;
    })
    .join('');
}

/** As a key lists them: those that lie on another say so. */
export function listed(drawn: readonly Drawn[]): Named[] {
  return drawn.flatMap(({ names }) =>
    names.map((name, i) => ({ name, label: `${i > 0 ? '= ' : ''}${lookOf(name).label}` })),
  );
}

interface Named {
  readonly name: string;
  readonly label: string;
}

/** Samples of lines with their names, in rows. */
export function key(
  names: readonly Named[],
  width: number,
): { readonly svg: (top: number) => string; readonly height: number } {
  let [x, row] = [8, 0];
  const items = names.map(({ name, label }) => {
    const long = 34 + widthOf(label) + 14;
    if (x > 8 && x + long > width - 8) [x, row] = [8, row + 1];
    const place = { name, label, x, row };
    x += long;
    return place;
  });
  return {
    height: names.length === 0 ? 0 : (row + 1) * ROW + 6,
    svg: (top) =>
      items
        .map(({ name, label, x: left, row: line }) => {
          const { colour, dash } = lookOf(name);
          const y = top + line * ROW;
          return `<line x1="${px(left)}" y1="${px(y - 4)}" x2="${px(left + 26)}" y2="${px(y - 4)}" ${inked(colour)} stroke="currentColor" stroke-width="2.5"${dash ? ` stroke-dasharray="${dash}"` : ''}/>${text(label, left + 32, y, { colour: INK })}`;
        })
        .join(''),
  };
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** So much nearer must a name be to its own curve than to others, in pixels. */
const CLEAR = 4;

/** Each name beside its own curve, where nothing else is; null where one of them finds no such place. */
export function besideCurves(drawn: readonly Drawn[], { left, right, top, bottom }: Frame): string | null {
  const boxes: Box[] = [];
  const found: string[] = [];
  for (const own of drawn) {
    const label = nameOf(own);
    const wide = widthOf(label) + 4;
    const candidates = own.places.flatMap(({ x, y }) => [
      ...[6, 14, 24, 36].flatMap((away) => [
        { left: x + away, bottom: y + 8 },
        { left: x - wide - away, bottom: y + 8 },
      ]),
      { left: x - wide / 2, bottom: y - 4 },
    ]);
    const box = candidates
      .map(({ left: at, bottom: low }): Box => ({ left: at, right: at + wide, top: low - 15, bottom: low }))
      .filter((place) => place.left >= left && place.right <= right && place.top >= top - 2)
      .filter((place) => !boxes.some((other) => overlap(place, other)))
      .filter((place) => drawn.every(({ places }) => !crosses(places, place)))
      .map((place) => ({ place, free: freedom(own, drawn, place) }))
      // A name between two curves is nobody's.
      .filter(({ free }) => drawn.length === 1 || free > CLEAR)
      // Near a peak rather than in a tail, where all curves look alike.
      .map(({ place, free }) => ({ place, free: free + (60 * (bottom - place.bottom)) / (bottom - top) }))
      .sort((a, b) => b.free - a.free)[0];
    if (!box) return null;
    boxes.push(box.place);
    const { colour } = lookOf(own.names[0]!);
    found.push(
      text(label, box.place.left + 2, box.place.bottom - 3, { colour, bold: own.names[0] === 'optimum' }),
    );
  }
  return found.join('');
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Does a curve in steps go through the box? */
function crosses(places: readonly Point[], { left, right, top, bottom }: Box): boolean {
  return places.some(({ x, y }, i) => {
    const next = places[i + 1] ?? { x, y };
    if (Math.max(x, next.x) < left - 2 || Math.min(x, next.x) > right + 2) return false;
    return Math.max(y, next.y) > top - 1 && Math.min(y, next.y) < bottom + 1;
  });
}

/** How much nearer the name is to its own curve than to any other. */
function freedom(own: Drawn, drawn: readonly Drawn[], { left, right, top, bottom }: Box): number {
  const near = ({ places }: Drawn) =>
    places.reduce((least, { x, y }) => {
      const dx = Math.max(left - x, 0, x - right);
      const dy = Math.max(top - y, 0, y - bottom);
      return Math.min(least, Math.hypot(dx, dy));
    }, 200);
  const others = drawn.filter((other) => other !== own).map(near);
  return Math.min(60, ...others) - near(own);
}
