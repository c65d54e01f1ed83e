// The durable record of what each dataset has spent. Spending is written and synced before anything leaves; it can
// be overstated after a crash, never understated. Where it is kept, and by which hash, are arguments.

import { type WrittenCost, written } from '../account/index.js';
import { PrivacyError, wrong } from '../error/index.js';
import { type Mechanism, readMechanism, remembered, writeMechanism } from '../mechanism/index.js';
import { readsLike } from '../spec/index.js';
import { type BudgetTerms, budgetOf, checkBudget } from './budget.js';
import { type Check, checkRows } from './check.js';
import {
  type Budget,
  type Content,
  type Entry,
  type Hash,
  nextRow,
  parseEntry,
  type Row,
  readChain,
  type Settlement,
} from './entry.js';
import {
  type Account,
  accountOf,
  knownName,
  type Meant,
  type Quote,
  refuseBeyond,
  requoted,
} from './quote.js';
import { checkNext } from './rules.js';
import { accountantFor, countedReleases, type Dataset, datasetsOf, left } from './spending.js';
import type { Store } from './store.js';

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
  /** The entries as they are kept and hashed. */
  readonly rows: () => Promise<readonly Row[]>;
  /** The entries, once the chain is found whole. */
  readonly entries: () => Promise<readonly Entry[]>;
  /** What each dataset has spent and may spend. */
  readonly datasets: () => Promise<ReadonlyMap<string, Dataset>>;
  /** The texts of the mechanisms that entries name, by their hashes. */
  readonly mechanisms: () => Promise<ReadonlyMap<string, string>>;
  /** Of its integers and its claim, not of how it was made. */
  readonly mechanismHash: (mechanism: Mechanism) => string;
  /** The terms of the dataset that is meant; a name that is missing or unknown is refused. */
  readonly account: (meant: Meant) => Promise<Account>;
  /**
   * Write the spending that was quoted, with its mechanisms, or refuse; durable on return. Where another budget or other
   * protected columns came since it was quoted, it is refused.
   */
  readonly reserve: (quote: Quote, mechanisms?: readonly Mechanism[]) => Promise<Reservation>;
  /** `void` gives the spending back: only where no noisy byte has left. Returns the ledger's head. */
  readonly settle: (sequence: number, kind: 'complete' | 'void' | 'abort', reason: string) => Promise<string>;
  /** Returns the budget as it was written, with the dataset's known spelling, the one before it, and the ledger's head. */
  readonly setBudget: (
    terms: BudgetTerms,
    options?: {
      /** Only where nothing was released of the dataset yet; refused else, however close the race. */
      readonly first?: boolean;
      /** Looks at the budget and the one that stands, in the same transaction; nothing is written where it throws. */
      readonly agree?: (budget: Budget, before: Budget | null) => void;
    },
  ) => Promise<{ budget: Budget; before: Budget | null; head: string }>;
  /** What is left of a dataset's budget, rounded down; null where the ledger has no budgets, and refused where it has none for it. */
  readonly left: (dataset: string) => Promise<WrittenCost | null>;
  /** Is the chain whole, does it say nothing impossible, and does it contain the given head? */
  readonly check: (head: string | null) => Promise<Check>;
  /** Give the place back. */
  readonly close: () => Promise<void>;
}

/** What a ledger needs from its surroundings. */
export interface Keeper {
  readonly hash: Hash;
  readonly who: string;
  /** What time it is. */
  readonly clock: () => Date;
}

/** What is hashed and kept of a mechanism: its file without the part that tells how it was made. */
export const mechanismText: (mechanism: Mechanism) => string = remembered((mechanism) =>
  writeMechanism({ ...mechanism, origin: {} }),
);

/** A ledger in a store. Every entry holds the hash of the one before it: none is edited, removed or moved without a trace. */
export function ledgerOn(store: Store, { hash, who, clock }: Keeper): Ledger {
  const mechanismHash = remembered((mechanism: Mechanism) => hash(mechanismText(mechanism)));
  /** All entries; a broken chain is not built upon. */
  const trusted = (rows: readonly Row[]): Entry[] => {
    const { entries, broken } = readChain(rows, hash);
    if (broken !== null)
      throw new PrivacyError(
        `ledger ${store.address}: ${broken}, so nothing is released against it; see {check}`,
        null,
        'ledger',
      );
    return entries;
  };
  const append = async (
    content: (datasets: ReadonlyMap<string, Dataset>, kept: boolean) => Content,
    mechanisms: readonly Mechanism[] = [],
    used?: Dataset['mechanism'],
  ): Promise<Row> => {
    const kept = new Map(mechanisms.map((mechanism) => [mechanismHash(mechanism), mechanismText(mechanism)]));
    let row: Row | undefined;
    await store.append((rows, keeps) => {
      const before = datasetsOf(trusted(rows), used);
      row = nextRow(rows.at(-1), content(before, keeps && kept.size > 0), who, clock(), hash);
      // What could not be read again, or would be refused by a check, is not written.
      const entry = parseEntry(row.text);
      if (typeof entry === 'string') throw wrong(`ledger: this cannot be written, for ${entry}`);
      checkNext(entry, before);
      return { rows: [row], mechanisms: kept };
    });
    return row!;
  };
  /** Mechanisms for accountants that look at them. */
  const lookup = async (entries: readonly Entry[]): Promise<Dataset['mechanism']> => {
    const asked = entries.some((entry) => entry.kind === 'budget' && accountantFor(entry)?.needsMechanisms);
    const texts = asked ? await store.mechanisms() : new Map<string, string>();
    const read = new Map<string, Mechanism>();
    return (own) => {
      const text = texts.get(own);
      if (text === undefined) return null;
      const mechanism = read.get(own) ?? readMechanism(text);
      read.set(own, mechanism);
      return mechanism;
    };
  };
  const datasets = async () => {
    const entries = trusted(await store.read());
    return datasetsOf(entries, await lookup(entries));
  };

  return {
    address: store.address,
    shown: store.shown,
    warning: store.warning,
    rows: store.read,
    entries: async () => trusted(await store.read()),
    datasets,
    mechanisms: store.mechanisms,
    mechanismHash,
    account: async (meant) => accountOf(meant, await datasets()),
    reserve: async (quote, mechanisms) => {
      const { dataset } = quote.spending;
      let now: Quote | undefined;
      const row = await append(
        (known, kept) => {
          now = requoted(quote.spending, accountOf({ dataset, inputName: null }, known));
          if (!sameTerms(now, quote))
            throw wrong(
              `${dataset}: its budget was changed in the meantime, or a column was protected for the first time; nothing was released or charged; try again`,
            );
          refuseBeyond(now);
          return { kind: 'release', ...now.spending, ...(kept ? { kept } : {}) };
        },
        mechanisms,
        quote.account.dataset.mechanism,
      );
      return { ...now!, sequence: row.sequence, who, head: row.hash };
    },
    settle: async (release, kind, reason) => {
      const settlement: Settlement = { release, reason };
      const { hash: head } = await append(() => ({ kind, ...settlement }));
      return head;
    },
    setBudget: async (terms, { first = false, agree } = {}) => {
      const wanted = budgetOf(terms);
      let budget = wanted;
      let before: Budget | null = null;
      const { hash: head } = await append((known) => {
        budget = {
          ...wanted,
          dataset: knownName(wanted.dataset, [...known.keys()]) ?? wanted.dataset.trim(),
        };
        before = known.get(budget.dataset)?.budget ?? null;
        if (first && countedReleases(known.get(budget.dataset) ?? { releases: [] }).length > 0)
          throw wrong(
            `${budget.dataset}: something was released of it in the meantime, under a budget that stands; nothing was changed; look again`,
          );
        // What cannot be is told before what may not be meant.
        checkBudget(budget, known.get(budget.dataset));
        agree?.(budget, before);
        return { kind: 'budget', ...budget };
      });
      return { budget, before, head };
    },
    left: async (dataset) => {
      const { dataset: found } = accountOf({ dataset, inputName: null }, await datasets());
      const rest = left(found);
      return rest && written(rest);
    },
    check: async (head) => checkRows(await store.read(), await store.mechanisms(), head, hash),
    close: store.close,
  };
}

/** Is the budget the same, and has no column been protected since that this release may let out? */
function sameTerms({ account: now, spending }: Quote, { account: then }: Quote): boolean {
  const fresh = now.earlier.filter(
    (column) => !then.earlier.includes(column) && !spending.charges.some(({ on }) => readsLike(on, column)),
  );
  return JSON.stringify(now.budget) === JSON.stringify(then.budget) && fresh.length === 0;
}
