// The SVG charts with a document to draw them in, for a process that has none. Both libraries are loaded where they are used.

import { optional } from '../error/index.js';

/** The SVG charts; their library is loaded only where they are drawn. */
export function svgCharts(): Promise<typeof import('./svg.js')> {
  return optional('@observablehq/plot', () => import('./svg.js'));
}

// biome-ignore lint/suspicious/noTsIgnore: resolved by the package's own "imports", which differ in a browser
// @ts-ignore
const documents = (): Promise<typeof import('./document.js')> => import('#document');

/** Charts, and a document to draw them in: jsdom's, or the page's own. */
export async function picture() {
  const [charts, { newDocument }] = await Promise.all([svgCharts(), documents()]);
  return { charts, document: await newDocument() };
}
