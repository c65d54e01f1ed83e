// The values that columns are counted by.

import { invalid } from '../error/index.js';
import type { Domain } from '../release/index.js';
import type { DomainOf } from './options.js';

const LARGEST_RANGE = 10_000_000;

/** A domain written out, with a cell for all other values where one is named. */
export function domainOf([column, values]: [string, DomainOf], other: string | null): Domain {
  const domain = valuesOf(column, values);
  if (other === null) return domain;
  if (other.trim() === '') throw invalid('other: expected a name for the cell of all other values');
  if (domain.values.includes(other))
    throw invalid(
      `other: ${JSON.stringify(other)} is a value of ${JSON.stringify(column)} too; use another name`,
    );
  return { ...domain, values: [...domain.values, other], other };
}

function valuesOf(column: string, values: DomainOf): Domain {
  const field = `domain ${column}`;
  if (Array.isArray(values)) {
    const odd = values.find((value) => !['string', 'number'].includes(typeof value));
    if (odd !== undefined || values.includes(undefined as never))
      throw invalid(`${field}: expected texts or numbers, got ${typeof odd}`);
    const texts = values.map(String);
    const twice = texts.find((value, i) => texts.indexOf(value) !== i);
    if (twice !== undefined) throw invalid(`${field}: ${JSON.stringify(twice)} is named twice`);
    if (texts.length === 0 || (texts.length === 1 && texts[0] === ''))
      throw invalid(`${field}: expected the values that it may have, as in ${column}=a,b,c`);
    return { column, values: texts, isRange: false, other: null };
  }
  const { from, to } = (values ?? {}) as { from: number; to: number };
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to < from || to - from >= LARGEST_RANGE)
    throw invalid(`${field}: expected a range upward of at most ${LARGEST_RANGE} values, got ${from}..${to}`);
  const range = Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  return { column, values: range, isRange: true, other: null };
}
