// Where the rows of a ledger are kept: a file or a PostgreSQL database, chosen by the address.

import type { Row } from './entry.js';

export interface Store {
  /** For people, without a password. */
  readonly address: string;
  readonly read: () => Promise<readonly Row[]>;
  /**
   * Append the row that `next` makes of all rows so far, alone: nobody else appends in between. On return it is
   * on the disk. Where `next` throws, nothing is appended.
   */
  readonly append: (next: (rows: readonly Row[]) => Row) => Promise<Row>;
  readonly close: () => Promise<void>;
}

/** There is no ledger at this address. */
export class NoLedger extends RangeError {}

/** `create` makes a ledger that is not there yet; without it that is an error. */
export async function openStore(address: string, create: boolean): Promise<Store> {
  // Each needs a library of its own, loaded only where it is used.
  if (/^postgres(ql)?:\/\//i.test(address))
    return (await import('./postgres.js')).openPostgres(address, create);
  return (await import('./sqlite.js')).openSqlite(address, create);
}
