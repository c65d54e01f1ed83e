// A ledger in a file: SQLite with a write-ahead log, synced at every entry.

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { PrivacyError } from '../mechanism/index.js';
import type { Row } from './entry.js';
import { NoLedger, type Store } from './store.js';

/** How long another process may hold the ledger. */
const PATIENCE = 10_000;

export async function openSqlite(path: string, create: boolean): Promise<Store> {
  if (path === '') throw new RangeError('--ledger: expected a file or postgres:// address, got nothing');
  if (!existsSync(path) && !create)
    throw new NoLedger(
      `ledger ${path}: there is none; make it with discreet ledger init, or name another with --ledger`,
    );
  if (!existsSync(dirname(path)))
    throw new RangeError(`ledger ${path}: the folder ${dirname(path)} does not exist; make it first`);
  if (existsSync(path) && !statSync(path).isFile())
    throw new RangeError(`ledger ${path}: expected a file, got something else`);
  const database = inWords(path, () => {
    const opened = new Database(path);
    opened.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
    return opened;
  });
  const hasTable = () =>
    database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'entries'").all().length > 0;
  const read = () =>
    hasTable()
      ? (database.prepare('SELECT sequence, text, hash FROM entries ORDER BY sequence').all() as Row[])
      : [];
  /** Before the first entry only: later ones find it done. */
  const prepare = () => {
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA journal_mode = WAL');
    if (hasTable()) return;
    database.exec('BEGIN IMMEDIATE');
    if (!hasTable())
      database.exec(`
        CREATE TABLE entries (sequence INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL UNIQUE);
        CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
        CREATE TRIGGER entries_remain BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;`);
    database.exec('COMMIT');
  };
  try {
    inWords(path, read);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    address: path,
    read: async () => inWords(path, read),
    append: async (next) =>
      inWords(path, () => {
        prepare();
        database.exec('BEGIN IMMEDIATE');
        try {
          const row = next(read());
          database
            .prepare('INSERT INTO entries (sequence, text, hash) VALUES (?, ?, ?)')
            .run(row.sequence, row.text, row.hash);
          database.exec('COMMIT');
          return row;
        } catch (error) {
          if (database.inTransaction) database.exec('ROLLBACK');
          throw error;
        }
      }),
    close: async () => {
      database.close();
    },
  };
}

/** What SQLite says, in the user's words. */
function inWords<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // Refusals are told as they are, whatever words they hold.
    if (error instanceof RangeError || error instanceof PrivacyError) throw error;
    const { code = '', message } = error as Error & { code?: string };
    const known: [RegExp, string][] = [
      [
        /BUSY|LOCKED|is locked/,
        `another process has held it for ${PATIENCE / 1000} s; try again when that is done`,
      ],
      [/READONLY|readonly/, 'it cannot be written; give write permission on the file and its folder'],
      [
        /CANTOPEN|nable to open|ConnectionFailed/,
        'it cannot be opened; check the permissions of the file and its folder',
      ],
      [/NOTADB|CORRUPT|not a database|malformed/, 'the file is not a ledger, or is damaged'],
      [/FULL|disk is full/, 'no space left on the device'],
      [/IOERR|disk I\/O/, `the disk failed: ${message}`],
    ];
    const words = known.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
    if (words === undefined) throw error;
    throw new RangeError(`ledger ${path}: ${words}`);
  }
}
