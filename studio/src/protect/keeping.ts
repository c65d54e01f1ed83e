// The ledger of this browser: what has been spent, and by what rules. Where the browser keeps nothing, one in memory, and that is said.

import { readCost } from 'discreet-dp/account';
import { isOurs } from 'discreet-dp/error';
import {
  type Budget,
  countedReleases,
  type Dataset,
  exportLines,
  importInto,
  importLedger,
  type Ledger,
  ledgerOn,
  left,
  leftFigures,
  memoryStore,
  openLedger,
  type Store,
  sha256,
  spent,
} from 'discreet-dp/ledger';
import { nameLike } from 'discreet-dp/spec';
import { spentFigures } from './figures.js';

/** Who writes entries here. */
const NAME = 'a browser';
const WHO = { who: NAME };
const KEEPER = { ...WHO, hash: sha256, clock: () => new Date() };

/** Ledgers that no disk keeps, by their names, as long as the page is open; and those that one kept before. */
const memory = new Map<string, Store>();
const keptBefore = new Set<string>();

export interface Kept {
  readonly ledger: Ledger;
  /** Does the browser keep it? */
  readonly kept: boolean;
  /** Why not. */
  readonly why: string | null;
}

export async function ledgerNamed(name: string): Promise<Kept> {
  const own = memory.get(name);
  if (own) return { ledger: ledgerOn(own, KEEPER), kept: false, why: null };
  try {
    const ledger = await openLedger(name, 'existing or new', WHO);
    keptBefore.add(name);
    return { ledger, kept: true, why: null };
  } catch (error) {
    // What was kept is not forgotten for an empty one.
    if (!isOurs(error, 'system') || keptBefore.has(name)) throw error;
    const store = memoryStore(name);
    memory.set(name, store);
    return { ledger: ledgerOn(store, KEEPER), kept: false, why: error.problem };
  }
}

/** The same entries, to try something on. */
export async function trialOf(ledger: Ledger): Promise<Ledger> {
  return ledgerOn(memoryStore(ledger.address, await ledger.rows(), await ledger.mechanisms()), KEEPER);
}

/** Does something, and gives the place back. */
export async function withLedger<T>(name: string, work: (kept: Kept) => Promise<T>): Promise<T> {
  const kept = await ledgerNamed(name);
  try {
    return await work(kept);
  } finally {
    await kept.ledger.close();
  }
}

function datasetState(dataset: Dataset) {
  const rest = left(dataset);
  const { budget } = dataset;
  return {
    name: dataset.name,
    budget: budget && {
      epsilon: budget.epsilon,
      delta: budget.delta,
      adjacency: { ...budget.adjacency },
      perPerson: budget.perPerson,
    },
    spent: spentFigures(spent(dataset)),
    left: rest && leftFigures(rest, budget!),
    releases: dataset.releases.map(({ entry, state }) => ({
      entry: entry.sequence,
      time: entry.time,
      act: entry.act,
      columns: entry.charges.map(({ on }) => on),
      output: entry.output,
      epsilon: spentFigures(readCost(entry)).epsilon,
      state,
    })),
  };
}

/** Does its budget stand? One that this page has set can be another until something is released under it; that of others stands. */
export function isSettled(dataset: Dataset): boolean {
  const { budget } = dataset;
  if (!budget) return false;
  return countedReleases(dataset).length > 0 || (budget as Budget & { readonly who?: string }).who !== NAME;
}

export type LedgerState = Awaited<ReturnType<typeof ledgerState>>;

export interface LedgerAsked {
  readonly name: string;
  /** The dataset and the columns that somebody is about, as they spell them. */
  readonly dataset: string;
  readonly columns: readonly string[];
  /** All columns of the file. */
  readonly file: readonly string[];
}

/** What the page shows of a ledger; names are compared as people read them, as by the rules themselves. */
export async function ledgerState({ name, dataset, columns, file }: LedgerAsked) {
  return withLedger(name, async ({ ledger, kept, why }) => {
    const rows = await ledger.rows();
    const datasets = [...(await ledger.datasets()).values()];
    const found = nameLike(
      dataset,
      datasets.map((other) => other.name),
    );
    const own = datasets.find((other) => other.name === found);
    const isFixed = own !== undefined && isSettled(own);
    const declared = (column: string) => {
      const spelt = nameLike(column, Object.keys(own?.budget?.adjacency ?? {}));
      return spelt === undefined ? null : own!.budget!.adjacency[spelt]!;
    };
    return {
      name,
      kept,
      why,
      entries: rows.length,
      head: rows.at(-1)?.hash ?? null,
      datasets: datasets.map(datasetState),
      /** Others that protect a column of this name: of the same people, perhaps. Empty where the dataset that is meant is there. */
      alike: own
        ? []
        : datasets
            .filter(({ budget }) =>
              Object.keys(budget?.adjacency ?? {}).some((column) => nameLike(column, file) !== undefined),
            )
            .map((other) => other.name),
      /** Of the dataset that is meant, once something was released under its budget: then that is fixed. */
      fixed:
        own && isFixed
          ? {
              ...datasetState(own),
              perPerson: own.budget!.perPerson,
              adjacency: columns.map((column) => ({ column, adjacency: declared(column) })),
            }
          : null,
    };
  });
}

/** As `discreet ledger export` writes it. */
export async function exported(ledger: Ledger): Promise<string> {
  return `${exportLines(await ledger.rows(), await ledger.mechanisms()).join('\n')}\n`;
}

/** From such a file; what is wrong with it, and nothing is taken over where anything is. */
export async function imported(name: string, text: string): Promise<readonly string[]> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  await withLedger(name, async () => undefined);
  const own = memory.get(name);
  const { problems } = await (own ? importInto(own, lines, null, sha256) : importLedger(lines, name, null));
  return problems;
}
