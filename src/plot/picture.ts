// The SVG charts with a document to draw them in, for a process that has none. Both libraries are loaded where they are used.

import { optional } from '../error/index.js';

/** The SVG charts; their library is loaded only where they are drawn. */
export function svgCharts(): Promise<typeof import('./svg.js')> {
  return optional('@observablehq/plot', () => import('./svg.js'));
}

/** Charts, and a document of jsdom to draw them in. */
export async function picture() {
  const [charts, { JSDOM }] = await Promise.all([svgCharts(), optional('jsdom', () => import('jsdom'))]);
  return { charts, document: new JSDOM('').window.document };
}
