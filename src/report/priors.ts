// Priors that were paid for with the same dataset: their files are published too, and noise that is made by one names it.

import { type Changes, type Cost, plus, readCost, type WrittenCost } from '../account/index.js';
import { type Account, howOften, type Spending } from '../ledger/index.js';
import { type Paid, paidOf } from '../prior/index.js';
import { readsLike } from '../spec/index.js';
import type { ProtectedColumn } from '../terms/index.js';

/** What the ledger knows of a dataset. */
export type Past = Pick<Account, 'dataset' | 'budget' | 'earlier'>;

/** A prior as whoever has its file sees it. */
export interface PriorSeen {
  readonly paid: Paid;
  /** Its entry in the ledger; null where that has none such. */
  readonly entry: number | null;
  /** Of all of it. */
  readonly cost: Cost;
  readonly changes: Changes;
}

type Columns = readonly Pick<ProtectedColumn, 'mechanism' | 'gain'>[];

/** The priors of these columns, each entry once; of another dataset they tell of others. */
export function priorsOf(
  columns: Columns,
  { dataset }: Partial<Pick<Spending, 'dataset'>>,
  past: Past | null,
): PriorSeen[] {
  const paid = columns
    .flatMap(({ mechanism, gain }) => [gain?.paid ?? null, paidBy(mechanism.origin)])
    .filter((own) => own !== null)
    .filter((own) => dataset === undefined || readsLike(own.dataset, dataset));
  const known = new Map(paid.map((own) => [own.hash, own]));
  return [...known.values()].map((own) => seenOf(own, past));
}

/** What a publication and its priors cost together. */
export function costWith(own: WrittenCost, priors: readonly PriorSeen[]): Cost {
  return priors.reduce((all, { cost }) => plus(all, cost), readCost(own));
}

/** By which prior a mechanism says that it was designed. */
function paidBy(origin: Readonly<Record<string, unknown>>): Paid | null {
  const { design } = origin as { readonly design?: { readonly prior?: { readonly paid?: unknown } | null } };
  return paidOf(design?.prior?.paid);
}

/** Its counts, of which the ledger knows how many a person changes; by what it has cost alone where the ledger has no such entry. */
function seenOf(paid: Paid, past: Past | null): PriorSeen {
  const entry = past?.dataset.releases
    .map((release) => release.entry)
    .find(
      ({ sequence, act, by, epsilon, delta }) =>
        sequence === paid.entry &&
        act === 'prior' &&
        by.includes(paid.column) &&
        epsilon === paid.epsilon &&
        delta === paid.delta,
    );
  const charge = entry?.charges[0];
  const cost = readCost(paid);
  if (!past || !entry || !charge) return { paid, entry: null, cost, changes: { cost, times: 1 } };
  const changes = { cost: readCost(charge), times: howOften(entry, past).times };
  return { paid, entry: entry.sequence, cost, changes };
}
