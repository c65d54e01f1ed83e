// Floats in the SQL of DuckDB: their shortest decimals, as rows/float.ts has them.

/** The function of the engine. */
export const FLOAT_TEXT = 'float_text';

/** The text of a float of 32 bits. The engine's own has other digits, and PostgreSQL's from 2^24 on. */
export function floatSql(value: string): string {
  return `CASE WHEN ${value} BETWEEN -16777216 AND 16777216 AND ${value} = trunc(${value}) THEN CAST(CAST(${value} AS INTEGER) AS VARCHAR) ELSE ${FLOAT_TEXT}(${value}) END`;
}
