// The names of columns: each once and not empty, and found as people spell them.

import { badData, type DiscreetError, invalid, PrivacyError } from '../error/index.js';
import { readsLike, suggest } from '../spec/index.js';
import type { RowsJob } from './rows.js';

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

/** What is protected leaves with its noise, or not at all: not both. */
export function checkDropped({ columns, dropped = [] }: Pick<RowsJob, 'columns' | 'dropped'>): void {
  const both = columns.find(({ name }) => dropped.includes(name));
  if (both)
    throw invalid(
      `drop: ${JSON.stringify(both.name)} is protected with {columns}; name it in one of the two`,
    );
}
