// Charts and tables from plain data.

export { massChart } from './mass.js';
export { type Look, lookOf } from './style.js';
export type { Axes, Point, Series } from './svg.js';
export { textTable } from './table.js';
export { type Bar, barChart } from './terminal.js';

/** The SVG charts; their library is loaded only where they are drawn. */
export function svgCharts(): Promise<typeof import('./svg.js')> {
  return import('./svg.js');
}
