// A ledger in a PostgreSQL database, for teams: entries are appended one at a time, in serialisable transactions. Its table has
// one name for everybody, whatever schemas they have of their own.

import { type Connection, connect, inWords, shownAddress } from './connect.js';
import type { Row } from './entry.js';
import { checkOpening, NoLedger, type Opening, type Store } from './store.js';

/** Where new ledgers are kept in a database. */
export const LEDGER_SCHEMA = 'discreet';
const TABLE = 'discreet.ledger';
/** What the table was called before it had a schema: whoever had a schema of their own had a ledger of their own. */
export const OLD_LEDGER_TABLE = 'discreet_ledger';

/** Transactions that lost a race are tried again this often. */
const ATTEMPTS = 20;
const PATIENCE = 30_000;

export async function openPostgres(address: string, opening: Opening): Promise<Store> {
  const client = await connect(address);
  const shown = shownAddress(address);
  let table: string;
  try {
    await client.query(
      `SET synchronous_commit = on; SET lock_timeout = ${PATIENCE}; SET client_min_messages = warning`,
    );
    const found = await ledgerTable(client, shown);
    checkOpening(shown, opening, found !== null);
    table = found ?? (await makeTable(client, shown));
  } catch (error) {
    await client.end();
    throw error instanceof NoLedger ? error : named(address, error);
  }
  return {
    address: shown,
    shown: `${shown} table ${table}`,
    warning: null,
    read: async () => {
      try {
        return await readRows(client, table);
      } catch (error) {
        throw named(address, error);
      }
    },
    append: async (next) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await appendOnce(client, table, next);
        } catch (error) {
          await client.query('ROLLBACK').catch(() => undefined);
          const lost = ['40001', '40P01', '23505'].includes((error as { code?: string }).code ?? '');
          if (!lost || attempt === ATTEMPTS) throw named(address, error);
        }
      }
    },
    close: () => client.end(),
  };
}

/** The database's one ledger, by its full name; null where there is none. Two are refused, for each would have the whole budget. */
async function ledgerTable(client: Connection, shown: string): Promise<string | null> {
  const { rows } = await client.query(
    `SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind, format('%I.%I', n.nspname, c.relname) AS full_name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relpersistence <> 't' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
       AND (c.relname = $2 OR (n.nspname = $1 AND c.relname = 'ledger'))
     ORDER BY 1, 2`,
    [LEDGER_SCHEMA, OLD_LEDGER_TABLE],
  );
  const ledgers = rows as { schema: string; name: string; kind: string; full_name: string }[];
  const names = ledgers.map(({ full_name }) => full_name);
  if (names.length > 1)
    throw new RangeError(
      `${shown}: this database has ${names.length} ledgers, each with budgets of its own: ${names.join(', ')}; keep one (discreet ledger export the others first, then rename their tables)`,
    );
  const [only] = ledgers;
  if (only && only.kind !== 'r')
    throw new RangeError(`${shown}: ${only.full_name} is no plain table, so it is no ledger of ours`);
  return only?.full_name ?? null;
}

/** Two processes may do this at once: the lock lets one wait for the other. */
async function makeTable(client: Connection, shown: string): Promise<string> {
  await client.query('BEGIN; SELECT pg_advisory_xact_lock(7310579)');
  const found = await ledgerTable(client, shown);
  if (found === null)
    await client.query(`
      CREATE SCHEMA IF NOT EXISTS ${LEDGER_SCHEMA};
      CREATE TABLE ${TABLE} (sequence bigint PRIMARY KEY, text text NOT NULL, hash text NOT NULL UNIQUE);
      CREATE FUNCTION ${TABLE}_stays() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'entries of the ledger are never changed or removed'; END $$;
      CREATE TRIGGER ledger_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ${TABLE} EXECUTE FUNCTION ${TABLE}_stays();`);
  await client.query('COMMIT');
  return found ?? TABLE;
}

async function readRows(client: Connection, table: string): Promise<Row[]> {
  const { rows } = await client.query(`SELECT sequence, text, hash FROM ${table} ORDER BY sequence`);
  return rows.map(({ sequence, text, hash }) => ({ sequence: Number(sequence), text, hash }));
}

async function appendOnce(
  client: Connection,
  table: string,
  next: (rows: readonly Row[]) => readonly Row[],
): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
  // Before the snapshot is taken: who waits here sees what the others appended.
  await client.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  for (const { sequence, text, hash } of next(await readRows(client, table)))
    await client.query(`INSERT INTO ${table} (sequence, text, hash) VALUES ($1, $2, $3)`, [
      sequence,
      text,
      hash,
    ]);
  await client.query('COMMIT');
}

function named(address: string, error: unknown): Error {
  const words = inWords(address, error);
  return words instanceof RangeError && !words.message.startsWith('ledger ')
    ? new RangeError(`ledger ${words.message}`)
    : words;
}
