// Names and texts in SQL, as DuckDB and PostgreSQL both read them.

import { wrong } from '../error/index.js';

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** schema.table, each part quoted. */
export function tableSql(name: string): string {
  const parts = name.split('.');
  if (parts.length > 2 || parts.includes('')) throw wrong(`${name}: expected a table, or schema.table`);
  return parts.map(identifier).join('.');
}

/** Has a value of the column more than `rows` rows? */
export function crowdedSql(relation: string, column: string, rows: number): string {
  return `SELECT 1 FROM ${relation} GROUP BY ${column} HAVING count(*) > ${rows} LIMIT 1`;
}

/** Lines of CSV in which only NULL is empty and unquoted. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')}\n`;
}
