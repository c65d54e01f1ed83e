// A ledger in a file: SQLite with a rollback journal, synced at every entry. A write-ahead log would be faster, but lies beside
// the path, and whoever comes by another path does not see it.

import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Libsql from 'libsql';
import { cannot, invalid, isOurs, optional, wrong } from '../../error/index.js';
import type { Row } from '../entry.js';
import { checkOpening, type Opening, type Store } from '../store.js';
import { checkOnePath, pathWarning } from './one-path.js';

/** How long another process may hold the ledger. */
const PATIENCE = 10_000;

type Database = Libsql.Database;

export async function openSqlite(path: string, opening: Opening): Promise<Store> {
  const { default: Sqlite } = await optional('libsql', () => import('libsql'));
  const open = (file: string): Database => new Sqlite(file);
  if (path === '') throw invalid('ledger: expected a file or postgres:// address, got nothing');
  const isThere = existsSync(path);
  if (!isThere) {
    checkLink(path);
    checkOpening(path, opening, false);
  }
  if (!existsSync(dirname(path)))
    throw wrong(`ledger ${path}: the folder ${dirname(path)} does not exist; make it first`);
  if (isThere && !statSync(path).isFile()) throw wrong(`ledger ${path}: expected a file, got something else`);
  // The journal lies beside the file itself, whatever links lead to it.
  const real = isThere ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  checkOnePath(real);
  if (isThere && opening !== 'reading') inWords(path, () => leaveLog(real, open));
  let database: Database | null = null;
  let file: Stats | undefined;
  /** Opened when it is needed: a ledger that is begun has its first entry, or there is none. */
  const opened = (): Database => {
    if (database) return database;
    database = open(real);
    database.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
    file = statSync(real, { throwIfNoEntry: false });
    return database;
  };
  /** Whoever opens the path now has another ledger, or none. */
  const checkUnmoved = () => {
    const now = statSync(real, { throwIfNoEntry: false });
    if (file && (now?.ino !== file.ino || now.dev !== file.dev)) throw cannot(`ledger ${path}: ${MOVED}`);
  };
  const names = () =>
    (opened().prepare('SELECT name FROM sqlite_master').all() as { name: string }[]).map(({ name }) => name);
  const hasTable = () => (database !== null || existsSync(real)) && names().includes('entries');
  const read = () =>
    hasTable()
      ? (opened().prepare('SELECT sequence, text, hash FROM entries ORDER BY sequence').all() as Row[])
      : [];
  const mechanisms = () =>
    new Map(
      hasTable() && names().includes('mechanisms')
        ? (opened().prepare('SELECT hash, text FROM mechanisms').all() as Omit<Row, 'sequence'>[]).map(
            ({ hash, text }) => [hash, text],
          )
        : [],
    );
  const append = (next: Parameters<Store['append']>[0]) => {
    if (opening === 'reading') throw new Error('ledger: it was opened to be read');
    checkUnmoved();
    checkOnePath(real);
    // What is refused without looking at others' entries leaves no file behind.
    if (!existsSync(real)) next([], true);
    const own = opened();
    checkJournal(own);
    own.exec('BEGIN IMMEDIATE');
    try {
      if (!hasTable()) own.exec(ENTRIES);
      const { rows, mechanisms: kept = new Map() } = next(read(), true);
      const insert = own.prepare('INSERT INTO entries (sequence, text, hash) VALUES (?, ?, ?)');
      for (const row of rows) insert.run(row.sequence, row.text, row.hash);
      if (kept.size > 0 && !names().includes('mechanisms')) own.exec(MECHANISMS);
      for (const [hash, text] of kept)
        own.prepare('INSERT OR IGNORE INTO mechanisms (hash, text) VALUES (?, ?)').run(hash, text);
      own.exec('COMMIT');
    } catch (error) {
      if (own.inTransaction) own.exec('ROLLBACK');
      throw error;
    }
  };
  try {
    inWords(path, () => {
      const found = isThere ? names() : [];
      if (found.length > 0 && !found.includes('entries'))
        throw wrong(`ledger ${path}: this is a database of something else; choose another name`);
      checkOpening(path, opening, found.length > 0);
      read();
    });
  } catch (error) {
    (database as Database | null)?.close();
    throw error;
  }
  return {
    address: path,
    shown: path,
    warning: pathWarning(real),
    read: async () => inWords(path, read),
    mechanisms: async () => inWords(path, mechanisms),
    append: async (next) => inWords(path, () => append(next)),
    close: async () => {
      database?.close();
    },
  };
}

const ENTRIES = `
  CREATE TABLE entries (sequence INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL UNIQUE);
  CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
  CREATE TRIGGER entries_remain BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;`;

/** Of ledgers that keep mechanisms: older ones did not. */
const MECHANISMS = `
  CREATE TABLE mechanisms (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
  CREATE TRIGGER mechanisms_stay BEFORE UPDATE ON mechanisms BEGIN SELECT RAISE(ABORT, 'mechanisms are never changed'); END;
  CREATE TRIGGER mechanisms_remain BEFORE DELETE ON mechanisms BEGIN SELECT RAISE(ABORT, 'mechanisms are never removed'); END;`;

/**
 * A journal that is synced with its folder (EXTRA: with FULL the journal's removal might not survive a power cut, and
 * an entry that was reported would be rolled back).
 */
function checkJournal(database: Database): void {
  const pragma = (text: string) => Object.values(database.prepare(`PRAGMA ${text}`).get() as object)[0];
  database.exec('PRAGMA synchronous = EXTRA');
  const [journal, synchronous] = [pragma('journal_mode = DELETE'), pragma('synchronous')];
  if (journal !== 'delete' || synchronous !== 3)
    throw cannot(
      'ledger: it has a write-ahead log again, which an older version of the program makes; try again when that is done',
    );
}

/**
 * Ledgers that had a write-ahead log lose it before anything is written. That takes nobody else who has it open, so the
 * connection is given up between attempts; one with a prepared statement would stay open until it is collected.
 */
function leaveLog(path: string, open: (path: string) => Database): void {
  for (const until = Date.now() + PATIENCE; hasLog(path); ) {
    if (Date.now() > until) throw new Error('SQLITE_BUSY: the write-ahead log is in use');
    const database = open(path);
    try {
      database.exec('PRAGMA busy_timeout = 0');
      database.exec('PRAGMA journal_mode = DELETE');
    } catch (error) {
      if (!/BUSY|LOCKED|is locked/.test(`${(error as { code?: string }).code} ${(error as Error).message}`))
        throw error;
    } finally {
      database.close();
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 50);
  }
}

/** The file says so itself: the format's version for writing, at byte 18, is 2 with a log. Read where no connection is open yet. */
function hasLog(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const version = Buffer.alloc(1);
    return readSync(file, version, 0, 1, 18) === 1 && version[0] === 2;
  } finally {
    closeSync(file);
  }
}

const MOVED =
  'its file was moved, renamed or replaced while it was open, so nothing more is written to it; see that there is one, and say where it is now';

/** A link to where nothing is: what it led to is somewhere else, and is not begun anew. */
function checkLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw wrong(
      `ledger ${path}: it is a link to ${readlinkSync(path)}, where there is none: the ledger was moved; let the link lead to where it is now`,
    );
}

/** What SQLite says, in the user's words. */
function inWords<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // Refusals are told as they are, whatever words they hold.
    if (isOurs(error)) throw error;
    const { code = '', message } = error as Error & { code?: string };
    const known: [RegExp, string][] = [
      [
        /BUSY|LOCKED|is locked/,
        `another process has held it for ${PATIENCE / 1000} s; try again when that is done`,
      ],
      [/DBMOVED/, MOVED],
      [/READONLY|readonly/, 'it cannot be written; give write permission on the file and its folder'],
      [
        /CANTOPEN|nable to open|ConnectionFailed/,
        'it cannot be opened; check the permissions of the file and its folder',
      ],
      [/NOTADB|CORRUPT|not a database|malformed/, 'the file is not a ledger, or is damaged'],
      [/FULL|disk is full/, 'no space left on the device'],
      [/not open/, 'it was closed; open it again'],
      [/IOERR|disk I\/O/, `the disk failed: ${message}`],
    ];
    const words = known.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
    if (words === undefined) throw error;
    throw cannot(`ledger ${path}: ${words}`);
  }
}
