// A table or query of PostgreSQL for DuckDB: as CSV, through a named pipe.

import { checkNames } from './checks.js';
import { makeFifo } from './fifo.js';
import type { PostgresPlace } from './place.js';
import { crowdedSql, openTable, personColumn, postgresFailure } from './postgres.js';
import { csvLine } from './sink.js';
import { onFifo, type Source } from './source.js';

export async function postgresSource(place: PostgresPlace, shown: string): Promise<Source> {
  const table = await openTable(place);
  const names = table.columns.map(({ name }) => name);
  try {
    checkNames(names, shown);
  } catch (error) {
    await table.close();
    throw error;
  }
  const rows = async function* () {
    try {
      yield* table.csv();
    } catch (error) {
      throw postgresFailure(place.address, error);
    }
  };
  const inner = onFifo(makeFifo(), { names, delimiter: ',' }, shown, Buffer.from(csvLine(names)), rows());
  return {
    ...inner,
    delimiter: null,
    columns: inner.columns.map((column, i) => ({
      ...column,
      ...table.columns[i]!,
      type: column.type,
      cast: duckdbType(table.columns[i]!.type),
    })),
    crowded: async (column, most) => {
      const person = personColumn(table.columns.find(({ name }) => name === column)!);
      const found = await table.connection.query(crowdedSql(table.relation, person, most));
      return found.rows.length > 0;
    },
    rows: table.rows,
    close: async () => {
      await inner.close();
      await table.close();
    },
  };
}

/** The type of DuckDB that holds what this type of PostgreSQL does; null is text. */
function duckdbType(type: string): string | null {
  const numeric = /^numeric\((\d+),(\d+)\)$/.exec(type);
  if (numeric && Number(numeric[1]) <= 38) return `DECIMAL(${numeric[1]}, ${numeric[2]})`;
  const known: Record<string, string> = {
    smallint: 'SMALLINT',
    integer: 'INTEGER',
    bigint: 'BIGINT',
    real: 'FLOAT',
    'double precision': 'DOUBLE',
    boolean: 'BOOLEAN',
    date: 'DATE',
    'timestamp without time zone': 'TIMESTAMP',
    uuid: 'UUID',
  };
  return known[type] ?? null;
}
