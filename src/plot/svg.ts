// Charts as SVG, from plain data, by Observable Plot. The document comes from the caller: a browser's own,
// or jsdom's on a server.

export { barsChart } from './bars-chart.js';
export { lineChart } from './line-chart.js';
export { massCurves } from './mass-curves.js';
export { stacked } from './stacked.js';
export { verdictMap } from './verdict-map.js';
