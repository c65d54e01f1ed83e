// Where the rows of a ledger are kept: whoever keeps them gives these functions.

import { DiscreetError, invalid, quote, wrong } from '../error/index.js';
import type { Row } from './entry.js';

/** What is added to a ledger at once. */
export interface Addition {
  readonly rows: readonly Row[];
  /** Texts of mechanisms by their hashes; those that are kept already stay as they are. */
  readonly mechanisms?: ReadonlyMap<string, string>;
}

export interface Store {
  /** As it is named again, without a password. */
  readonly address: string;
  /** For people: the address, and in a database the table. */
  readonly shown: string;
  /** What its keeper should know of the place. */
  readonly warning: string | null;
  /** All rows, in order. */
  readonly read: () => Promise<readonly Row[]>;
  /** The texts of all mechanisms that are kept, by their hashes. */
  readonly mechanisms: () => Promise<ReadonlyMap<string, string>>;
  /**
   * Add what `next` makes of all rows so far, alone: nobody else adds in between. On return it is on the disk. Where `next`
   * throws, nothing is added.
   */
  readonly append: (next: (rows: readonly Row[], keepsMechanisms: boolean) => Addition) => Promise<void>;
  /** Give the place back. */
  readonly close: () => Promise<void>;
}

/** What is wanted of a ledger, and what is to be done where there is none yet, or one already. */
export type Opening = 'reading' | 'existing' | 'existing or new' | 'new';
const OPENINGS: readonly Opening[] = ['reading', 'existing', 'existing or new', 'new'];

export function checkAddress(address: unknown, opening: unknown): void {
  if (typeof address !== 'string')
    throw invalid(`ledger: expected a file or postgres:// address, got ${typeof address}`);
  if (!OPENINGS.includes(opening as Opening))
    throw invalid(
      `opening: expected ${OPENINGS.map((word) => `'${word}'`).join(', ')}, got ${quote(opening)}`,
    );
}

/** Refuse what there is, or is not. */
export function checkOpening(address: string, opening: Opening, exists: boolean): void {
  if (exists && opening === 'new')
    throw wrong(`ledger ${address}: there is one already; a ledger is not overwritten`);
  if (!exists && (opening === 'existing' || opening === 'reading'))
    throw new DiscreetError(
      'no-ledger',
      null,
      `ledger ${address}: there is none`,
      "correct the address, or begin one by opening it as 'new'",
    );
}

/** A store without rows that keeps nothing: what a trial is made against where there is no ledger yet. */
export function emptyStore(address: string): Store {
  return {
    address,
    shown: address,
    warning: null,
    read: async () => [],
    mechanisms: async () => new Map(),
    append: () => {
      throw new Error('emptyStore: expected no entries');
    },
    close: async () => undefined,
  };
}

/** A store in memory, with the rows that are given: gone with the program, so whoever spends from it must be told. */
export function memoryStore(
  address: string,
  rows: readonly Row[] = [],
  mechanisms: ReadonlyMap<string, string> = new Map(),
): Store {
  let all: readonly Row[] = rows;
  const texts = new Map(mechanisms);
  return {
    address,
    shown: address,
    warning: 'it is kept in memory, and gone when this ends',
    read: async () => all,
    mechanisms: async () => texts,
    append: async (next) => {
      const { rows: more, mechanisms: own = new Map<string, string>() } = next(all, true);
      all = [...all, ...more];
      for (const [hash, text] of own) texts.set(hash, text);
    },
    close: async () => undefined,
  };
}
