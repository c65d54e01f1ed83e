// Rows of value and probability, or cdf, from the text of a file.

import { isOurs, parseJson, wrong } from '../error/index.js';
import type { TableRow } from '../noise/index.js';
import { parseCsv } from './csv.js';

/** From CSV, with or without a header, or from JSON where its name says so. */
export function tableRows(text: string, path: string, column: 'probability' | 'cdf'): TableRow[] {
  if (/\.json$/i.test(path)) return readJsonTable(text, path, column);
  const rows = parseCsv(text);
  const [first] = rows;
  const header = first && !/^\s*[-+]?\d/.test(first[0] ?? '');
  const columns = header ? first.map((name) => name.trim().toLowerCase()) : ['value', column];
  const [value, probability] = ['value', column].map((name) => columns.indexOf(name)) as [number, number];
  if (value < 0 || probability < 0)
    throw wrong(`${path}: expected the columns value and ${column}, got ${columns.length} with other names`);
  return (header ? rows.slice(1) : rows).map((row, i) => {
    if (row.length < 2 || row[value] === undefined || row[probability] === undefined)
      throw wrong(`${path}, row ${i + 1}: expected a value and a ${column}`);
    const period = row[periodAt(columns)]?.trim();
    return {
      value: row[value].trim(),
      probability: row[probability].trim(),
      ...(period ? { period } : {}),
    };
  });
}

/** Of a tail, points of its block: the third column where none is called so. */
function periodAt(columns: readonly string[]): number {
  const at = columns.indexOf('period');
  return at < 0 ? 2 : at;
}

/** [{"value": …, "probability": …}, …] or [[value, probability], …]; numbers are read by their shortest decimal. */
function readJsonTable(text: string, path: string, column: 'probability' | 'cdf'): TableRow[] {
  let data: unknown;
  try {
    data = parseJson(text, 'JSON');
  } catch (error) {
    throw isOurs(error) ? error.in(path) : error;
  }
  if (!Array.isArray(data)) throw wrong(`${path}: expected an array of {"value", "${column}"} rows`);
  return data.map((row: unknown, i) => {
    const entry = Array.isArray(row)
      ? { value: row[0], [column]: row[1], period: row[2] }
      : (row as Record<string, unknown> | null);
    const [value, probability, period] = [entry?.value, entry?.[column], entry?.period];
    const usable = (cell: unknown) => typeof cell === 'string' || typeof cell === 'number';
    if (!usable(value) || !usable(probability))
      throw wrong(`${path}, row ${i + 1}: expected {"value", "${column}"}`);
    return {
      value: String(value),
      probability: String(probability),
      ...(usable(period) ? { period: String(period) } : {}),
    };
  });
}
