// A document to draw in, for a process that has none.

import { optional } from '../error/index.js';

export async function newDocument(): Promise<unknown> {
  const { JSDOM } = await optional('jsdom', () => import('jsdom'));
  return new JSDOM('').window.document;
}
