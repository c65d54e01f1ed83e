// Charts and tables from plain data.

export { barsChart, type Marked } from './bars-chart.js';
export { escaped } from './escape.js';
export { lineChart } from './line-chart.js';
export { bulkOf, massChart, pointsOf } from './mass.js';
export { massCurves } from './mass-curves.js';
export { figureOf, type Picture, page, pageStyle, pictureOf, scrolled } from './page.js';
export { breakable, type PageCell, pageTable } from './page-table.js';
export type { Axes, Point, Series } from './series.js';
export { stacked } from './stacked.js';
export { type Look, lookOf } from './style.js';
export { textTable } from './table.js';
export { type Bar, barChart } from './terminal.js';
export { verdictMap } from './verdict-map.js';
