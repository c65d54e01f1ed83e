// A ledger in a file: SQLite with a rollback journal, synced at every entry. A write-ahead log would be faster, but lies beside
// the path, and whoever comes by another path does not see it.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'libsql';
import { PrivacyError } from '../mechanism/index.js';
import type { Row } from './entry.js';
import { checkOnePath, pathWarning } from './one-path.js';
import { checkOpening, type Opening, type Store } from './store.js';

/** How long another process may hold the ledger. */
const PATIENCE = 10_000;

export async function openSqlite(path: string, opening: Opening): Promise<Store> {
  if (path === '') throw new RangeError('--ledger: expected a file or postgres:// address, got nothing');
  const isThere = existsSync(path);
  if (!isThere) checkOpening(path, opening, false);
  if (!existsSync(dirname(path)))
    throw new RangeError(`ledger ${path}: the folder ${dirname(path)} does not exist; make it first`);
  if (isThere && !statSync(path).isFile())
    throw new RangeError(`ledger ${path}: expected a file, got something else`);
  // The journal lies beside the file itself, whatever links lead to it.
  const real = isThere ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  checkOnePath(real);
  const database = inWords(path, () => {
    const opened = new Database(real);
    opened.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
    return opened;
  });
  const names = () =>
    (database.prepare('SELECT name FROM sqlite_master').all() as { name: string }[]).map(({ name }) => name);
  const hasTable = () => names().includes('entries');
  const read = () =>
    hasTable()
      ? (database.prepare('SELECT sequence, text, hash FROM entries ORDER BY sequence').all() as Row[])
      : [];
  const append = (next: (rows: readonly Row[]) => readonly Row[]) => {
    checkOnePath(real);
    withRollbackJournal(database);
    database.exec('BEGIN IMMEDIATE');
    try {
      if (!hasTable()) database.exec(TABLE);
      const insert = database.prepare('INSERT INTO entries (sequence, text, hash) VALUES (?, ?, ?)');
      for (const row of next(read())) insert.run(row.sequence, row.text, row.hash);
      database.exec('COMMIT');
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
  try {
    inWords(path, () => {
      const found = isThere ? names() : [];
      if (found.length > 0 && !found.includes('entries'))
        throw new RangeError(`ledger ${path}: this is a database of something else; choose another name`);
      checkOpening(path, opening, found.length > 0);
      read();
    });
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    address: path,
    shown: path,
    warning: pathWarning(real),
    read: async () => inWords(path, read),
    append: async (next) => inWords(path, () => append(next)),
    close: async () => {
      database.close();
    },
  };
}

const TABLE = `
  CREATE TABLE entries (sequence INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL UNIQUE);
  CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
  CREATE TRIGGER entries_remain BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;`;

/**
 * A journal that is synced with its folder (EXTRA: with FULL the journal's removal might not survive a power cut, and
 * an entry that was reported would be rolled back). Ledgers that had a write-ahead log lose it here.
 */
function withRollbackJournal(database: Database.Database): void {
  const pragma = (text: string) => Object.values(database.prepare(`PRAGMA ${text}`).get() as object)[0];
  const until = Date.now() + PATIENCE;
  // Whoever still has the log open keeps it, and SQLite does not wait for them by itself.
  while (journalOf(pragma) !== 'delete') {
    if (Date.now() > until) throw new Error('SQLITE_BUSY: the write-ahead log is in use');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 + Math.random() * 30);
  }
  database.exec('PRAGMA synchronous = EXTRA');
  if (pragma('synchronous') !== 3) throw new Error('ledger: SQLite does not sync as it was told to');
}

function journalOf(pragma: (text: string) => unknown): unknown {
  try {
    return pragma('journal_mode = DELETE');
  } catch (error) {
    if (/BUSY|LOCKED|is locked/.test(`${(error as { code?: string }).code} ${(error as Error).message}`))
      return null;
    throw error;
  }
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
