// The ledger of this browser: what has been spent, and by what rules. Where the browser keeps nothing, one in memory, and that is said.

import { readCost } from 'discreet-dp/account';
import { isOurs } from 'discreet-dp/error';
import {
  type Dataset,
  exportLines,
  importLedger,
  type Ledger,
  ledgerOn,
  left,
  memoryStore,
  openLedger,
  sha256,
  spent,
} from 'discreet-dp/ledger';
import { leftFigures, spentFigures } from './figures.js';

const WHO = { who: 'a browser' };
const KEEPER = { ...WHO, hash: sha256, clock: () => new Date() };

/** Ledgers that no disk keeps, by their names, as long as the page is open. */
const memory = new Map<string, Ledger>();

export interface Kept {
  readonly ledger: Ledger;
  /** Does the browser keep it? */
  readonly kept: boolean;
  /** Why not. */
  readonly why: string | null;
}

export async function ledgerNamed(name: string): Promise<Kept> {
  const own = memory.get(name);
  if (own) return { ledger: own, kept: false, why: null };
  try {
    return { ledger: await openLedger(name, 'existing or new', WHO), kept: true, why: null };
  } catch (error) {
    if (!isOurs(error, 'system')) throw error;
    const ledger = ledgerOn(memoryStore(name), KEEPER);
    memory.set(name, ledger);
    return { ledger, kept: false, why: error.problem };
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
    left: rest && leftFigures(rest),
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

export type LedgerState = Awaited<ReturnType<typeof ledgerState>>;

/** What the page shows of a ledger. */
export async function ledgerState(name: string) {
  return withLedger(name, async ({ ledger, kept, why }) => {
    const rows = await ledger.rows();
    const datasets = [...(await ledger.datasets()).values()].map(datasetState);
    return { name, kept, why, entries: rows.length, head: rows.at(-1)?.hash ?? null, datasets };
  });
}

/** As `discreet ledger export` writes it. */
export async function exported(ledger: Ledger): Promise<string> {
  return `${exportLines(await ledger.rows(), await ledger.mechanisms()).join('\n')}\n`;
}

/** From such a file; what is wrong with it, and nothing is taken over where anything is. */
export async function imported(name: string, text: string): Promise<readonly string[]> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const { problems } = await importLedger(lines, name, null);
  return problems;
}
