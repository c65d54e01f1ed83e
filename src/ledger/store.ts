// Where the rows of a ledger are kept: a file or a PostgreSQL database, chosen by the address.

import type { Row } from './entry.js';

export interface Store {
  /** As it is named again, without a password. */
  readonly address: string;
  /** For people: the address, and in a database the table. */
  readonly shown: string;
  /** What its keeper should know of the place. */
  readonly warning: string | null;
  readonly read: () => Promise<readonly Row[]>;
  /**
   * Append the rows that `next` makes of all rows so far, alone: nobody else appends in between. On return they are
   * on the disk. Where `next` throws, nothing is appended.
   */
  readonly append: (next: (rows: readonly Row[]) => readonly Row[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** There is no ledger at this address. */
export class NoLedger extends RangeError {}

/** What is wanted of a ledger, and what is to be done where there is none yet, or one already. */
export type Opening = 'reading' | 'existing' | 'existing or new' | 'new';

export async function openStore(address: string, opening: Opening): Promise<Store> {
  // Each needs a library of its own, loaded only where it is used.
  if (/^postgres(ql)?:\/\//i.test(address))
    return (await import('./postgres.js')).openPostgres(address, opening);
  return (await import('./sqlite.js')).openSqlite(address, opening);
}

/** Refuse what there is, or is not. */
export function checkOpening(address: string, opening: Opening, exists: boolean): void {
  if (exists && opening === 'new')
    throw new RangeError(`ledger ${address}: there is one already; a ledger is not overwritten`);
  if (!exists && (opening === 'existing' || opening === 'reading'))
    throw new NoLedger(
      `ledger ${address}: there is none; correct the name, or make it with discreet ledger init --ledger ${address}`,
    );
}
