// What all charts share: the frame with its axes, and the finished SVG with its title.

import { escaped } from './escape.js';
import { darkRules, FAINT, INK, inked, lines, PAPER, px, SOFT, text, widthOf } from './ink.js';
import { plain, scaleOf } from './scale.js';
import type { Axes, Point } from './series.js';

export const WIDTH = 760;
/** Below it there is no room beside a picture. */
const NARROW = 500;
const LINE = 20;
const SMALL = 12;
const HEADING = 15;
/** Bold letters are wider, in some fonts by so much. */
const BOLD = 1.25;

export interface Frame {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
  readonly svg: string;
}

/** What a chart wants of its frame. */
export interface Wanted {
  /** Points that must be seen. */
  readonly points: readonly Point[];
  /** Kept free at the right, and above. */
  readonly right?: number;
  readonly above?: number;
  readonly zeroY?: boolean;
  /** A share of either side that stays free. */
  readonly room?: number;
}

export const isNarrow = ({ width = WIDTH }: Axes): boolean => width < NARROW;

export function frame(axes: Axes, { points, right = 16, above = 0, zeroY = true, room = 0 }: Wanted): Frame {
  const width = axes.width ?? WIDTH;
  const heading = headingOf(axes.title, width);
  const top = 14 + LINE * heading.length + 16 + above;
  const height = (axes.height ?? 340) + LINE * (heading.length - 1) + above;
  const bottom = height - 46;
  const y = scaleOf({
    log: axes.logY === true,
    values: points.map((point) => point.y),
    from: bottom,
    to: top + 8,
    most: Math.max(2, Math.floor((bottom - top) / 44)),
    apart: () => 16,
    zero: zeroY,
    room: axes.logY ? 0.04 : room,
  });
  const left = 16 + y.ticks.reduce((most, tick) => Math.max(most, widthOf(plain(tick), SMALL)), 18);
  const x = scaleOf({
    log: axes.logX === true,
    values: points.map((point) => point.x),
    from: left + 4,
    to: width - right,
    most: Math.max(2, Math.floor((width - right - left) / 60)),
    apart: (tick) => widthOf(plain(tick), SMALL) + 8,
    zero: false,
    room: room / 2,
  });
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`;
  const grid = y.ticks.map((tick) => line(left, y.at(tick), width - right, y.at(tick))).join('');
  const marks = x.ticks.map((tick) => line(x.at(tick), bottom, x.at(tick), bottom + 5)).join('');
  const base = line(left, bottom, width - right, bottom);
  const svg = [
    `<g aria-hidden="true" ${inked(FAINT)} stroke="currentColor">${grid}</g>`,
    `<g aria-hidden="true" ${inked(SOFT)} stroke="currentColor">${base}${marks}</g>`,
    `<g data-axis="y">${y.ticks.map((tick) => text(plain(tick), left - 6, y.at(tick) + 4, { size: SMALL, anchor: 'end', colour: SOFT })).join('')}</g>`,
    `<g data-axis="x">${x.ticks.map((tick) => text(plain(tick), x.at(tick), bottom + 18, { size: SMALL, anchor: 'middle', colour: SOFT })).join('')}</g>`,
    `<g data-label="y">${text(axes.y, 8, top - 8, { size: SMALL, colour: SOFT })}</g>`,
    `<g data-label="x">${text(axes.x, (left + width - right) / 2, height - 8, { size: SMALL, anchor: 'middle', colour: SOFT })}</g>`,
  ].join('\n');
  return { x: x.at, y: y.at, left, right: width - right, top, bottom, width, height, svg };
}

/** A title in lines that fit. */
function headingOf(title: string, width: number): string[] {
  return lines(title, width - 16, HEADING * BOLD);
}

/** The picture with its title inside, so that it is one wherever it goes. */
export function finish(axes: Axes, { width, height, svg }: Frame, marks: readonly string[]): string {
  const heading = headingOf(axes.title, width)
    .map((words, i) => text(words, 8, 20 + LINE * i, { size: HEADING, bold: true, colour: INK }))
    .join('');
  const body = `${paper(width, height)}${heading}\n${svg}\n${marks.filter((mark) => mark !== '').join('\n')}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif"><title>${escaped(axes.title)}</title>${darkRules(body)}${body}</svg>`;
}

export function paper(width: number, height: number): string {
  return `<rect width="${width}" height="${height}" ${inked(PAPER)} fill="currentColor"/>`;
}

/** The points that can be drawn. */
export function drawable(points: readonly Point[], { logX, logY }: Axes): Point[] {
  return points.filter(
    ({ x, y }) => Number.isFinite(x) && Number.isFinite(y) && (!logX || x > 0) && (!logY || y > 0),
  );
}

/** A line through places; in steps, the height changes half-way between two of them. */
export function path(places: readonly Point[], steps = false): string {
  const corners = steps
    ? places.flatMap((place, i) => {
        const next = places[i + 1];
        if (!next) return [place];
        const x = (place.x + next.x) / 2;
        return [place, { x, y: place.y }, { x, y: next.y }];
      })
    : places;
  return corners.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${px(x)},${px(y)}`).join('');
}
