// Tables of PostgreSQL: read in one snapshot, written in one transaction, streamed by COPY either way.

import { badData, cannot, wrong } from '../error/index.js';
import { isLedgerTable, type Query } from '../ledger/index.js';
import { abandon, type Connection, connect, type Field } from '../postgres/index.js';
import type { InputColumn } from '../terms/index.js';
import { type CopyIn, copyIn, copyOut, framed, unframed } from './copy-protocol.js';
import { postgresFailure } from './failure.js';
import { personSql } from './person-sql.js';
import { identifier, literal, tableSql } from './sql.js';

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
  /** Does its collation take different texts for equal? */
  readonly loose?: boolean;
}

/** How long somebody else may hold the table that is to be replaced. */
const PATIENCE = 10_000;

/** An open snapshot of a table or query. */
export interface OpenTable {
  readonly columns: readonly (TableColumn & InputColumn)[];
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

async function columnsOf(
  connection: Connection,
  fields: readonly Field[],
): Promise<(TableColumn & InputColumn)[]> {
  const { rows } = await connection.query(
    `SELECT format_type(f.type, f.modifier) AS type, a.attname AS table_name,
       coalesce(t.typcategory = 'A' OR t.typtype = 'c' OR t.typname IN ('json', 'jsonb', 'hstore', 'xml', 'record'), true) AS nested,
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
  const columns = fields.map(({ name }, i) => ({
    name,
    type: rows[i].type as string,
    loose: rows[i].loose as boolean,
    tableName: rows[i].table_name as string | null,
    doubt: rows[i].nested ? ('nested' as const) : rows[i].own ? null : ('computed' as const),
    inside: rows[i].inside as string[],
  }));
  for (const [i, { name, tableID, columnID }] of fields.entries()) {
    if (columns.findIndex((other) => other.name === name) !== i)
      throw badData(`two columns are called ${JSON.stringify(name)}; name them apart with AS`, 'query');
    const same = fields.findIndex(
      (other) => tableID !== 0 && other.tableID === tableID && other.columnID === columnID,
    );
    if (tableID !== 0 && same !== i)
      throw badData(
        `${JSON.stringify(fields[same]!.name)} and ${JSON.stringify(name)} are the same column of one table; select each column once`,
        'query',
      );
  }
  return columns;
}

/** A table by its server, database and number: the same under every name and address. */
async function originsOf(
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

/** A new table that appears with all its rows or not at all. */
export interface NewTable {
  /** Messages with their frames. */
  readonly write: CopyIn['write'];
  /** CSV or binary, without. */
  readonly writeContents: (bytes: Uint8Array) => Promise<void>;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

/** Refuse a table that exists before any work is done. */
export async function checkNewTable(
  place: TableAddress,
  force: boolean,
  origins: readonly string[] = [],
): Promise<void> {
  const connection = await connect(place.address);
  try {
    const [name, schema] = place.table!.split('.').reverse() as [string, string | undefined];
    const { rows: where } = await connection.query(
      `SELECT coalesce($1, (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = to_regclass($2)), current_schema()) AS schema`,
      [schema, tableSql(place.table!)],
    );
    if (isLedgerTable(where[0].schema, name))
      throw wrong(`${place.table}: this is a name of the ledger's table; choose another`);
    if (schema !== undefined) {
      const { rows: found } = await connection.query('SELECT to_regnamespace($1) AS found', [
        identifier(schema),
      ]);
      if (found[0].found === null) throw wrong(`${place.table}: there is no schema ${schema}; make it first`);
    }
    const { rows } = await connection.query(
      `SELECT c.relkind, pg_has_role(c.relowner, 'USAGE') AS mine, EXISTS (SELECT 1 FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
         WHERE d.refobjid = c.oid AND r.ev_class <> c.oid) AS used FROM pg_class c WHERE c.oid = to_regclass($1)`,
      [tableSql(place.table!)],
    );
    const [old] = rows;
    if (old && !force)
      throw wrong(`${place.table}: the table exists; choose another name or overwrite it with {force}`);
    if (old && !['r', 'p'].includes(old.relkind))
      throw wrong(`${place.table}: this is no table but a view or something else; choose another name`);
    if (old?.used) throw wrong(`${place.table}: a view rests on this table; choose another name`);
    const { rows: rights } = await connection.query("SELECT has_schema_privilege($1, 'CREATE') AS may", [
      where[0].schema.replace(/^"(.*)"$/, '$1'),
    ]);
    if (!rights[0].may || old?.mine === false)
      throw cannot(`${place.table}: permission denied; this user may not make or replace it`);
    const [own] = await originsOf(connection, place.table, []);
    if (own !== undefined && origins.includes(own))
      throw wrong(
        `${place.table}: the output is the input; choose another name, for the true values would be gone`,
      );
  } catch (error) {
    throw postgresFailure(place.address, error);
  } finally {
    await connection.end().catch(() => undefined);
  }
}

export async function createTable(
  place: TableAddress,
  columns: readonly TableColumn[],
  format: 'csv' | 'binary',
  force: boolean,
): Promise<NewTable> {
  const connection = await connect(place.address);
  const table = tableSql(place.table!);
  const close = () => connection.end().catch(() => undefined);
  let rows: CopyIn;
  try {
    await connection.query(`SET client_min_messages = warning; SET lock_timeout = ${PATIENCE}; BEGIN`);
    if (force) await connection.query(`DROP TABLE IF EXISTS ${table}`);
    await connection.query(
      `CREATE TABLE ${table} (${columns.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ')})`,
    );
    rows = await copyIn(connection, `COPY ${table} FROM STDIN (FORMAT ${format})`);
  } catch (error) {
    await close();
    throw postgresFailure(place.address, error);
  }
  return {
    write: rows.write,
    writeContents: (bytes) => rows.write(framed(bytes)),
    commit: async () => {
      try {
        await rows.end();
        await connection.query('COMMIT');
      } catch (error) {
        throw postgresFailure(place.address, error);
      } finally {
        await close();
      }
    },
    // The server rolls back what is not committed when its client goes.
    rollback: async () => abandon(connection),
  };
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
export function personColumn({ name, type, loose }: TableColumn): string {
  if (loose)
    throw badData(
      `${JSON.stringify(name)} has a collation that takes different texts for equal; name a column that tells persons apart exactly`,
      'person',
    );
  if (type === 'citext') return personSql(`lower(${identifier(name)}::text)`);
  return /^(?:text|character|name)/.test(type) ? personSql(`${identifier(name)}::text`) : identifier(name);
}

export function strangerSql(relation: string, column: string, part: string): string {
  return `SELECT 1 FROM ${relation} WHERE ${column}::text IS DISTINCT FROM ${literal(part)} LIMIT 1`;
}
