// What no output may overwrite, whatever {force} says: the settings that name a ledger, and a database, which may be one.

import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { wrong } from '../error/index.js';
import { sameFile } from './same.js';

/** In a folder, it says where the ledger is for all that lies below. */
export const SETTINGS_FILE = 'discreet.json';
/** The ledger of a folder and of all that lies below, where nothing names another. */
export const LEDGER_FILE = 'discreet-ledger.db';

/** Refuse an output that would take the place of a ledger, or of what names one. */
export function checkKept(path: string): void {
  if (isSettings(path))
    throw wrong(
      `${path}: ${SETTINGS_FILE} holds the settings that name the ledger, and budgets would begin anew without them; choose another name`,
    );
  // Some file systems do not tell cases apart.
  if (basename(path).toLowerCase() === LEDGER_FILE)
    throw wrong(
      `${path}: ${LEDGER_FILE} is the name of ledgers, and would be taken for one; choose another name`,
    );
  if (isDatabase(path) || isDatabase(path.replace(/-(?:journal|wal|shm)$/, '')))
    throw wrong(`${path}: this is the ledger, or another database; choose another name`);
}

/** By its name, under whatever links, or one that is read from here. */
function isSettings(path: string): boolean {
  const names = existsSync(path) ? [path, realpathSync(path)] : [path];
  // Some file systems do not tell cases apart.
  if (names.some((name) => basename(name).toLowerCase() === SETTINGS_FILE)) return true;
  if (!existsSync(path)) return false;
  for (let place = resolve('.'); ; place = dirname(place)) {
    const settings = join(place, SETTINGS_FILE);
    if (existsSync(settings) && sameFile(settings, path)) return true;
    if (dirname(place) === place) return false;
  }
}

const MARK = Buffer.from('SQLite format 3\0');

function isDatabase(path: string): boolean {
  if (!(statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)) return false;
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    // What cannot be read is told elsewhere.
    return false;
  }
  try {
    const start = Buffer.alloc(MARK.length);
    return readSync(file, start, 0, MARK.length, 0) === MARK.length && start.equals(MARK);
  } finally {
    closeSync(file);
  }
}
