// Values as they are listed in an option: between commas, or a range between two points.

import type { DomainOf } from '../door/index.js';
import { invalid } from '../error/index.js';
import { parseCsv } from '../spec/index.js';

/** Two points stand between the ends of a range, except in quotes; `field` is what the values are of. */
export function readValues(text: string, field: string): DomainOf {
  if (!text.replace(/"(?:[^"]|"")*"/g, '').includes('..')) return parseCsv(text)[0] ?? [];
  if (text.includes(','))
    throw invalid(
      `${field}: expected one range, or values between commas, got ${text}; name all values, or write one that holds two points in quotes`,
    );
  const at = text.indexOf('..');
  return { from: text.slice(0, at).trim(), to: text.slice(at + 2).trim() };
}
