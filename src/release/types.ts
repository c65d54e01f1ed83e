// Types of DuckDB and of PostgreSQL, by each other; text holds all that has no counterpart. And those of PostgreSQL that numbers
// are read from.

/** As what the server sends a number. */
export type Sent = 'int8' | 'float4' | 'float8' | 'text';

/** Of PostgreSQL: sent as 1 and 0. */
export const BOOLEAN = 16;

/**
 * PostgreSQL's types that numbers are read from, by their own numbers, each proved (test/release/types-postgres.test.ts): names may be
 * those of other types.
 */
const NUMBERS: ReadonlyMap<number, Sent> = new Map([
  [BOOLEAN, 'int8'],
  ...[20, 21, 23].map((whole) => [whole, 'int8'] as const),
  [700, 'float4'],
  [701, 'float8'],
  [1700, 'text'],
]);
/** How a number is asked for; null where none is read from such a type. */
export function sentAs(type: number): Sent | null {
  return NUMBERS.get(type) ?? (isText(type) ? 'text' : null);
}

/** name, text, char(n) or varchar(n). */
export function isText(type: number): boolean {
  return [19, 25, 1042, 1043].includes(type);
}

/** PostgreSQL's types and those of DuckDB that they hold, the first of which holds theirs. */
const TYPES: readonly (readonly [postgres: string, ...duckdb: string[]])[] = [
  ['smallint', 'SMALLINT', 'TINYINT', 'UTINYINT'],
  ['integer', 'INTEGER', 'USMALLINT'],
  ['bigint', 'BIGINT', 'UINTEGER'],
  ['real', 'FLOAT'],
  ['double precision', 'DOUBLE'],
  ['boolean', 'BOOLEAN'],
  ['date', 'DATE'],
  ['timestamp without time zone', 'TIMESTAMP'],
  ['uuid', 'UUID'],
];
/** One way only: read back, they are text or numbers of another kind. */
const WRITTEN: Readonly<Record<string, string>> = {
  UBIGINT: 'numeric(20)',
  HUGEINT: 'numeric(39)',
  UHUGEINT: 'numeric(39)',
  TIME: 'time',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
};

export function postgresType(duckdb: string): string {
  if (duckdb.startsWith('DECIMAL')) return duckdb.replace('DECIMAL', 'numeric');
  return WRITTEN[duckdb] ?? TYPES.find((types) => types.includes(duckdb, 1))?.[0] ?? 'text';
}

/** Null is text. */
export function duckdbType(postgres: string): string | null {
  const numeric = /^numeric\((\d+),(\d+)\)$/.exec(postgres);
  if (numeric && Number(numeric[1]) <= 38 && Number(numeric[2]) <= Number(numeric[1]))
    return `DECIMAL(${numeric[1]}, ${numeric[2]})`;
  return TYPES.find(([name]) => name === postgres)?.[1] ?? null;
}

/** Of DuckDB: has each of its values one text, whatever it is read from? Text and whole numbers alone. */
export function hasOneText(duckdb: string): boolean {
  return /^(?:VARCHAR|U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/.test(duckdb);
}
