// What all charts share: the frame with its axes, and the finished SVG with its title.

import * as Plot from '@observablehq/plot';
import { escaped } from './escape.js';
import type { Axes, Point } from './series.js';

export const WIDTH = 760;

const TITLE = 28;

const STYLE = { fontFamily: 'system-ui, sans-serif', fontSize: '13px', background: 'white' };

export function frame({ x, y, logX, logY, height }: Axes, rows: readonly Point[], right: number) {
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
  if (size < 1e5 && size >= 1e-3) return String(Number(value.toPrecision(4)));
  const [digit, exponent] = value.toExponential(0).split('e') as [string, string];
  const raised = String(Number(exponent)).replace(/./g, (sign) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)] ?? '⁻');
  return digit === '1' ? `10${raised}` : `${digit}·10${raised}`;
}

export function render(options: Plot.PlotOptions, title: string, document: unknown): string {
  const element = Plot.plot({ ...options, document } as Plot.PlotOptions) as unknown as {
    setAttribute(name: string, value: string): void;
    readonly outerHTML: string;
  };
  element.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  // The title stands inside the SVG, so that it is one picture wherever it goes.
  const height = Number(options.height) + TITLE;
  const heading = `<text x="8" y="20" font-family="system-ui, sans-serif" font-size="15" font-weight="600" fill="#222">${escaped(title)}</text>`;
  const body = element.outerHTML.replace('<svg ', `<svg y="${TITLE}" `);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img"><title>${escaped(title)}</title><rect width="100%" height="100%" fill="white"/>${heading}${body}</svg>`;
}
