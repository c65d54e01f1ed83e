// What every way for rows checks of its input: that columns are there, and how many rows a person has.

import { suggest } from '../spec/index.js';
import { failureOf, InputError } from './failure.js';
import type { Job } from './job.js';
import type { Source } from './source.js';

export function findColumn<C extends { readonly name: string }>(
  columns: readonly C[],
  name: string,
  shown: string,
  flag: string,
): C {
  const found = columns.find((column) => column.name === name);
  if (!found)
    throw new InputError(
      `${flag}: ${shown} has no column ${JSON.stringify(name)}; ${known(
        columns.map((column) => column.name),
        name,
      )}`,
    );
  return found;
}

/** The columns there are; not where the first line may be data. */
function known(names: readonly string[], wanted: string): string {
  if (names.some((name) => /^\s*[-+]?[\d.]/.test(name)))
    return 'some names look like values: has the file no header line? Add one';
  const shown = names.slice(0, 100);
  return `${suggest(wanted, shown, 'it has')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}

export async function checkPeople(person: Job['person'], source: Source): Promise<void> {
  if (!person) return;
  let crowded: boolean;
  try {
    crowded = await source.crowded!(person.column, person.rows);
  } catch (error) {
    throw failureOf(error, source.shown, source.shown);
  }
  if (crowded) throw tooManyRows(source.shown, person);
}

export function readOnce(): RangeError {
  return new RangeError(
    '--person: counting the rows of each person takes a second reading; save the input to a file first',
  );
}

export function tooManyRows(
  shown: string,
  person: { readonly column: string; readonly rows: number },
): InputError {
  return new InputError(
    `${shown}: a value of ${JSON.stringify(person.column)} has more than ${person.rows} ${person.rows === 1 ? 'row' : 'rows'}; raise --per-person (and with it the cost) or remove rows first`,
  );
}
