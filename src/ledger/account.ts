// What has been spent, from the entries alone. How charges add up is the accountant's business.

import { add, compare, maximum, parseDecimal, type Rational, toDecimal, zero } from '../exact/index.js';
import type { Budget, Entry, Spending } from './entry.js';

export interface Cost {
  readonly epsilon: Rational;
  readonly delta: Rational;
}

/** An upper bound on what several releases cost one person together. */
export interface Accountant {
  readonly name: string;
  readonly total: (releases: readonly Spending[]) => Cost;
}

/** Basic composition: ε and δ add up. It holds for any releases, chosen in any way. */
export const basicComposition: Accountant = {
  name: 'basic composition',
  total: (releases) =>
    releases.reduce(
      (sum, release) => ({
        epsilon: add(sum.epsilon, parseDecimal(release.epsilon)),
        delta: add(sum.delta, parseDecimal(release.delta)),
      }),
      { epsilon: zero, delta: zero },
    ),
};

export type State = 'complete' | 'void' | 'abort' | 'open';

export interface Release {
  readonly entry: Entry & { readonly kind: 'release' };
  /** `open` is a release that is running or has crashed: it counts as spent. */
  readonly state: State;
  readonly reason: string;
  /** The budget when it was written. */
  readonly under: Budget | null;
}

export interface Dataset {
  readonly name: string;
  /** The latest. */
  readonly budget: Budget | null;
  readonly releases: readonly Release[];
}

export function datasetsOf(entries: readonly Entry[]): Map<string, Dataset> {
  const datasets = new Map<string, { name: string; budget: Budget | null; releases: Release[] }>();
  const at = new Map<number, { list: Release[]; index: number }>();
  const dataset = (name: string) => {
    const known = datasets.get(name) ?? { name, budget: null, releases: [] };
    datasets.set(name, known);
    return known;
  };
  for (const entry of entries) {
    if (entry.kind === 'budget') dataset(entry.dataset).budget = entry;
    else if (entry.kind === 'release') {
      const { releases: list, budget } = dataset(entry.dataset);
      at.set(entry.sequence, { list, index: list.length });
      list.push({ entry, state: 'open', reason: '', under: budget });
    } else {
      const place = at.get(entry.release);
      const open = place?.list[place.index];
      // The first settlement stands; `faults` reports a second one.
      if (place && open?.state === 'open')
        place.list[place.index] = { ...open, state: entry.kind, reason: entry.reason };
    }
  }
  return datasets;
}

/** Columns that releases of the dataset have protected so far. */
export function protectedSoFar({ releases }: Dataset): string[] {
  const columns = releases
    .filter(({ entry, state }) => entry.act === 'release' && state !== 'void')
    .flatMap(({ entry }) => entry.charges.map(({ on }) => on));
  return [...new Set(columns)];
}

/** Spent so far: parts of a partition compose in parallel, everything else adds up. */
export function spent(dataset: Dataset, accountant: Accountant, extra: readonly Spending[] = []): Cost {
  const counted: Spending[] = [
    ...dataset.releases.filter(({ state }) => state !== 'void').map(({ entry }) => entry),
    ...extra,
  ];
  const parts = new Set(counted.map(({ part }) => part));
  parts.add(null);
  return [...parts]
    .map((part) =>
      accountant.total(counted.filter((release) => release.part === null || release.part === part)),
    )
    .reduce((most, cost) => ({
      epsilon: maximum(most.epsilon, cost.epsilon),
      delta: maximum(most.delta, cost.delta),
    }));
}

export function fits(cost: Cost, budget: Budget): boolean {
  return (
    compare(cost.epsilon, parseDecimal(budget.epsilon)) <= 0 &&
    compare(cost.delta, parseDecimal(budget.delta)) <= 0
  );
}

/** Of a budget whose releases are added up in another way. */
export function unknownFilter(filter: string): string {
  return `its budget adds releases up by ${JSON.stringify(filter)}, which this program does not know; use a newer one`;
}

/** What the entries say that no ledger of ours would: overspent budgets, settlements of nothing. */
export function faults(entries: readonly Entry[], accountant: Accountant): string[] {
  const found: string[] = [];
  const open = new Set<number>();
  for (const entry of entries) {
    if (entry.kind === 'release') open.add(entry.sequence);
    else if (entry.kind !== 'budget' && !open.delete(entry.release))
      found.push(`entry ${entry.sequence}: settles entry ${entry.release}, which is no open release`);
  }
  for (const dataset of datasetsOf(entries).values()) {
    const { filter = 'basic' } = dataset.budget ?? {};
    if (filter !== 'basic') found.push(`${dataset.name}: ${unknownFilter(filter)}`);
    for (const { entry, under } of dataset.releases)
      if (entry.part !== null && !under?.partition?.parts.includes(entry.part))
        found.push(`entry ${entry.sequence}: ${JSON.stringify(entry.part)} was no part of ${dataset.name}`);
    const cost = spent(dataset, accountant);
    if (dataset.budget && !fits(cost, dataset.budget))
      found.push(
        `${dataset.name}: ε = ${toDecimal(cost.epsilon)}, δ = ${toDecimal(cost.delta)} is spent, beyond its budget`,
      );
  }
  return found;
}
