// A table or query of PostgreSQL. For the engine it is CSV through a named pipe, and rows for a new table are CSV too.

import { shownAddress } from '../../postgres/index.js';
import { checkNames } from '../../rows/index.js';
import type { Engine } from '../engine.js';
import { postgresFailure } from '../failure.js';
import { floatSql } from '../float-sql.js';
import { checkNewTable, type HeldTable, holdTable } from '../output-table.js';
import { poured } from '../poured.js';
import { tableQuantiles } from '../quantiles.js';
import type { Source } from '../source.js';
import { crowdedSql, csvLine, identifier } from '../sql.js';
import { openTable, personColumn, type TableAddress } from '../table.js';
import { duckdbType, type Sent, sentAs } from '../types.js';
import type { Place } from './place.js';

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
    checkOutput: (overwrite) => checkNewTable(at, overwrite),
    hold: (columns, overwrite, effects) => holdTable(at, columns, overwrite, effects),
    write: (engine, sql, { held, beforePublish }) => toTable(engine, sql, at, held!, beforePublish),
    quantiles: (columns) => tableQuantiles(at, columns),
  };
}

export function isTable(place: Place): place is TablePlace {
  return place.kind === 'table';
}

/** numeric and char(n). */
const FORMS = new Map([
  [1700, 'decimal'],
  [1042, 'padded'],
] as const) as ReadonlyMap<number, 'decimal' | 'padded'>;

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
      sql: numberText(column.sql, sentAs(table.columns[i]!.base)),
      noNumber: sentAs(table.columns[i]!.base) === null ? table.columns[i]!.type : null,
      cast: duckdbType(table.columns[i]!.type),
      text: FORMS.get(table.columns[i]!.base) ?? null,
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

/** Of floats the text that they have everywhere: PostgreSQL's is another where they are far apart. */
function numberText(text: string, sent: Sent | null): string {
  if (sent === 'float4') return floatSql(`CAST(${text} AS FLOAT)`);
  if (sent !== 'float8') return text;
  const value = `CAST(${text} AS DOUBLE)`;
  return `CASE WHEN abs(${value}) < ${2 ** 53} THEN ${text} ELSE CAST(${value} AS VARCHAR) END`;
}

async function toTable(
  engine: Engine,
  sql: string,
  at: TableAddress,
  held: HeldTable,
  beforePublish: () => Promise<void>,
): Promise<number> {
  const table = await held.fill('csv');
  const texts = held.columns.map(({ name }) => `CAST(${identifier(name)} AS VARCHAR)`).join(', ');
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
