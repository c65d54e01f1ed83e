// Charts as SVG, from plain data, by Observable Plot. The document comes from the caller: a browser's own,
// or jsdom's on a server.

import * as Plot from '@observablehq/plot';
import { lookOf } from './style.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Axes {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly logX?: boolean;
  readonly logY?: boolean;
  readonly height?: number;
}

const WIDTH = 760;
const TITLE = 28;
const STYLE = { fontFamily: 'system-ui, sans-serif', fontSize: '13px', background: 'white' };

/** Lines, each labelled at its right end. */
export function lineChart(series: readonly Series[], axes: Axes, document: unknown): string {
  const rows = series.flatMap(({ name, points }) => points.map((point) => ({ ...point, name })));
  // The first series is drawn last, on top.
  const marks = [...series].reverse().flatMap(({ name, points }) => {
    const { colour, dash } = lookOf(name);
    const options = { x: 'x', y: 'y', stroke: colour, strokeWidth: name === 'optimum' ? 3 : 1.8 };
    return [
      Plot.lineY(points as Point[], { ...options, ...(dash ? { strokeDasharray: dash } : {}) }),
      Plot.dot(points as Point[], { x: 'x', y: 'y', fill: colour, r: 2 }),
    ];
  });
  return render(
    {
      ...frame(axes, rows, 150),
      marks: [Plot.ruleY(axes.logY ? [] : [0]), ...marks, ...endLabels(series, axes, rows)],
    },
    axes.title,
    document,
  );
}

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
    const { colour, symbol } = VERDICTS[name] ?? { colour: '#000', symbol: 'circle' as const };
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

/** Several charts, one below the other, in one SVG. */
export function stacked(charts: readonly string[]): string {
  let y = 0;
  const parts = charts.map((chart) => {
    const height = Number(/height="([\d.]+)"/.exec(chart)?.[1] ?? 300);
    const part = chart.replace('<svg ', `<svg y="${y}" `);
    y += height + 10;
    return part;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}">\n<rect width="100%" height="100%" fill="white"/>\n${parts.join('\n')}\n</svg>\n`;
}

function frame({ x, y, logX, logY, height }: Axes, rows: readonly Point[], right: number) {
  const positive = rows.map((row) => row.y).filter((v) => v > 0);
  return {
    width: WIDTH,
    height: height ?? 340,
    marginTop: 30,
    marginRight: right,
    marginLeft: 64,
    marginBottom: 44,
    style: STYLE,
    x: {
      label: x,
      type: logX ? ('log' as const) : ('linear' as const),
      labelAnchor: 'center' as const,
      labelArrow: 'none' as const,
      ...(logX ? { tickFormat: plain } : {}),
    },
    y: {
      label: y,
      type: logY ? ('log' as const) : ('linear' as const),
      grid: true,
      labelArrow: 'none' as const,
      tickFormat: plain,
      ...(logY && positive.length > 0
        ? { domain: [positive.reduce((a, b) => Math.min(a, b)), positive.reduce((a, b) => Math.max(a, b))] }
        : {}),
    },
  };
}

function plain(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3
    ? value.toExponential(0).replace('e', '·10^').replace('+', '')
    : String(Number(value.toPrecision(4)));
}

/** Labels at the right end of each line, moved apart where they would overlap. */
function endLabels(series: readonly Series[], axes: Axes, rows: readonly Point[]) {
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

function legendInside(series: readonly Series[]) {
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

function render(options: Plot.PlotOptions, title: string, document: unknown): string {
  const element = Plot.plot({ ...options, document } as Plot.PlotOptions) as unknown as {
    setAttribute(name: string, value: string): void;
    readonly outerHTML: string;
  };
  element.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  // The title stands inside the SVG, so that it is one picture wherever it goes.
  const height = Number(options.height) + TITLE;
  const heading = `<text x="8" y="20" font-family="system-ui, sans-serif" font-size="15" font-weight="600" fill="#222">${escapeText(title)}</text>`;
  const body = element.outerHTML.replace('<svg ', `<svg y="${TITLE}" `);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img"><title>${escapeText(title)}</title><rect width="100%" height="100%" fill="white"/>${heading}${body}</svg>`;
}

export function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
