// A document to draw SVG charts in, for a process that has none.

import { svgCharts } from '../plot/index.js';

export async function picture() {
  const [charts, { JSDOM }] = await Promise.all([svgCharts(), import('jsdom')]);
  return { charts, document: new JSDOM('').window.document as unknown };
}
