// What is given for all columns together, or for each.

import { invalid, quote } from '../error/index.js';
import type { Rational } from '../exact/index.js';
import { type Decimal, readDecimal, readPositive, suggest } from '../spec/index.js';
import type { Afterwards, ColumnRequest, Shares } from '../terms/index.js';
import type { ByColumn, ReleaseOptions } from './options.js';

/** What is given for each column, and for all under null. */
export function entriesOf<T>(given: ByColumn<T> | undefined): [string | null, T][] {
  if (given === undefined) return [];
  if (given instanceof Map) return [...given];
  const isOne = typeof given !== 'object' || given === null || Array.isArray(given) || 'pmf' in given;
  return isOne ? [[null, given as T]] : Object.entries(given as Readonly<Record<string, T>>);
}

export function own<T>(given: ByColumn<T> | undefined, column: string): T | undefined {
  const values = new Map(entriesOf(given));
  return values.get(column) ?? values.get(null);
}

export function shares(given: ByColumn<Decimal> | undefined, read: (value: Decimal) => Rational): Shares {
  const values = new Map(entriesOf(given).map(([column, value]) => [column, read(value)]));
  const all = values.get(null) ?? null;
  values.delete(null);
  return { all, own: values as Map<string, Rational> };
}

export function checkColumns(
  field: string,
  given: ByColumn<unknown> | undefined,
  columns: readonly string[],
): void {
  for (const [column] of entriesOf(given))
    if (column !== null && !columns.includes(column))
      throw invalid(
        `${field}: ${quote(column)} is not released; ${suggest(column, columns, 'released are')}`,
      );
}

/** What is said of noise that is made, in positive figures: nothing of columns whose mechanism is given. */
export function figures(
  field: string,
  given: ByColumn<Decimal> | undefined,
  columns: readonly ColumnRequest[],
): (column: string) => { readonly value: Rational; readonly own: boolean } | null {
  checkColumns(
    field,
    given,
    columns.map(({ name }) => name),
  );
  const known = new Map(entriesOf(given).map(([column, value]) => [column, readPositive(value, field)]));
  const twice = columns.find(({ name, mechanism }) => mechanism && known.has(name));
  if (twice)
    throw invalid(
      `${field}: the mechanism of ${quote(twice.name)} is given, which has its own; leave it out`,
    );
  return (column) => {
    const value = known.get(column) ?? known.get(null);
    return value === undefined ? null : { value, own: known.has(column) };
  };
}

/** What is done afterwards to the values of each of the columns. */
export function afterwardsOf(
  { clamp, roundTo }: Pick<ReleaseOptions, 'clamp' | 'roundTo'>,
  columns: readonly string[],
): (column: string) => Afterwards {
  checkColumns('clamp', clamp, columns);
  checkColumns('roundTo', roundTo, columns);
  return (column) => {
    const bounds = own<readonly [Decimal, Decimal]>(clamp, column);
    if (bounds !== undefined && !(Array.isArray(bounds) && bounds.length === 2))
      throw invalid('clamp: expected [low, high], as in [0, 100]');
    const unit = own<Decimal>(roundTo, column);
    return {
      clamp: bounds ? { low: readDecimal(bounds[0], 'clamp'), high: readDecimal(bounds[1], 'clamp') } : null,
      roundTo: unit === undefined ? null : readPositive(unit, 'roundTo'),
    };
  };
}
