// The values that columns are counted by.

import { invalid, quote } from '../error/index.js';
import type { Domain } from '../release/index.js';
import type { DomainOf } from './options.js';
import { valuesBetween } from './ranges.js';

const LARGEST_RANGE = 10_000_000;

/** A domain written out, with a cell for all other values where one is named. */
export function domainOf([column, values]: [string, DomainOf], other: string | null): Domain {
  const domain = valuesOf(column, values, `domain ${column}`);
  if (other === null) return domain;
  if (other.trim() === '') throw invalid('other: expected a name for the cell of all other values');
  if (domain.values.includes(other))
    throw invalid(`other: ${quote(other)} is a value of ${quote(column)} too; use another name`);
  return { ...domain, values: [...domain.values, other], other };
}

/** Values that are listed, or a range; `field` is what errors name. */
export function valuesOf(column: string, values: DomainOf, field: string): Domain {
  if (Array.isArray(values)) {
    const odd = values.find((value) => !['string', 'number'].includes(typeof value));
    if (odd !== undefined || values.includes(undefined as never))
      throw invalid(`${field}: expected texts or numbers, got ${typeof odd}`);
    const texts = values.map(String);
    const twice = texts.find((value, i) => texts.indexOf(value) !== i);
    if (twice !== undefined) throw invalid(`${field}: ${quote(twice)} is named twice`);
    if (texts.length === 0 || (texts.length === 1 && texts[0] === ''))
      throw invalid(`${field}: expected the values that it may have, as in ${column}=a,b,c`);
    return { column, values: texts, isRange: false, other: null };
  }
  const { from, to } = (values ?? {}) as { readonly from: unknown; readonly to: unknown };
  const range = valuesBetween(String(from), String(to), field, LARGEST_RANGE);
  return { column, values: range.values, isRange: range.isWhole, other: null };
}
