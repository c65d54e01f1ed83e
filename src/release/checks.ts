// What every way for rows checks of its input: that columns are there, whose part rows are of, and how many rows a person has.

import { badData, type DiscreetError, invalid } from '../error/index.js';
import { findColumn, type Person, tooManyRows } from '../rows/index.js';
import type { InputColumn } from '../terms/index.js';
import { failureOf } from './failure.js';
import type { Keyed } from './identities.js';
import type { Column, Source } from './source.js';

/** A column by its name; where names are data, the others are not listed. */
export function findIn({ columns, shown, named }: Source, name: string, field: string): Column {
  if (!named && !columns.some((column) => column.name === name))
    throw badData(`no line of ${shown} has the key ${JSON.stringify(name)}`, field);
  return findColumn(columns, name, shown, field);
}

/** The column that tells rows apart is there, plain, and not protected itself. */
export function checkId(
  { by }: Keyed,
  protectedColumns: readonly { readonly name: string }[],
  columns: readonly InputColumn[],
  shown: string,
): void {
  if (!('id' in by)) return;
  const { doubt } = findColumn(columns, by.id, shown, 'id');
  if (protectedColumns.some(({ name }) => name === by.id))
    throw invalid(`id: ${JSON.stringify(by.id)} is protected itself; name the column that tells rows apart`);
  if (doubt !== null)
    throw badData(
      `${shown}: ${JSON.stringify(by.id)} is neither text nor a number; name a column that tells rows apart`,
      'id',
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
