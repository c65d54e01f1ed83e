// The rule of terms/reading.ts in the SQL of DuckDB.

import type { Reading } from '../terms/index.js';
import type { Source } from './source.js';
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

/** A source in which these columns are read so, where they are text. */
export function readAs(source: Source, names: readonly string[], reading: Reading | null): Source {
  if (!reading) return source;
  return {
    ...source,
    columns: source.columns.map((column) =>
      names.includes(column.name) && column.type === 'VARCHAR'
        ? { ...column, sql: readSql(column.sql, reading), own: column.sql }
        : column,
    ),
  };
}
