// Ledgers of this machine: by SHA-256 of the system, in the name of who runs the process, in a file or in PostgreSQL.

import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { isPostgres } from '../../postgres/index.js';
import { type Check, checkRows, readLines } from '../check.js';
import { type Keeper, type Ledger, ledgerOn } from '../ledger.js';
import { checkAddress, checkOpening, emptyStore, type Opening, type Store } from '../store.js';
import { openPostgres } from './postgres.js';
import { openSqlite } from './sqlite.js';

export function hashOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Who writes entries, and when: this user, now, unless it is said otherwise. */
export type Surroundings = Partial<Omit<Keeper, 'hash'>>;

function keeper({ who, clock }: Surroundings): Keeper {
  return { hash: hashOf, who: who ?? user(), clock: clock ?? (() => new Date()) };
}

async function openStore(address: string, opening: Opening): Promise<Store> {
  checkAddress(address, opening);
  return isPostgres(address) ? openPostgres(address, opening) : openSqlite(address, opening);
}

export async function openLedger(address: string, opening: Opening, around: Surroundings): Promise<Ledger> {
  return ledgerOn(await openStore(address, opening), keeper(around));
}

export function emptyLedger(address: string, around: Surroundings): Ledger {
  return ledgerOn(emptyStore(address), keeper(around));
}

export async function importLedger(
  lines: readonly string[],
  address: string,
  head: string | null,
): Promise<Check> {
  const { rows, mechanisms } = readLines(lines, hashOf);
  const found = checkRows(rows, mechanisms, head, hashOf);
  if (rows.length === 0) return { ...found, problems: ['there is no entry'] };
  if (found.problems.length > 0) return found;
  const store = await openStore(address, 'new');
  try {
    await store.append((present) => {
      // Somebody else was quicker.
      if (present.length > 0) checkOpening(store.address, 'new', true);
      return { rows, mechanisms };
    });
  } finally {
    await store.close();
  }
  return found;
}

function user(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
