// What every way for rows checks of its input: that columns are there, whose part rows are of, and how many rows a person has.

import { badData, type DiscreetError, invalid, quote, unquoted } from '../error/index.js';
import { findColumn, type Person, tooManyRows } from '../rows/index.js';
import type { InputColumn } from '../terms/index.js';
import { failureOf } from './failure.js';
import type { Keyed } from './identities.js';
import type { Column, Source } from './source.js';

/** A column by its name; where names are data, the others are not listed. */
export function findIn({ columns, shown, named }: Source, name: string, field: string): Column {
  if (!named && !columns.some((column) => column.name === name))
    throw badData(`no line of ${shown} has the key ${quote(name)}`, field);
  return findColumn(columns, name, shown, field);
}

/** The column that tells rows apart is there, and plain. */
export function checkId({ by }: Keyed, columns: readonly InputColumn[], shown: string): void {
  if (!('id' in by)) return;
  const { doubt } = findColumn(columns, by.id, shown, 'id');
  if (doubt !== null)
    throw badData(
      `${shown}: ${quote(by.id)} is neither text nor a number; name a column that tells rows apart`,
      'id',
    );
}

/** Numbers are read from types that are read right, each proved (test/release/types.test.ts); all others are refused by name. */
export function checkNumber(
  { name, noNumber }: Pick<Column, 'name' | 'noNumber'>,
  shown: string,
  field?: string,
): void {
  if (noNumber !== null)
    throw badData(
      `${shown}: column ${quote(name)} is of type ${unquoted(noNumber)}; expected numbers`,
      field,
    );
}

export async function checkPeople(person: Person | null, source: Source): Promise<void> {
  if (!person) return;
  let crowded: boolean;
  try {
    crowded = await source.crowded!(person.column, person.rows);
  } catch (error) {
    throw failureOf(error, source.shown, source.shown);
  }
  if (crowded) throw tooManyRows(source.shown, person);
}

export function readOnce(): DiscreetError {
  return invalid(
    'person: counting the rows of each person takes a second reading; save the input to a file first',
  );
}
