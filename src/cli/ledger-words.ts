// Budgets and datasets of a ledger in words.

import { invalid, quote, unquoted } from '../error/index.js';
import { type Budget, type Dataset, unitWords } from '../ledger/index.js';
import { nameLike } from '../spec/index.js';

/** What neighbours are, by a budget. */
export function termsOf({ adjacency, perPerson, partition }: Budget): string[] {
  const rows = perPerson === null ? 'one row' : perPerson === 1 ? 'one record' : null;
  const whose = rows ?? `one person with up to ${perPerson} records`;
  const columns = Object.entries(adjacency).map(([column, m]) => `${unquoted(column)} by up to ${m}`);
  const how =
    columns.length === 0
      ? 'counted and chosen by only: no column has an adjacency'
      : `${rows === null ? 'each of which' : 'which'} may differ in ${columns.join(', ')}`;
  return [
    `protects ${whose}, ${how}`,
    ...(perPerson === null ? [unitOf({ perPerson })] : []),
    ...(partition
      ? [
          `parts of ${partition.column}, declared to share no person: ${partition.parts.map(unquoted).join(', ')}`,
        ]
      : []),
  ];
}

/** What a budget is for. */
export function unitOf({ perPerson }: Pick<Budget, 'perPerson'>): string {
  return unitWords({ perPerson, perPersonEnforced: false });
}

export function only(datasets: ReadonlyMap<string, Dataset>, name: string | undefined): Dataset[] {
  if (name === undefined) return [...datasets.values()];
  const found = datasets.get(nameLike(name, [...datasets.keys()]) ?? name);
  if (!found)
    throw invalid(
      `dataset: the ledger has no ${quote(name)}; it has ${[...datasets.keys()].map(unquoted).join(', ') || 'none'}`,
    );
  return [found];
}
