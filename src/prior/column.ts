// The distribution of a column of public data: how often each value occurs.

import { invalid } from '../error/index.js';
import { parseDecimal, type Rational } from '../exact/index.js';
import { type Pmf, windowPmf } from '../pmf/index.js';
import { checkWidth, indexOf } from './prior.js';

/** Of the values' texts; empty ones are left out. */
export function columnPmf(values: readonly string[], step: Rational): Pmf {
  const counts = new Map<string, bigint>();
  for (const text of values) if (text !== '') counts.set(text, (counts.get(text) ?? 0n) + 1n);
  if (counts.size === 0) throw invalid('prior column: expected at least one value, got none');
  const byIndex = new Map<number, bigint>();
  for (const [text, count] of counts) {
    const index = indexOf(parseDecimal(text, 'prior column: value'), step, 'prior column: value');
    byIndex.set(index, (byIndex.get(index) ?? 0n) + count);
  }
  const indices = [...byIndex.keys()];
  const low = indices.reduce((a, b) => Math.min(a, b));
  const high = indices.reduce((a, b) => Math.max(a, b));
  const weights = new Array<bigint>(checkWidth(high - low + 1)).fill(0n);
  for (const [index, count] of byIndex) weights[index - low] = count;
  return windowPmf(step, low, weights);
}
