// The ledgers of a browser: in its own database, hashed by plain code, in the name of the browser.

import { DiscreetError } from '../../error/index.js';
import { type Check, importInto } from '../check.js';
import { type Keeper, type Ledger, ledgerOn } from '../ledger.js';
import { sha256 } from '../sha256.js';
import { checkAddress, emptyStore, type Opening } from '../store.js';
import { openIndexedDb } from './indexed-db.js';

type Around = Partial<Omit<Keeper, 'hash'>>;

function keeper({ who, clock }: Around): Keeper {
  return { hash: sha256, who: who ?? 'a browser', clock: clock ?? (() => new Date()) };
}

export async function openLedger(address: string, opening: Opening, around: Around): Promise<Ledger> {
  checkAddress(address, opening);
  return ledgerOn(await openIndexedDb(address, opening), keeper(around));
}

export function emptyLedger(address: string, around: Around): Ledger {
  return ledgerOn(emptyStore(address), keeper(around));
}

/** As elsewhere; and a ledger that goes on where the one that is kept ends is added to it, for it comes back from other machines. */
export async function importLedger(
  lines: readonly string[],
  address: string,
  head: string | null,
): Promise<Check> {
  const store = await openIndexedDb(address, 'existing or new');
  try {
    return await importInto(store, lines, head, sha256);
  } finally {
    await store.close();
  }
}

export function findLedger(): never {
  throw new DiscreetError(
    'system',
    'ledger',
    'a browser has no folders to look for a ledger in',
    'name the one that is meant',
  );
}
