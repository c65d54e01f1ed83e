// Charts and tables from plain data.

export { escaped } from './escape.js';
export { bulkOf, massChart, pointsOf } from './mass.js';
export { picture, svgCharts } from './picture.js';
export type { Axes, Point, Series } from './series.js';
export { type Look, lookOf } from './style.js';
export { textTable } from './table.js';
export { type Bar, barChart } from './terminal.js';
