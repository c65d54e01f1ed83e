// What every way for rows checks of its input: that columns are there, whose part rows are of, and how many rows a person has.

import { badData, type DiscreetError, invalid, PrivacyError } from '../error/index.js';
import { readsLike, suggest } from '../spec/index.js';
import type { InputColumn } from '../terms/index.js';
import { failureOf } from './failure.js';
import type { Keyed } from './identities.js';
import type { Person } from './person.js';
import type { Column, Source } from './source.js';

/** More are refused: an engine needs seconds and gigabytes for them. */
const MOST_COLUMNS = 10_000;

/** `named` says whether messages may name columns: keys of JSON lines may be data. */
export function checkNames(names: readonly string[], shown: string, named = true): void {
  if (names.length > MOST_COLUMNS)
    throw badData(
      `${shown}: it has ${names.length} columns; expected at most ${MOST_COLUMNS}, so release some of them at a time`,
    );
  const seen = new Set<string>();
  const lower = new Set<string>();
  for (const [i, name] of names.entries()) {
    if (name === '')
      throw named
        ? badData(`${shown}: column ${i + 1} has no name; give it one in the header line`)
        : badData(`${shown}: a key is empty; give it a name`);
    if (name.includes('\0'))
      throw badData(`${shown}: ${named ? `column ${i + 1}` : 'a key'} has a NUL in its name; rename it`);
    if (seen.has(name))
      throw badData(`${shown}: two columns are called ${JSON.stringify(name)}; give each a name of its own`);
    if (lower.has(name.toLowerCase())) throw sameButForCase(shown, named ? name : null);
    seen.add(name);
    lower.add(name.toLowerCase());
  }
}

export function sameButForCase(shown: string, name: string | null): DiscreetError {
  return badData(
    `${shown}: two columns are ${name === null ? 'the same' : `called ${JSON.stringify(name)}`} but for upper and lower case, which DuckDB does not tell apart; rename one`,
  );
}

export function findColumn<C extends { readonly name: string }>(
  columns: readonly C[],
  name: string,
  shown: string,
  field: string,
): C {
  const found = columns.find((column) => column.name === name);
  if (!found)
    throw badData(
      `${shown} has no column ${JSON.stringify(name)}; ${known(
        columns.map((column) => column.name),
        name,
      )}`,
      field,
    );
  return found;
}

/** A column by its name; where names are data, the others are not listed. */
export function findIn({ columns, shown, named }: Source, name: string, field: string): Column {
  if (!named && !columns.some((column) => column.name === name))
    throw badData(`no line of ${shown} has the key ${JSON.stringify(name)}`, field);
  return findColumn(columns, name, shown, field);
}

/** The columns there are; not where the first line may be data. */
function known(names: readonly string[], wanted: string): string {
  if (names.some((name) => /^\s*[-+]?[\d.]/.test(name)))
    return 'some names look like values: has the file no header line? Add one';
  const shown = names.slice(0, 100);
  return `${suggest(wanted, shown, 'it has')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}

/** The column that tells parts apart, however it is spelt. */
export function findPart<C extends { readonly name: string }>(
  columns: readonly C[],
  part: { readonly column: string },
  shown: string,
): C {
  const found = columns.filter(({ name }) => readsLike(name, part.column));
  if (found.length === 0) throw noPart(shown, part.column);
  if (found.length > 1)
    throw badData(
      `${shown} has ${found.length} columns that read like ${JSON.stringify(part.column)}; keep one`,
      'part',
    );
  return found[0]!;
}

export function noPart(shown: string, column: string): PrivacyError {
  return new PrivacyError(
    `${shown} has no column ${JSON.stringify(column)}, so nothing shows which part its rows are of; add the column, or leave {part} out`,
    'part',
  );
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

export function tooManyRows(
  shown: string,
  person: { readonly column: string; readonly rows: number },
): DiscreetError {
  return badData(
    `${shown}: a value of ${JSON.stringify(person.column)} has more than ${person.rows} ${person.rows === 1 ? 'row' : 'rows'}; remove rows first, or state more rows per person (in the budget where there is one, and with it the cost); rows without a person count as one person's`,
  );
}
