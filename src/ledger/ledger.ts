// The durable record of what each dataset has spent. Spending is written and synced before anything leaves; it can
// be overstated after a crash, never understated.

import { userInfo } from 'node:os';
import { PrivacyError } from '../mechanism/index.js';
import { readsLike } from '../spec/index.js';
import { type Accountant, basicComposition, type Dataset, datasetsOf, faults } from './account.js';
import { checkBudget } from './budget.js';
import {
  type Budget,
  type Content,
  type Entry,
  hashOf,
  nextRow,
  type Row,
  readChain,
  type Settlement,
} from './entry.js';
import { knownName, type Quote, quoteOf, refuseBeyond, type Wish } from './quote.js';
import { checkOpening, NoLedger, type Opening, openStore, type Store } from './store.js';

export interface Reservation extends Quote {
  readonly sequence: number;
  readonly who: string;
  /** The ledger's head with this entry. */
  readonly head: string;
}

export interface Ledger {
  readonly address: string;
  /** For people: the address, and in a database the table. */
  readonly shown: string;
  /** What its keeper should know of the place where it is kept. */
  readonly warning: string | null;
  readonly accountant: Accountant;
  readonly rows: () => Promise<readonly Row[]>;
  readonly entries: () => Promise<readonly Entry[]>;
  readonly datasets: () => Promise<ReadonlyMap<string, Dataset>>;
  readonly quote: (wish: Wish) => Promise<Quote>;
  /** Append the spending or refuse; durable on return. `under` is the quote that it was prepared for: where another budget or other protected columns came since, it is refused. */
  readonly reserve: (wish: Wish, under?: Quote) => Promise<Reservation>;
  /** `void` gives the spending back: only where no noisy byte has left. Returns the ledger's head. */
  readonly settle: (sequence: number, kind: 'complete' | 'void' | 'abort', reason: string) => Promise<string>;
  /** Returns the budget as it was written, with the dataset's known spelling, the one before it, and the ledger's head. */
  readonly setBudget: (budget: Budget) => Promise<{ budget: Budget; before: Budget | null; head: string }>;
  readonly close: () => Promise<void>;
}

export async function openLedger(address: string, opening: Opening): Promise<Ledger> {
  return ledgerOn(await openStore(address, opening), basicComposition);
}

/** The ledger at this address, to be read; null where there is none. */
export async function openExisting(address: string): Promise<Ledger | null> {
  try {
    return await openLedger(address, 'reading');
  } catch (error) {
    if (error instanceof NoLedger) return null;
    throw error;
  }
}

/** A ledger without entries that keeps nothing: what a trial is made against where there is none yet. */
export function emptyLedger(address: string): Ledger {
  const refuse = () => {
    throw new Error('emptyLedger: expected no entries');
  };
  return ledgerOn(
    {
      address,
      shown: address,
      warning: null,
      read: async () => [],
      append: refuse,
      close: async () => undefined,
    },
    basicComposition,
  );
}

/**
 * A new ledger from the lines of an export, checked in full: the chain, what it says, and the head where one is given.
 * The address must be free. Returns what was found; nothing is made where there is a problem.
 */
export async function importLedger(
  lines: readonly string[],
  address: string,
  head: string | null,
): Promise<Check> {
  const rows = lines.map((text, i) => ({ sequence: i + 1, text, hash: hashOf(text) }));
  const found = checkRows(rows, head, basicComposition);
  if (rows.length === 0) return { ...found, problems: ['there is no entry'] };
  if (found.problems.length > 0) return found;
  const store = await openStore(address, 'new');
  try {
    await store.append((present) => {
      // Somebody else was quicker.
      if (present.length > 0) checkOpening(store.address, 'new', true);
      return rows;
    });
  } finally {
    await store.close();
  }
  return found;
}

function ledgerOn(store: Store, accountant: Accountant): Ledger {
  /** All entries; a broken chain is not built upon. */
  const trusted = (rows: readonly Row[]): Entry[] => {
    const { entries, broken } = readChain(rows);
    if (broken !== null)
      throw new PrivacyError(
        `ledger ${store.address}: ${broken}; nothing is released against it. See discreet ledger check`,
      );
    return entries;
  };
  const append = async (content: (entries: readonly Entry[]) => Content): Promise<Row> => {
    let row: Row | undefined;
    await store.append((rows) => {
      row = nextRow(rows.at(-1), content(trusted(rows)), who(), new Date());
      return [row];
    });
    return row!;
  };
  const quote = (wish: Wish, entries: readonly Entry[]) => quoteOf(wish, datasetsOf(entries), accountant);

  return {
    address: store.address,
    shown: store.shown,
    warning: store.warning,
    accountant,
    rows: store.read,
    entries: async () => trusted(await store.read()),
    datasets: async () => datasetsOf(trusted(await store.read())),
    quote: async (wish) => quote(wish, trusted(await store.read())),
    reserve: async (wish, under) => {
      // Prices take time: they are worked out (and remembered by the wish) before the ledger is held.
      refuseBeyond(quote(wish, trusted(await store.read())));
      let quoted: Quote | undefined;
      const row = await append((entries) => {
        quoted = quote(wish, entries);
        if (under !== undefined && !sameTerms(quoted, under))
          throw new RangeError(
            `${quoted.spending.dataset}: its budget was changed in the meantime, or a column was protected for the first time; nothing was released or charged, try again`,
          );
        refuseBeyond(quoted);
        return { kind: 'release', ...quoted.spending };
      });
      return { ...quoted!, sequence: row.sequence, who: who(), head: row.hash };
    },
    settle: async (release, kind, reason) => {
      const settlement: Settlement = { release, reason };
      return (
        await append((entries) => {
          const open = [...datasetsOf(entries).values()].some(({ releases }) =>
            releases.some(({ entry, state }) => entry.sequence === release && state === 'open'),
          );
          if (!open) throw new Error(`settle: expected an open release, got entry ${release}`);
          return { kind, ...settlement };
        })
      ).hash;
    },
    setBudget: async (wanted) => {
      let budget = wanted;
      let before: Budget | null = null;
      const { hash } = await append((entries) => {
        const datasets = datasetsOf(entries);
        budget = {
          ...wanted,
          dataset: knownName(wanted.dataset, [...datasets.keys()]) ?? wanted.dataset.trim(),
        };
        before = datasets.get(budget.dataset)?.budget ?? null;
        checkBudget(budget, datasets.get(budget.dataset), accountant);
        return { kind: 'budget', ...budget };
      });
      return { budget, before, head: hash };
    },
    close: store.close,
  };
}

/** Is the budget the same, and has no column been protected since that this release may let out? */
function sameTerms(now: Quote, then: Quote): boolean {
  const fresh = now.earlier.filter(
    (column) =>
      !then.earlier.includes(column) && !now.spending.charges.some(({ on }) => readsLike(on, column)),
  );
  return JSON.stringify(now.budget) === JSON.stringify(then.budget) && fresh.length === 0;
}

export interface Check {
  readonly entries: number;
  readonly head: string | null;
  readonly problems: readonly string[];
}

/** Is the chain whole, does it say nothing impossible, and does it contain the given head? */
export async function checkLedger(ledger: Ledger, head: string | null): Promise<Check> {
  return checkRows(await ledger.rows(), head, ledger.accountant);
}

function checkRows(rows: readonly Row[], head: string | null, accountant: Accountant): Check {
  const { entries, broken } = readChain(rows);
  const problems = broken === null ? faults(entries, accountant) : [broken];
  if (head !== null && !rows.some(({ hash }) => hash === head))
    problems.push(
      `no entry has the hash ${head}: the end of the ledger was cut off or rewritten, or the hash is of another ledger`,
    );
  return { entries: rows.length, head: rows.at(-1)?.hash ?? null, problems };
}

function who(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
