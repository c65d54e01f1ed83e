// Types of DuckDB and of PostgreSQL, by each other; text holds all that has no counterpart.

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
