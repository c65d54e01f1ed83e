// The rule of terms/reading.ts in the SQL of DuckDB.

import type { Reading } from '../terms/index.js';
import type { Column, Source } from './source.js';
import { literal } from './sql.js';

/** What JavaScript trims. */
const SPACE =
  '[\\t\\n\\x0B\\f\\r \\x{00a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]';

/** Text without what stands before and behind it. */
export function trimmedSql(text: string): string {
  return `regexp_replace(${text}, ${literal(`^${SPACE}+|${SPACE}+$`)}, '', 'g')`;
}

/** What a cell says. */
export function readSql(text: string, { na, map, decimal }: Reading): string {
  const cell = trimmedSql(text);
  const branches = [
    ...(na.length === 0 ? [] : [`WHEN ${cell} IN (${na.map(literal).join(', ')}) THEN NULL`]),
    ...[...map].map(([from, to]) => `WHEN ${cell} = ${literal(from)} THEN ${literal(to)}`),
  ];
  const number = decimal === null ? cell : numberSql(cell, decimal);
  return branches.length === 0 ? number : `CASE ${branches.join(' ')} ELSE ${number} END`;
}

const BETWEEN = "' \\x{00a0}\\x{202f}\\x{2019}";

function numberSql(cell: string, decimal: '.' | ','): string {
  const [mark, point] = decimal === '.' ? [',', '\\.'] : ['.', ','];
  const grouped = literal(`[+-]?[0-9]{1,3}([${mark}${BETWEEN}][0-9]{3})+(${point}[0-9]*)?`);
  const joined = `CASE WHEN regexp_full_match(${cell}, ${grouped}) THEN regexp_replace(${cell}, ${literal(`[${mark}${BETWEEN}]`)}, '', 'g') ELSE ${cell} END`;
  return decimal === '.' ? joined : `replace(replace(${joined}, '.', '..'), ',', '.')`;
}

/** A source in which these columns are numbers: text is read so, and booleans, by their type, are 1 and 0. */
export function readAs(source: Source, names: readonly string[], reading: Reading | null): Source {
  source.asNumbers?.(names);
  return textsAs(withColumns(source, names, asNumber), names, reading);
}

/** A source in which these columns are read so, where they are text, and stay what they are. */
export function textsAs(source: Source, names: readonly string[], reading: Reading | null): Source {
  if (!reading) return source;
  return withColumns(source, names, (column) =>
    column.type === 'VARCHAR' && column.raw === undefined && column.own === undefined
      ? { ...column, sql: readSql(column.sql, reading), own: column.sql }
      : column,
  );
}

function asNumber(column: Column): Column {
  const { sql, type, cast } = column;
  if (type === 'BOOLEAN') return { ...column, sql: `CAST(${sql} AS TINYINT)`, type: 'TINYINT', own: sql };
  return type === 'VARCHAR' && cast === 'BOOLEAN' ? { ...column, sql: truthSql(sql), own: sql } : column;
}

function withColumns(source: Source, names: readonly string[], change: (column: Column) => Column): Source {
  return {
    ...source,
    columns: source.columns.map((column) => (names.includes(column.name) ? change(column) : column)),
  };
}

/** Booleans that come as text, as PostgreSQL and Arrow write them. */
function truthSql(text: string): string {
  return `CASE WHEN ${text} IN ('t', 'true') THEN '1' WHEN ${text} IN ('f', 'false') THEN '0' ELSE ${text} END`;
}
