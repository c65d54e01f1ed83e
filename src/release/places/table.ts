// A table or query of PostgreSQL. For the engine it is CSV through a named pipe, and rows for a new table are CSV too.

import { shownAddress } from '../../postgres/index.js';
import { checkNames } from '../../rows/index.js';
import type { Engine } from '../engine.js';
import { postgresFailure } from '../failure.js';
import { poured } from '../poured.js';
import { tableQuantiles } from '../quantiles.js';
import type { Source } from '../source.js';
import { crowdedSql, csvLine, identifier } from '../sql.js';
import { checkNewTable, createTable, openTable, personColumn, type TableAddress } from '../table.js';
import { duckdbType } from '../types.js';
import type { Place, WriteOptions } from './place.js';

export interface TablePlace extends Place {
  readonly kind: 'table';
  readonly at: TableAddress;
}

export function tablePlace(at: TableAddress): TablePlace {
  const { address, table, query } = at;
  const shown = `${shownAddress(address)} ${table === null ? 'query' : `table ${table}`}`;
  return {
    kind: 'table',
    at,
    name: table,
    shown,
    path: null,
    format: null,
    query,
    isSame: (other) =>
      isTable(other) && other.at.address === address && table !== null && other.at.table === table,
    open: (_opening, { signal }) => tableSource(at, shown, signal),
    checkOutput: (force) => checkNewTable(at, force),
    write: (engine, sql, options) => toTable(engine, sql, at, options),
    quantiles: (columns) => tableQuantiles(at, columns),
  };
}

export function isTable(place: Place): place is TablePlace {
  return place.kind === 'table';
}

async function tableSource(at: TableAddress, shown: string, signal: AbortSignal): Promise<Source> {
  const table = await openTable(at, signal);
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
      throw postgresFailure(at.address, error);
    }
  };
  const inner = poured({ names, delimiter: ',' }, shown, Buffer.from(csvLine(names)), rows());
  return {
    ...inner,
    delimiter: null,
    columns: inner.columns.map((column, i) => ({
      ...column,
      ...table.columns[i]!,
      type: column.type,
      cast: duckdbType(table.columns[i]!.type),
      text: /^numeric/.test(table.columns[i]!.type)
        ? 'decimal'
        : /^character\(/.test(table.columns[i]!.type)
          ? 'padded'
          : null,
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

async function toTable(
  engine: Engine,
  sql: string,
  at: TableAddress,
  { columns, force, beforePublish }: WriteOptions,
): Promise<number> {
  const table = await createTable(at, columns, 'csv', force);
  const texts = columns.map(({ name }) => `CAST(${identifier(name)} AS VARCHAR)`).join(', ');
  let rows = 0;
  try {
    await engine.chunks(`SELECT ${texts} FROM (${sql})`, async (cells, count) => {
      rows += count;
      let lines = '';
      for (let row = 0; row < count; row++)
        lines += csvLine(cells.map((column) => column[row] as string | null));
      await table.writeContents(Buffer.from(lines));
    });
    await beforePublish();
  } catch (error) {
    await table.rollback();
    throw (error as { code?: unknown }).code === undefined ? error : postgresFailure(at.address, error);
  }
  await table.commit();
  return rows;
}
