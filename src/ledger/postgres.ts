// A ledger in a PostgreSQL database, for teams: entries are appended one at a time, in serialisable transactions.

import { type Connection, connect, inWords, shownAddress, LEDGER_TABLE as tableName } from './connect.js';
import type { Row } from './entry.js';
import { NoLedger, type Store } from './store.js';

/** Transactions that lost a race are tried again this often. */
const ATTEMPTS = 20;
const PATIENCE = 30_000;

export async function openPostgres(address: string, create: boolean): Promise<Store> {
  const client = await connect(address);
  const shown = shownAddress(address);
  try {
    await client.query(
      `SET synchronous_commit = on; SET lock_timeout = ${PATIENCE}; SET client_min_messages = warning`,
    );
    const exists = async () =>
      (await client.query('SELECT to_regclass($1) AS found', [tableName])).rows[0].found !== null;
    if (!(await exists())) {
      if (!create)
        throw new NoLedger(
          `ledger ${shown}: there is none; make it with discreet ledger init --ledger ${shown}`,
        );
      await makeTable(client);
    }
  } catch (error) {
    await client.end();
    throw error instanceof NoLedger ? error : named(address, error);
  }
  return {
    address: shown,
    read: async () => {
      try {
        return await readRows(client);
      } catch (error) {
        throw named(address, error);
      }
    },
    append: async (next) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await appendOnce(client, next);
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

/** Two processes may do this at once: the lock lets one wait for the other. */
async function makeTable(client: Connection): Promise<void> {
  await client.query(`
    BEGIN;
    SELECT pg_advisory_xact_lock(7310579);
    CREATE TABLE IF NOT EXISTS ${tableName} (sequence bigint PRIMARY KEY, text text NOT NULL, hash text NOT NULL UNIQUE);
    CREATE OR REPLACE FUNCTION ${tableName}_stays() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'entries of the ledger are never changed or removed'; END $$;
    DROP TRIGGER IF EXISTS ${tableName}_stays ON ${tableName};
    CREATE TRIGGER ${tableName}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ${tableName} EXECUTE FUNCTION ${tableName}_stays();
    COMMIT`);
}

async function readRows(client: Connection): Promise<Row[]> {
  const { rows } = await client.query(`SELECT sequence, text, hash FROM ${tableName} ORDER BY sequence`);
  return rows.map(({ sequence, text, hash }) => ({ sequence: Number(sequence), text, hash }));
}

async function appendOnce(client: Connection, next: (rows: readonly Row[]) => Row): Promise<Row> {
  await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
  // Before the snapshot is taken: who waits here sees what the others appended.
  await client.query(`LOCK TABLE ${tableName} IN EXCLUSIVE MODE`);
  const row = next(await readRows(client));
  await client.query(`INSERT INTO ${tableName} (sequence, text, hash) VALUES ($1, $2, $3)`, [
    row.sequence,
    row.text,
    row.hash,
  ]);
  await client.query('COMMIT');
  return row;
}

function named(address: string, error: unknown): Error {
  const words = inWords(address, error);
  return words instanceof RangeError && words !== error ? new RangeError(`ledger ${words.message}`) : words;
}
