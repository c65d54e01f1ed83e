// What has been spent, from the entries alone. How charges add up is the accountant's business.

import {
  type Accountant,
  accountantOf,
  basicComposition,
  type Charged,
  type Cost,
  readCost,
} from '../account/index.js';
import { quote } from '../error/index.js';
import { maximum, minimum } from '../exact/index.js';
import type { Mechanism } from '../mechanism/index.js';
import type { Budget, Entry, Spending } from './entry.js';

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
  /** A mechanism that was used, by its hash; null where the ledger does not keep it. */
  readonly mechanism: (hash: string) => Mechanism | null;
}

/** What each dataset has spent and may spend, from the entries alone. */
export function datasetsOf(
  entries: readonly Entry[],
  mechanism: Dataset['mechanism'] = () => null,
): ReadonlyMap<string, Dataset> {
  const { datasets, add } = growing(mechanism);
  entries.forEach(add);
  return datasets;
}

/** Datasets as they become, entry by entry: what `datasets` holds changes with each that is added. */
export function growing(mechanism: Dataset['mechanism'] = () => null) {
  const datasets = new Map<string, Dataset & { budget: Budget | null; releases: Release[] }>();
  const at = new Map<number, { list: Release[]; index: number }>();
  const dataset = (name: string) => {
    const known = datasets.get(name) ?? { name, budget: null, releases: [], mechanism };
    datasets.set(name, known);
    return known;
  };
  const add = (entry: Entry): void => {
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
  };
  return { datasets, add };
}

/** Releases that count: those that were not given back. */
export function countedReleases({ releases }: Pick<Dataset, 'releases'>): Release[] {
  return releases.filter(({ state }) => state !== 'void');
}

/** Columns that this spending protects: a release its own, a prior the one that it counts. */
export function protectedIn({ act, charges, by }: Spending): readonly string[] {
  if (act === 'prior') return by;
  return act === 'release' ? charges.map(({ on }) => on) : [];
}

/** Columns that releases of the dataset have protected so far. */
export function protectedSoFar(dataset: Pick<Dataset, 'releases'>): string[] {
  const columns = countedReleases(dataset).flatMap(({ entry }) => protectedIn(entry));
  return [...new Set(columns)];
}

/** Who adds the dataset's releases up; undefined where its budget names somebody that is not known here. */
export function accountantFor(budget: Budget | null): Accountant | undefined {
  return accountantOf(budget?.filter ?? basicComposition.filter);
}

/** Of a budget whose releases are added up in another way. */
export function unknownFilter(filter: string): string {
  return `its budget adds releases up by ${quote(filter)}, which this program does not know; use a newer one`;
}

/** Releases as an accountant sees them, once for each part: parts compose in parallel, and what is of no part is of all. */
function byPart(dataset: Dataset, extra: readonly Spending[]): Charged[][] {
  const counted: Spending[] = [...countedReleases(dataset).map(({ entry }) => entry), ...extra];
  const parts = new Set<string | null>([null, ...counted.map(({ part }) => part)]);
  const charged = counted.map((spending) => ({ part: spending.part, release: chargedOf(spending, dataset) }));
  return [...parts].map((own) =>
    charged.filter(({ part }) => part === null || part === own).map(({ release }) => release),
  );
}

function chargedOf(spending: Spending, { mechanism }: Dataset): Charged {
  return {
    cost: readCost(spending),
    parts: spending.charges.map((charge) => ({
      mechanism: charge.mechanism === null ? null : mechanism(charge.mechanism),
      adjacency: charge.adjacency,
      cost: readCost(charge),
    })),
  };
}

/** Spent so far by a person of the part that has spent the most. */
export function spent(dataset: Dataset, extra: readonly Spending[] = []): Cost {
  const accountant = accountantFor(dataset.budget) ?? basicComposition;
  return byPart(dataset, extra)
    .map((releases) => accountant.total(releases))
    .reduce((a, b) => ({ epsilon: maximum(a.epsilon, b.epsilon), delta: maximum(a.delta, b.delta) }));
}

/** Does the budget suffice, in every part? */
export function fits(dataset: Dataset, budget: Budget, extra: readonly Spending[] = []): boolean {
  const accountant = accountantFor(budget) ?? basicComposition;
  return byPart(dataset, extra).every((releases) => accountant.fits(releases, readCost(budget)));
}

/** What is left of the budget for a person of the part that has the least left; null where there is none. */
export function left(dataset: Dataset, extra: readonly Spending[] = []): Cost | null {
  const { budget } = dataset;
  if (!budget) return null;
  const accountant = accountantFor(budget) ?? basicComposition;
  return byPart(dataset, extra)
    .map((releases) => accountant.left(releases, readCost(budget)))
    .reduce((a, b) => ({ epsilon: minimum(a.epsilon, b.epsilon), delta: minimum(a.delta, b.delta) }));
}
