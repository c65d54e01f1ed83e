// The ledgers that a machine keeps, in a file or in PostgreSQL. What that takes is loaded when it is asked for, so that the rules
// themselves run anywhere.

import { isOurs } from '../error/index.js';
import type { Check } from './check.js';
import type { Found, From } from './kept/find.js';
import type { Surroundings } from './kept/open.js';
import type { Ledger } from './ledger.js';
import type { Opening } from './store.js';

type Kept = typeof import('./kept/index.js');
// biome-ignore lint/suspicious/noTsIgnore: resolved by the package's own "imports", which differ in a browser
// @ts-ignore
const kept = (): Promise<Kept> => import('#kept');

/**
 * The ledger at an address, a file or postgres://…: whatever it returns was read and checked in full, and what it writes is on the
 * disk on return. None is begun unless `opening` says so.
 */
export async function openLedger(
  address: string,
  opening: Opening = 'existing',
  around: Surroundings = {},
): Promise<Ledger> {
  return (await kept()).openLedger(address, opening, around);
}

/** The ledger at this address, to be read; null where there is none. */
export async function openExisting(address: string): Promise<Ledger | null> {
  try {
    return await openLedger(address, 'reading');
  } catch (error) {
    if (isOurs(error, 'no-ledger')) return null;
    throw error;
  }
}

/** A ledger without entries that keeps nothing: what a trial is made against where there is none yet. */
export async function emptyLedger(address: string, around: Surroundings = {}): Promise<Ledger> {
  return (await kept()).emptyLedger(address, around);
}

/**
 * A new ledger from the lines of an export, checked in full: the chain, what it says, and the head where one is given.
 * The address must be free. Returns what was found; nothing is made where there is a problem.
 */
export async function importLedger(...given: Parameters<Kept['importLedger']>): Promise<Check> {
  return (await kept()).importLedger(...given);
}

/** Which ledger is meant: the one that is named, else the nearest from the folder upward. */
export async function findLedger(given: string | undefined, from: From): Promise<Found> {
  return (await kept()).findLedger(given, from);
}
