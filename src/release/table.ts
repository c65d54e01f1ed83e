// A table or query of PostgreSQL as an input: read in one snapshot, streamed by COPY.

import { badData, quote, wrong } from '../error/index.js';
import type { Query } from '../ledger/index.js';
import { abandon, type Connection, connect, type Field } from '../postgres/index.js';
import type { InputColumn } from '../terms/index.js';
import { copyOut, unframed } from './copy-protocol.js';
import { postgresFailure } from './failure.js';
import { personSql } from './person-sql.js';
import { identifier, literal, tableSql } from './sql.js';
import { isText } from './types.js';

/** A table, or what a query selects. */
export interface TableAddress {
  readonly address: string;
  readonly table: string | null;
  readonly query: Query | null;
}

export interface TableColumn {
  readonly name: string;
  /** PostgreSQL's name for it, as in numeric(10,2). */
  readonly type: string;
  /** The type by its own number: names may be those of others. The server tells of a domain what it rests on. */
  readonly base?: number;
  /** Does its collation take different texts for equal? */
  readonly loose?: boolean;
}

/** An open snapshot of a table or query. */
export interface OpenTable {
  readonly columns: readonly (TableColumn & InputColumn & { readonly base: number })[];
  readonly connection: Connection;
  /** After FROM. */
  readonly relation: string;
  readonly rows: number | null;
  /** Tables that it is known to come from, each by its server, database and number. */
  readonly origins: readonly string[];
  /** At once, whatever is going on. */
  readonly destroy: () => void;
  /** Lines of CSV in which only NULL is empty and unquoted. */
  readonly csv: () => AsyncIterable<Buffer>;
  /** Messages of binary rows, with their frames. */
  readonly binary: (expressions: readonly string[]) => AsyncIterable<Buffer>;
  readonly close: () => Promise<void>;
}

/** An abort ends it, whatever the server is waiting for. */
export async function openTable(place: TableAddress, signal?: AbortSignal): Promise<OpenTable> {
  const connection = await connect(place.address);
  const stop = () => abandon(connection);
  signal?.addEventListener('abort', stop);
  try {
    if (signal?.aborted) stop();
    await connection.query(
      "SET extra_float_digits = 1; SET datestyle = 'ISO'; SET intervalstyle = 'iso_8601'; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    );
    const relation =
      place.table !== null ? tableSql(place.table) : `(${place.query!.sql.replace(/;\s*$/, '')}\n) AS input`;
    // Prepared, which takes one statement and no more.
    const { fields } = await connection.query({
      name: 'header',
      text: `SELECT * FROM ${relation} LIMIT 0`,
    });
    const columns = await columnsOf(connection, fields);
    const { rows: estimates } = await connection.query(
      'SELECT reltuples FROM pg_class WHERE oid = to_regclass($1)',
      [place.table === null ? null : tableSql(place.table)],
    );
    const estimate = Number(estimates[0]?.reltuples ?? -1);
    const list = columns.map(({ name }) => identifier(name)).join(', ');
    return {
      columns,
      connection,
      relation,
      origins: await originsOf(connection, place.table, fields),
      destroy: () => abandon(connection),
      rows: estimate > 0 ? estimate : null,
      csv: () =>
        contents(
          copyOut(connection, `COPY (SELECT ${list} FROM ${relation}) TO STDOUT (FORMAT csv, FORCE_QUOTE *)`),
        ),
      binary: (expressions) =>
        copyOut(
          connection,
          `COPY (SELECT ${expressions.join(', ')} FROM ${relation}) TO STDOUT (FORMAT binary)`,
        ),
      close: () => connection.end().catch(() => undefined),
    };
  } catch (error) {
    await connection.end().catch(() => undefined);
    throw queryFailure(error) ?? postgresFailure(place.address, error);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function columnsOf(connection: Connection, fields: readonly Field[]): Promise<OpenTable['columns']> {
  const { rows } = await connection.query(
    `SELECT format_type(f.type, f.modifier) AS type, a.attname AS table_name,
       coalesce(t.typcategory = 'A' OR t.typtype = 'c' OR t.typname IN ('json', 'jsonb', 'hstore', 'xml', 'record'), true) AS nested,
       coalesce(t.typtype = 'e' OR t.oid = ANY (ARRAY['text', 'varchar', 'int2', 'int4', 'int8']::regtype[]), false) AS one_text,
       NOT coalesce(o.collisdeterministic, true) AS loose,
       coalesce(f.number > 0 AND c.relkind IN ('r', 'p') AND a.attgenerated = '', false) AS own,
       ARRAY(WITH RECURSIVE held AS (
           SELECT t.oid
           UNION SELECT unnest(ARRAY[b.typelem, b.typbasetype, a.atttypid]) FROM held JOIN pg_type b ON b.oid = held.oid
             LEFT JOIN pg_attribute a ON b.typrelid <> 0 AND a.attrelid = b.typrelid AND a.attnum > 0 AND NOT a.attisdropped)
         SELECT DISTINCT a.attname::text FROM held JOIN pg_type b ON b.oid = held.oid JOIN pg_attribute a ON a.attrelid = b.typrelid
         WHERE b.typrelid <> 0 AND a.attnum > 0 AND NOT a.attisdropped) AS inside
     FROM unnest($1::oid[], $2::int[], $3::oid[], $4::int[]) WITH ORDINALITY AS f(type, modifier, relation, number, n)
     LEFT JOIN pg_type t ON t.oid = f.type
     LEFT JOIN pg_class c ON c.oid = f.relation
     LEFT JOIN pg_attribute a ON a.attrelid = f.relation AND a.attnum = f.number
     LEFT JOIN pg_collation o ON o.oid = a.attcollation
     ORDER BY f.n`,
    [
      fields.map(({ dataTypeID }) => dataTypeID),
      fields.map(({ dataTypeModifier }) => dataTypeModifier),
      fields.map(({ tableID }) => tableID),
      fields.map(({ columnID }) => columnID),
    ],
  );
  const columns = fields.map(({ name, dataTypeID }, i) => ({
    name,
    type: rows[i].type as string,
    base: dataTypeID,
    loose: rows[i].loose as boolean,
    tableName: rows[i].table_name as string | null,
    doubt: rows[i].nested ? ('nested' as const) : rows[i].own ? null : ('computed' as const),
    inside: rows[i].inside as string[],
    oneText: rows[i].one_text as boolean,
  }));
  for (const [i, { name, tableID, columnID }] of fields.entries()) {
    if (columns.findIndex((other) => other.name === name) !== i)
      throw badData(`two columns are called ${quote(name)}; name them apart with AS`, 'query');
    const same = fields.findIndex(
      (other) => tableID !== 0 && other.tableID === tableID && other.columnID === columnID,
    );
    if (tableID !== 0 && same !== i)
      throw badData(
        `${quote(fields[same]!.name)} and ${quote(name)} are the same column of one table; select each column once`,
        'query',
      );
  }
  return columns;
}

/** A table by its server, database and number: the same under every name and address. */
export async function originsOf(
  connection: Connection,
  table: string | null,
  fields: readonly Field[],
): Promise<string[]> {
  const { rows } = await connection.query(
    'SELECT pg_postmaster_start_time()::text || current_database() || oid AS id FROM pg_class WHERE oid = to_regclass($1) OR oid = ANY($2::oid[])',
    [table === null ? null : tableSql(table), fields.map(({ tableID }) => tableID)],
  );
  return rows.map(({ id }) => id);
}

async function* contents(messages: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const message of messages) yield unframed(message);
}

/** Before any row is read, syntax and names of a query are the user's own words, not data. */
function queryFailure(error: unknown): RangeError | null {
  const { code = '', message } = error as Error & { code?: string };
  const own = ['42601', '42703', '42P01', '42883'].includes(code);
  return own ? wrong(`${message} (the server's code is ${code})`) : null;
}

/** Who a row is of, for grouping: numbers are equal as they are, text where it names the same. */
export function personColumn({ name, type, base, loose }: TableColumn): string {
  if (loose)
    throw badData(
      `${quote(name)} has a collation that takes different texts for equal; name a column that tells persons apart exactly`,
      'person',
    );
  if (type === 'citext') return personSql(`lower(${identifier(name)}::text)`);
  return isText(base ?? 0) ? personSql(`${identifier(name)}::text`) : identifier(name);
}

/** Byte by byte, for a collation may take other texts for equal. */
export function strangerSql(relation: string, column: string, part: string): string {
  return `SELECT 1 FROM ${relation} WHERE ${column}::text COLLATE "C" IS DISTINCT FROM ${literal(part)} LIMIT 1`;
}
