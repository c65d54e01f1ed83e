// The names of columns: each once and not empty, and found as people spell them.

import { badData, type DiscreetError, PrivacyError, quote } from '../error/index.js';
import { columnList, missingColumn, readsLike } from '../spec/index.js';
import type { InputColumn } from '../terms/index.js';

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
      throw badData(
        `${shown}: two columns have the same name; give each a name of its own, and add a header line where there is none`,
      ).at(named ? columnList([name]) : null);
    if (lower.has(name.toLowerCase())) throw sameButForCase(shown, named ? name : null);
    seen.add(name);
    lower.add(name.toLowerCase());
  }
}

/** What cells are usually cut at; and where a file has one column, whatever they may be cut at. */
const MARKS = /[,;|\t^~¦]/u;
const MARKS_ALONE = /[^\p{L}\p{N}_.-]+/u;
/** Quotes and brackets around a cell. */
const AROUND = /^[\s"'`([{]+|[\s"'`)\]}]+$/gu;

/**
 * Text that is cut at another mark than its own has several columns in one. No use of such a column is one of the protected column, as
 * its name is another; so the name must not hold that of a protected one between other marks.
 */
export function checkGlued(names: readonly string[], guarded: readonly string[], shown: string): void {
  for (const name of names) {
    if (guarded.some((own) => readsLike(own, name))) continue;
    const parts = name
      .split(names.length === 1 ? MARKS_ALONE : MARKS)
      .map((part) => part.replace(AROUND, ''));
    if (parts.length === 1) continue;
    const inside = guarded.find((own) => parts.some((part) => part !== '' && readsLike(own, part)));
    if (inside !== undefined)
      throw new PrivacyError(
        `${shown}: a column's name holds that of the protected ${quote(inside)} between other marks, as though rows were cut elsewhere; say what separates cells with {delimiter}, or rename the column`,
      );
  }
}

export function sameButForCase(shown: string, name: string | null): DiscreetError {
  return badData(
    `${shown}: two columns are the same but for upper and lower case, which DuckDB does not tell apart; rename one`,
  ).at(name === null ? null : columnList([name]));
}

export function findColumn<C extends { readonly name: string }>(
  columns: readonly C[],
  name: string,
  shown: string,
  field: string,
): C {
  const found = columns.find((column) => column.name === name);
  if (!found)
    throw noColumn(
      name,
      columns.map((column) => column.name),
      shown,
      field,
    );
  return found;
}

/** A column that is not there: the others are for a terminal alone. */
function noColumn(name: string, names: readonly string[], shown: string, field: string): DiscreetError {
  return badData(`${shown} has no column ${quote(name)}${missingColumn(name, names)}`, field).at(
    columnList(names),
  );
}

/** The column that tells parts apart, however it is spelt: of a type in which a part has one text, by which alone it is known. */
export function findPart<C extends Pick<InputColumn, 'name' | 'oneText'>>(
  columns: readonly C[],
  part: { readonly column: string },
  shown: string,
): C {
  const found = columns.filter(({ name }) => readsLike(name, part.column));
  if (found.length === 0) throw noPart(shown, part.column);
  if (found.length > 1)
    throw badData(
      `${shown} has ${found.length} columns that read like ${quote(part.column)}; keep one`,
      'part',
    );
  if (!found[0]!.oneText) throw manyTexts(shown, part.column);
  return found[0]!;
}

/** A part under two names would have its budget twice. */
export function manyTexts(shown: string, column: string): DiscreetError {
  return badData(
    `${shown}: ${quote(column)} is of a type in which one value can be written in several ways, as 1 and 1.0, so that nobody knows which part a row is of; write it as text or as whole numbers first`,
    'part',
  );
}

export function noPart(shown: string, column: string): PrivacyError {
  return new PrivacyError(
    `${shown} has no column ${quote(column)}, so nothing shows which part its rows are of; add the column, or leave {part} out`,
    'part',
  );
}

/** Columns without those that do not leave, which must be there. */
export function withoutDropped<C extends { readonly name: string }>(
  columns: readonly C[],
  dropped: readonly string[] | undefined,
  shown: string,
): readonly C[] {
  if (!dropped || dropped.length === 0) return columns;
  const out = new Set(dropped.map((name) => findColumn(columns, name, shown, 'drop').name));
  return columns.filter(({ name }) => !out.has(name));
}
