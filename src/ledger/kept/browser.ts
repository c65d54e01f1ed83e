// The ledgers of a browser: in its own database, hashed by plain code, in the name of the browser.

import { DiscreetError, wrong } from '../../error/index.js';
import { type Check, checkRows, readLines } from '../check.js';
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
  const { rows, mechanisms } = readLines(lines, sha256);
  const found = checkRows(rows, mechanisms, head, sha256);
  if (rows.length === 0) return { ...found, problems: ['there is no entry'] };
  if (found.problems.length > 0) return found;
  const store = await openIndexedDb(address, 'existing or new');
  try {
    await store.append((present) => {
      if (present.some(({ hash }, i) => rows[i]?.hash !== hash))
        throw wrong(
          `ledger ${address}: this browser keeps entries that the file does not have, or others in their place; a ledger is not overwritten: import it under another name`,
        );
      return { rows: rows.slice(present.length), mechanisms };
    });
  } finally {
    await store.close();
  }
  return found;
}

export function findLedger(): never {
  throw new DiscreetError(
    'system',
    'ledger',
    'a browser has no folders to look for a ledger in',
    'name the one that is meant',
  );
}
