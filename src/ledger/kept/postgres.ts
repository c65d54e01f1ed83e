// A ledger in a PostgreSQL database, for teams: entries are appended one at a time, in serialisable transactions. Its table has
// one name for everybody, whatever schemas they have of their own.

import { cannot, isOurs, wrong } from '../../error/index.js';
import { type Connection, connect, serverFailure, shownAddress } from '../../postgres/index.js';
import type { Row } from '../entry.js';
import { checkOpening, type Opening, type Store } from '../store.js';
import { LEDGER_SCHEMA, OLD_LEDGER_TABLE, OLD_MECHANISM_TABLE } from '../tables.js';

const TABLE = `${LEDGER_SCHEMA}.ledger`;

/** Transactions that lost a race are tried again this often. */
const ATTEMPTS = 20;
const PATIENCE = 30_000;

export async function openPostgres(address: string, opening: Opening): Promise<Store> {
  const client = await connect(address);
  const shown = shownAddress(address);
  /** What the server says, with the ledger's address. */
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isOurs(error)) throw error;
      const words = serverFailure(address, error);
      throw isOurs(words) ? cannot(`ledger ${words.problem}`) : words;
    }
  };
  let table: string;
  try {
    table = await told(async () => {
      await client.query(
        `SET synchronous_commit = on; SET lock_timeout = ${PATIENCE}; SET client_min_messages = warning`,
      );
      const found = await ledgerTable(client, shown);
      checkOpening(shown, opening, found !== null);
      return found ?? (await makeTable(client, shown));
    });
  } catch (error) {
    await client.end();
    throw error;
  }
  const beside = mechanismTable(table);
  // One connection does one thing at a time: statements of two transactions must not mix.
  let last: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(() => told(work));
    last = done.catch(() => undefined);
    return done;
  };
  return {
    address: shown,
    shown: `${shown} table ${table}`,
    warning: null,
    read: () => alone(() => readRows(client, table)),
    mechanisms: () =>
      alone(async () => {
        if ((await mayAdd(client, beside)) === null) return new Map();
        const { rows } = await client.query(`SELECT hash, text FROM ${beside}`);
        return new Map(rows.map(({ hash, text }) => [hash, text]));
      }),
    append: (next) =>
      alone(async () => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await appendOnce(client, table, beside, next);
          } catch (error) {
            await client.query('ROLLBACK').catch(() => undefined);
            const lost = ['40001', '40P01', '23505'].includes((error as { code?: string }).code ?? '');
            if (!lost || attempt === ATTEMPTS) throw error;
          }
        }
      }),
    close: () => client.end(),
  };
}

/** The database's one ledger, by its full name; null where there is none. Two are refused, for each would have the whole budget. */
async function ledgerTable(client: Connection, shown: string): Promise<string | null> {
  const { rows } = await client.query(
    `SELECT c.relkind AS kind, format('%I.%I', n.nspname, c.relname) AS full_name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relpersistence <> 't' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
       AND (c.relname = $2 OR (n.nspname = $1 AND c.relname = 'ledger'))
     ORDER BY n.nspname, c.relname`,
    [LEDGER_SCHEMA, OLD_LEDGER_TABLE],
  );
  const names = rows.map(({ full_name }) => full_name as string);
  if (names.length > 1)
    throw wrong(
      `ledger ${shown}: this database has ${names.length} ledgers, each with budgets of its own: ${names.join(', ')}; keep one (export the others first, then rename their tables)`,
    );
  const [only] = rows;
  if (only && only.kind !== 'r')
    throw wrong(`ledger ${shown}: ${only.full_name} is no plain table, so it is no ledger of ours`);
  return names[0] ?? null;
}

/** Two processes may do this at once: the lock lets one wait for the other. */
async function makeTable(client: Connection, shown: string): Promise<string> {
  await client.query('BEGIN; SELECT pg_advisory_xact_lock(7310579)');
  const found = await ledgerTable(client, shown);
  if (found === null)
    await client.query(`
      CREATE SCHEMA IF NOT EXISTS ${LEDGER_SCHEMA};
      CREATE TABLE ${TABLE} (sequence bigint PRIMARY KEY, text text NOT NULL, hash text NOT NULL UNIQUE);
      ${staysSql(TABLE)}`);
  await client.query('COMMIT');
  return found ?? TABLE;
}

/** Rows that nobody changes or removes. */
function staysSql(table: string): string {
  return `CREATE OR REPLACE FUNCTION ${table}_stays() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'entries of the ledger are never changed or removed'; END $$;
    CREATE TRIGGER ledger_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table} EXECUTE FUNCTION ${table}_stays();`;
}

/** Beside the ledger's table, in its schema. */
function mechanismTable(table: string): string {
  const schema = table.slice(0, table.lastIndexOf('.'));
  return table === TABLE ? `${schema}.mechanisms` : `${schema}.${OLD_MECHANISM_TABLE}`;
}

/** May this user add to the table? Null where there is none. */
async function mayAdd(client: Connection, table: string): Promise<boolean | null> {
  const { rows } = await client.query("SELECT has_table_privilege(to_regclass($1), 'INSERT') AS may", [
    table,
  ]);
  return rows[0].may;
}

/** Mechanisms are kept where this user may; a ledger goes on without them, for its rules do not need them. */
async function keeps(client: Connection, table: string): Promise<boolean> {
  const may = await mayAdd(client, table);
  if (may !== null) return may;
  const schema = table.slice(0, table.lastIndexOf('.'));
  const { rows } = await client.query("SELECT has_schema_privilege(to_regnamespace($1), 'CREATE') AS may", [
    schema,
  ]);
  if (rows[0].may)
    await client.query(
      `CREATE TABLE ${table} (hash text PRIMARY KEY, text text NOT NULL); ${staysSql(table)}`,
    );
  return rows[0].may;
}

async function readRows(client: Connection, table: string): Promise<Row[]> {
  const { rows } = await client.query(`SELECT sequence, text, hash FROM ${table} ORDER BY sequence`);
  return rows.map(({ sequence, text, hash }) => ({ sequence: Number(sequence), text, hash }));
}

async function appendOnce(
  client: Connection,
  table: string,
  beside: string,
  next: Parameters<Store['append']>[0],
): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
  // Before the snapshot is taken: who waits here sees what the others appended.
  await client.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  const kept = await keeps(client, beside);
  const { rows, mechanisms = new Map() } = next(await readRows(client, table), kept);
  for (const { sequence, text, hash } of rows)
    await client.query(`INSERT INTO ${table} (sequence, text, hash) VALUES ($1, $2, $3)`, [
      sequence,
      text,
      hash,
    ]);
  for (const [hash, text] of kept ? mechanisms : [])
    await client.query(`INSERT INTO ${beside} (hash, text) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
      hash,
      text,
    ]);
  // A transaction that has failed is rolled back by it, and says so.
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('ledger: the transaction was rolled back');
}
