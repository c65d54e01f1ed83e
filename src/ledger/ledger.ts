// The durable record of what each dataset has spent. Spending is written and synced before anything leaves; it can
// be overstated after a crash, never understated.

import { userInfo } from 'node:os';
import {
  add,
  compare,
  parseDecimal,
  type Rational,
  subtract,
  toDecimal,
  toDecimalDown,
  toDecimalUp,
  zero,
} from '../exact/index.js';
import { PrivacyError } from '../mechanism/index.js';
import { suggest } from '../spec/index.js';
import {
  type Accountant,
  basicComposition,
  type Cost,
  type Dataset,
  datasetsOf,
  faults,
  fits,
  spent,
} from './account.js';
import { timesRows } from './charge.js';
import {
  type Budget,
  type Charge,
  type Content,
  type Entry,
  nextRow,
  type Row,
  readChain,
  type Settlement,
  type Spending,
} from './entry.js';
import { NoLedger, openStore, type Store } from './store.js';

/** What somebody wants to do, before it is known what neighbours are in the dataset. */
export interface Wish {
  readonly act: Spending['act'];
  /** As given, or null: then the input's name serves where the ledger has no budgets. */
  readonly dataset: string | null;
  readonly inputName: string | null;
  readonly part: string | null;
  readonly input: string;
  readonly output: string;
  /** As given, or null: then the budget's, or one. */
  readonly perPerson: number | null;
  readonly perPersonEnforced: boolean;
  /** Columns that are counted by; none by default. */
  readonly by?: readonly string[];
  /** What it costs for one row, charge by charge, at the adjacencies of the budget. */
  readonly price: (budget: Budget | null) => readonly Charge[];
  /** Of all rows of a person; by default the charges of one row times the rows. */
  readonly forPerson?: (perPerson: number, budget: Budget | null) => Cost;
}

export interface Quote {
  readonly spending: Spending;
  readonly budget: Budget | null;
  readonly before: Cost;
  readonly after: Cost;
  readonly fits: boolean;
}

export interface Reservation extends Quote {
  readonly sequence: number;
  readonly who: string;
  /** The ledger's head with this entry. */
  readonly head: string;
}

export interface Ledger {
  readonly address: string;
  readonly accountant: Accountant;
  readonly rows: () => Promise<readonly Row[]>;
  readonly entries: () => Promise<readonly Entry[]>;
  readonly datasets: () => Promise<ReadonlyMap<string, Dataset>>;
  readonly quote: (wish: Wish) => Promise<Quote>;
  /** Append the spending or refuse; durable on return. */
  readonly reserve: (wish: Wish) => Promise<Reservation>;
  /** `void` gives the spending back: only where no noisy byte has left. Returns the ledger's head. */
  readonly settle: (sequence: number, kind: 'complete' | 'void' | 'abort', reason: string) => Promise<string>;
  readonly setBudget: (budget: Budget) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function openLedger(address: string, { create }: { create: boolean }): Promise<Ledger> {
  return ledgerOn(await openStore(address, create), basicComposition);
}

/** The ledger at this address; null where there is none. */
export async function openExisting(address: string): Promise<Ledger | null> {
  try {
    return await openLedger(address, { create: false });
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
    { address, read: async () => [], append: refuse, close: async () => undefined },
    basicComposition,
  );
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
  const append = async (content: (entries: readonly Entry[]) => Content) =>
    store.append((rows) => nextRow(rows.at(-1), content(trusted(rows)), who(), new Date()));
  const quote = (wish: Wish, entries: readonly Entry[]) => quoteOf(wish, datasetsOf(entries), accountant);

  return {
    address: store.address,
    accountant,
    rows: store.read,
    entries: async () => trusted(await store.read()),
    datasets: async () => datasetsOf(trusted(await store.read())),
    quote: async (wish) => quote(wish, trusted(await store.read())),
    reserve: async (wish) => {
      // Prices take time: they are worked out (and remembered by the wish) before the ledger is held.
      refuseBeyond(quote(wish, trusted(await store.read())));
      let quoted: Quote | undefined;
      const row = await append((entries) => {
        quoted = quote(wish, entries);
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
    setBudget: async (budget) =>
      (
        await append((entries) => {
          checkBudget(budget, datasetsOf(entries).get(budget.dataset), accountant);
          return { kind: 'budget', ...budget };
        })
      ).hash,
    close: store.close,
  };
}

function quoteOf(wish: Wish, datasets: ReadonlyMap<string, Dataset>, accountant: Accountant): Quote {
  const name = datasetName(wish, datasets);
  const dataset: Dataset = datasets.get(name) ?? { name, budget: null, releases: [] };
  const { budget } = dataset;
  checkPart(wish.part, dataset);
  if (budget && wish.perPerson !== null && wish.perPerson !== budget.perPerson)
    throw new RangeError(
      `--per-person: the budget of ${name} is for ${budget.perPerson} rows per person, got ${wish.perPerson}; leave the option out`,
    );
  const perPerson = budget?.perPerson ?? wish.perPerson ?? 1;
  const charges = wish.price(budget);
  const cost = wish.forPerson ? wish.forPerson(perPerson, budget) : sumForRows(charges, perPerson);
  const spending: Spending = {
    act: wish.act,
    dataset: name,
    part: wish.part,
    input: wish.input,
    output: wish.output,
    charges,
    by: wish.by ?? [],
    byProtected: (wish.by ?? []).filter((column) => budget?.adjacency[column] !== undefined),
    perPerson,
    perPersonEnforced: wish.perPersonEnforced,
    epsilon: toDecimal(cost.epsilon),
    delta: toDecimal(cost.delta),
  };
  const after = spent(dataset, accountant, [spending]);
  return {
    spending,
    budget,
    before: spent(dataset, accountant),
    after,
    fits: !budget || fits(after, budget),
  };
}

/** Columns of one row add up, and so do the rows of a person. */
function sumForRows(charges: readonly Charge[], perPerson: number): Cost {
  const row = charges.reduce(
    (sum, { epsilon, delta }) => ({
      epsilon: add(sum.epsilon, parseDecimal(epsilon)),
      delta: add(sum.delta, parseDecimal(delta)),
    }),
    { epsilon: zero, delta: zero },
  );
  return timesRows(row, perPerson);
}

/** Throw where the budget does not suffice. */
export function refuseBeyond({ spending, budget, before, after, fits: within }: Quote): void {
  if (within || !budget) return;
  const left = remaining(budget, before);
  const up = (epsilon: Rational, delta: Rational) =>
    `ε = ${toDecimalUp(epsilon, 7)}, δ = ${toDecimalUp(delta, 7)}`;
  const part = spending.part === null ? '' : `, some of it spent on ${spending.part} or on all parts`;
  throw new PrivacyError(
    `${spending.dataset}: this would cost ${up(parseDecimal(spending.epsilon), parseDecimal(spending.delta))} and bring it to ${up(after.epsilon, after.delta)}, beyond its budget of ε = ${budget.epsilon}, δ = ${budget.delta}; ε = ${toDecimalDown(left.epsilon, 7)}, δ = ${toDecimalDown(left.delta, 7)} is left${part}. Nothing was read, released or charged`,
  );
}

/** The dataset that is meant: in a ledger with budgets it must be named, and known. */
export function datasetName(
  { dataset, inputName }: Pick<Wish, 'dataset' | 'inputName'>,
  datasets: ReadonlyMap<string, Dataset>,
): string {
  const budgeted = [...datasets.values()].filter(({ budget }) => budget !== null).map(({ name }) => name);
  if (budgeted.length === 0) {
    const name = dataset ?? inputName;
    if (name === null || name.trim() === '')
      throw new RangeError(
        '--dataset: expected the name under which the ledger keeps this data, for the input has none',
      );
    return name;
  }
  if (dataset === null)
    throw new RangeError(
      `--dataset: this ledger has budgets; say which one this data falls under: ${budgeted.join(', ')}`,
    );
  if (!budgeted.includes(dataset))
    throw new RangeError(
      `--dataset: the ledger has no budget for ${JSON.stringify(dataset)}; ${suggest(dataset, budgeted, 'it has')}`,
    );
  return dataset;
}

function checkPart(part: string | null, { name, budget }: Dataset): void {
  if (part === null) return;
  const parts = budget?.partition?.parts;
  if (!parts)
    throw new RangeError(
      `--part: no partition of ${name} has been declared; declare it with discreet ledger init --partition`,
    );
  if (!parts.includes(part))
    throw new RangeError(
      `--part: ${name} has no part ${JSON.stringify(part)}; ${suggest(part, parts, 'it has')}`,
    );
}

/** A new budget must not make past charges wrong: neighbours stay what they are. */
function checkBudget(budget: Budget, known: Dataset | undefined, accountant: Accountant): void {
  // What was never spent can be set anew.
  if (!known?.releases.some(({ state }) => state !== 'void')) return;
  const old = known.budget;
  const refuse = (what: string) => {
    throw new RangeError(
      `ledger: ${budget.dataset} has a past that was charged otherwise: ${what}; keep that, or give the dataset another name`,
    );
  };
  for (const { entry } of known.releases) {
    const moved = entry.by.find(
      (column) => budget.adjacency[column] !== undefined && !entry.byProtected.includes(column),
    );
    if (moved !== undefined)
      refuse(`entry ${entry.sequence} counted by ${moved}, which was not protected then`);
  }
  if (old) {
    if (old.perPerson !== budget.perPerson) refuse(`--per-person was ${old.perPerson}`);
    if (JSON.stringify(old.partition) !== JSON.stringify(budget.partition))
      refuse(
        `--partition was ${old.partition ? `${old.partition.column}=${old.partition.parts.join(',')}` : 'not given'}`,
      );
    for (const [column, adjacency] of Object.entries(old.adjacency))
      if (
        !budget.adjacency[column] ||
        compare(parseDecimal(adjacency), parseDecimal(budget.adjacency[column])) !== 0
      )
        refuse(`--adjacency ${column} was ${adjacency}`);
  } else {
    for (const { entry } of known.releases) {
      if (entry.perPerson < budget.perPerson)
        refuse(`entry ${entry.sequence} was for ${entry.perPerson} rows per person`);
      for (const { on, adjacency } of entry.charges) {
        const now = budget.adjacency[on];
        if (entry.act === 'release' && (!now || compare(parseDecimal(adjacency), parseDecimal(now)) < 0))
          refuse(`entry ${entry.sequence} released ${on} at adjacency ${adjacency}`);
      }
    }
  }
  const cost = spent(known, accountant);
  if (!fits(cost, budget))
    throw new RangeError(
      `ledger: ${budget.dataset} has spent ε = ${toDecimal(cost.epsilon)}, δ = ${toDecimal(cost.delta)} already; a budget cannot be below that`,
    );
}

export interface Check {
  readonly entries: number;
  readonly head: string | null;
  readonly problems: readonly string[];
}

/** Is the chain whole, does it say nothing impossible, and does it contain the given head? */
export async function checkLedger(ledger: Ledger, head: string | null): Promise<Check> {
  const rows = await ledger.rows();
  const { entries, broken } = readChain(rows);
  const problems = broken === null ? faults(entries, ledger.accountant) : [broken];
  if (head !== null && !rows.some(({ hash }) => hash === head))
    problems.push(
      `no entry has the hash ${head}: the end of the ledger was cut off or rewritten, or the hash is of another ledger`,
    );
  return { entries: rows.length, head: rows.at(-1)?.hash ?? null, problems };
}

/** Which adjacency, in data units, a column is charged at. */
export function adjacencyOf(budget: Budget | null, column: string, own: Rational): Rational {
  if (!budget) return own;
  const declared = budget.adjacency[column];
  if (declared === undefined)
    throw new RangeError(
      `--column: the budget of ${budget.dataset} has no adjacency for ${JSON.stringify(column)}; ${suggest(column, Object.keys(budget.adjacency), 'it has')}. Add it with discreet ledger init --adjacency`,
    );
  return parseDecimal(declared);
}

export function remaining(budget: Budget, cost: Cost): Cost {
  return {
    epsilon: subtract(parseDecimal(budget.epsilon), cost.epsilon),
    delta: subtract(parseDecimal(budget.delta), cost.delta),
  };
}

function who(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
