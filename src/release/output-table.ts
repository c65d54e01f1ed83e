// A new table in PostgreSQL: taken for this release before anything is charged, filled by COPY, and there with all its rows or not at all.

import { cannot, isOurs, wrong } from '../error/index.js';
import { isLedgerTable } from '../ledger/index.js';
import { abandon, type Connection, connect } from '../postgres/index.js';
import { InDoubt } from '../terms/index.js';
import { type CopyIn, copyIn, framed } from './copy-protocol.js';
import type { CopyEffects } from './effects.js';
import { postgresFailure } from './failure.js';
import { identifier, tableSql } from './sql.js';
import { originsOf, type TableAddress, type TableColumn } from './table.js';
import { lossesOf, restingOn } from './table-losses.js';

/** What may become of a table that is there. */
export interface Overwrite {
  readonly force: boolean;
  /** It may be made anew although it has more than rows, all of which is lost. */
  readonly recreate: boolean;
}

/** How long somebody else may hold the table that is to be replaced. */
const PATIENCE = 10_000;

/** A table that is this release's alone, made anew in a transaction that is open: what others had there is still there for them. */
export interface HeldTable {
  readonly columns: readonly TableColumn[];
  /** Begin to fill it; once. */
  readonly fill: (format: 'csv' | 'binary') => Promise<NewTable>;
  /** Give it back, where it was not filled. */
  readonly release: () => Promise<void>;
}

/** A new table that appears with all its rows or not at all. */
export interface NewTable {
  /** Messages with their frames. */
  readonly write: CopyIn['write'];
  /** CSV or binary, without. */
  readonly writeContents: (bytes: Uint8Array) => Promise<void>;
  /** In doubt where the server does not say what became of it. */
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

/** Refuse a table that must not be written, before any work is done. */
export async function checkNewTable(
  place: TableAddress,
  overwrite: Overwrite,
  origins: readonly string[] = [],
): Promise<void> {
  const connection = await connect(place.address);
  try {
    await checkTable(connection, place.table!, overwrite, origins);
  } catch (error) {
    throw postgresFailure(place.address, error);
  } finally {
    await connection.end().catch(() => undefined);
  }
}

/** The table, for this release alone; an abort ends the waiting. */
export async function holdTable(
  place: TableAddress,
  columns: readonly TableColumn[],
  overwrite: Overwrite,
  { signal, note }: Pick<CopyEffects, 'signal' | 'note'>,
  origins: readonly string[] = [],
): Promise<HeldTable> {
  const connection = await connect(place.address);
  const name = place.table!;
  const table = tableSql(name);
  let open = true;
  const close = async () => {
    if (open) await connection.end().catch(() => undefined);
    open = false;
  };
  const stop = () => abandon(connection);
  signal.addEventListener('abort', stop);
  let made: Made;
  let losses: string | null = null;
  try {
    if (signal.aborted) stop();
    await connection.query(
      `SET client_min_messages = warning; SET lock_timeout = ${PATIENCE}; SET idle_in_transaction_session_timeout = 0; BEGIN`,
    );
    const isThere = await checkTable(connection, name, overwrite, origins);
    if (isThere) {
      await connection.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      // Nobody changes it any more.
      await checkTable(connection, name, overwrite, origins);
      losses = await lossesOf(connection, name);
      await connection.query(`DROP TABLE ${table}`);
    }
    await connection.query(
      `CREATE TABLE ${table} (${columns.map((column) => `${identifier(column.name)} ${column.type}`).join(', ')})`,
    );
    const { rows } = await connection.query(
      'SELECT txid_current()::text AS transaction, to_regclass($1)::oid::text AS oid',
      [table],
    );
    made = rows[0];
  } catch (error) {
    await close();
    signal.throwIfAborted();
    if ((error as { code?: string }).code === '55P03')
      throw cannot(
        `${name}: another session has held this table for ${PATIENCE / 1000} s; try again when that is done. Nothing was released or charged`,
      );
    throw postgresFailure(place.address, error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return {
    columns,
    fill: async (format) => {
      let rows: CopyIn;
      try {
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
            await commit(connection, place, made, note);
          } catch (error) {
            throw postgresFailure(place.address, error);
          } finally {
            await close();
          }
          if (losses !== null) note(`${name} was made anew, without what it had: ${losses}`);
        },
        // The server rolls back what is not committed when its client goes.
        rollback: async () => {
          open = false;
          abandon(connection);
        },
      };
    },
    release: close,
  };
}

/** Is it there? Refused where it must not be written. */
async function checkTable(
  connection: Connection,
  table: string,
  { force, recreate }: Overwrite,
  origins: readonly string[],
): Promise<boolean> {
  const [name, schema] = table.split('.').reverse() as [string, string | undefined];
  const { rows: where } = await connection.query(
    `SELECT coalesce($1, (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = to_regclass($2)), current_schema()) AS schema`,
    [schema, tableSql(table)],
  );
  if (isLedgerTable(where[0].schema, name))
    throw wrong(`${table}: this is a name of the ledger's table; choose another`);
  if (schema !== undefined) {
    const { rows: found } = await connection.query('SELECT to_regnamespace($1) AS found', [
      identifier(schema),
    ]);
    if (found[0].found === null) throw wrong(`${table}: there is no schema ${schema}; make it first`);
  }
  const { rows } = await connection.query(
    "SELECT c.relkind, pg_has_role(c.relowner, 'USAGE') AS mine FROM pg_class c WHERE c.oid = to_regclass($1)",
    [tableSql(table)],
  );
  const [old] = rows;
  if (old && !force)
    throw wrong(`${table}: the table exists; choose another name or overwrite it with {force}`);
  if (old && !['r', 'p'].includes(old.relkind))
    throw wrong(`${table}: this is no table but a view or something else; choose another name`);
  const { rows: rights } = await connection.query("SELECT has_schema_privilege($1, 'CREATE') AS may", [
    where[0].schema.replace(/^"(.*)"$/, '$1'),
  ]);
  if (!rights[0].may || old?.mine === false)
    throw cannot(`${table}: permission denied; this user may not make or replace it`);
  const [own] = await originsOf(connection, table, []);
  if (own !== undefined && origins.includes(own))
    throw wrong(`${table}: the output is the input; choose another name, for the true values would be gone`);
  if (!old) return false;
  const resting = await restingOn(connection, table);
  if (resting !== null)
    throw wrong(`${table}: it cannot be overwritten, for this rests on it: ${resting}; choose another name`);
  const losses = recreate ? null : await lossesOf(connection, table);
  if (losses !== null)
    throw wrong(
      `${table}: {force} makes the table anew, and this would be lost: ${losses}. Nothing was released or charged; write to another table and copy its rows from there, or say with {recreate} that it is meant`,
    );
  return true;
}

/** By which it is known whether the table is there. */
interface Made {
  readonly transaction: string;
  readonly oid: string;
}

/** Committed, on return. */
async function commit(
  connection: Connection,
  { address, table }: TableAddress,
  made: Made,
  note: CopyEffects['note'],
): Promise<void> {
  try {
    const { command } = await connection.query('COMMIT');
    // A transaction that has failed is rolled back by it, and says so.
    if (command !== 'COMMIT') throw cannot(`${table}: the server rolled it back; try again`);
  } catch (error) {
    if (isOurs(error) || isAnswer(error)) throw error;
    const fate = await fateOf(address, made);
    if (fate === 'aborted') throw error;
    if (fate !== 'committed')
      throw new InDoubt(
        `${table}: the server’s answer to COMMIT was lost, and it cannot be asked again, so nobody knows whether the table is there`,
        'look for it: where it is there, it is whole, and the mechanism files that were kept belong to it',
      );
    note(`${table}: the server’s answer to COMMIT was lost; asked again, it says that the table is there`);
  }
}

/** Does the server say that it has failed, rather than that it goes away? */
function isAnswer(error: unknown): boolean {
  const { severity, code = '' } = error as { severity?: string; code?: string };
  return severity !== undefined && !/^(?:08|57P)/.test(code);
}

/** How long it is asked for, and how long after the last time. */
const ASKING = 10_000;
const PAUSE = 500;

/** What became of a transaction, from the server itself; null where it does not say. */
async function fateOf(address: string, { transaction, oid }: Made): Promise<'committed' | 'aborted' | null> {
  for (const until = Date.now() + ASKING; Date.now() < until; ) {
    let connection: Connection | null = null;
    try {
      connection = await connect(address);
      const { rows } = await connection.query(
        'SELECT txid_status($1::text::bigint) AS fate, EXISTS (SELECT FROM pg_class WHERE oid = $2::text::oid) AS there',
        [transaction, oid],
      );
      const { fate, there } = rows[0];
      if (fate === 'aborted') return 'aborted';
      // The number of a table that is gone by now, or of another server's, says nothing.
      if (fate === 'committed') return there ? 'committed' : null;
    } catch {
      // Asked again.
    } finally {
      await connection?.end().catch(() => undefined);
    }
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  return null;
}
