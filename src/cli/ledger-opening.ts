// The ledger that a command means, opened and told of.

import { resolve } from 'node:path';
import { DiscreetError, isOurs, wrong } from '../error/index.js';
import {
  emptyLedger,
  type Found,
  findLedger,
  type Ledger,
  type Opening,
  openExisting,
  openLedger,
} from '../ledger/index.js';
import { note } from './output.js';

export const LEDGER_OPTION = [
  '--ledger <file>',
  'the ledger: a file or postgres://… (default: DISCREET_LEDGER, else discreet.json or discreet-ledger.db, the nearest from here upward)',
] as const;

/** The ledger that is meant, from here. */
export function ledgerFrom(given: string | undefined): Promise<Found> {
  return findLedger(given, { folder: process.cwd(), environment: process.env });
}

/** The ledger for something that is charged; for a trial, one that is not there is an empty one. */
export async function openLedgerFor(found: Found, trial: boolean, begins = true): Promise<Ledger> {
  const { address, namedBy } = found;
  if (!trial) return openToWrite(found, namedBy === null && begins ? 'existing or new' : 'existing');
  const ledger = namedBy === null ? await openExisting(address) : await openNamed(found, 'reading');
  if (ledger) return ledger;
  if (!begins) return openNamed(found, 'reading');
  note(`there is no ledger from here upward; the release itself would begin ${resolve(address)}`);
  return emptyLedger(address);
}

/** Told of where it is begun without having been named, or where its place is doubtful. */
export async function openToWrite(found: Found, opening: Opening): Promise<Ledger> {
  const ledger = await openNamed(found, opening);
  const isNew = found.namedBy === null && (await ledger.rows()).length === 0;
  return isNew ? announced(ledger, found.address) : ledger;
}

/** A ledger that is not there is told with what named it. */
export async function openNamed({ address, namedBy }: Found, opening: Opening): Promise<Ledger> {
  try {
    const ledger = await openLedger(address, opening);
    if (ledger.warning !== null && opening !== 'reading') note(ledger.warning);
    return ledger;
  } catch (error) {
    if (!isOurs(error, 'no-ledger')) throw error;
    if (namedBy === null)
      throw wrong(
        'there is no ledger from here upward; name one with --ledger, or make one, as in: discreet ledger init --dataset visits --epsilon 3 --adjacency visits=5',
      );
    throw new DiscreetError(
      'no-ledger',
      namedBy,
      error.problem,
      `correct the name, or name its new place if it was moved, or make it, as in: discreet ledger init --ledger ${address} --dataset visits --epsilon 3 --adjacency visits=5`,
    );
  }
}

/** Said when it has its first entry, and not where nothing came of it. */
function announced(ledger: Ledger, address: string): Ledger {
  const after = async <T>(result: T): Promise<T> => {
    note(`there was no ledger from here upward; a new one is begun: ${resolve(address)}`);
    return result;
  };
  return {
    ...ledger,
    reserve: async (quote, mechanisms) => after(await ledger.reserve(quote, mechanisms)),
    setBudget: async (...given) => after(await ledger.setBudget(...given)),
  };
}

export interface LedgerOptions {
  readonly ledger?: string;
  readonly json?: boolean;
}

/** The ledger that is meant, for as long as the work takes. */
export async function withLedger<T>(
  options: LedgerOptions,
  opening: 'reading' | 'existing or new',
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const found = await ledgerFrom(options.ledger);
  const ledger = await (opening === 'reading' ? openNamed(found, opening) : openToWrite(found, opening));
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
