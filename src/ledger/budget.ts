// Budgets: what may be spent, and what a new one must keep of the old.

import { accountantOf, filters, written } from '../account/index.js';
import { DiscreetError, invalid, quote, wrong } from '../error/index.js';
import { compare, parseDecimal, type Rational, toDecimal } from '../exact/index.js';
import {
  type Decimal,
  nameLike,
  readDelta,
  readPositive,
  readPositiveEpsilon,
  readsAs,
  readsLike,
  suggest,
} from '../spec/index.js';
import type { Budget, Partition } from './entry.js';
import { spoils } from './protection.js';
import { countedReleases, type Dataset, fits, protectedSoFar, spent } from './spending.js';

/** The adjacency that a budget declares for a column, in data units; undefined where there is no budget. */
export function declaredAdjacency(budget: Budget | null, column: string): string | undefined {
  if (!budget) return undefined;
  const columns = Object.keys(budget.adjacency);
  const name = nameLike(column, columns);
  if (name === undefined)
    throw invalid(
      `columns: the budget of ${budget.dataset} has no adjacency for ${quote(column)}; ${suggest(column, columns, 'it has')}; where it holds numbers, add it with {setBudget} {adjacency}, which is possible while nothing was released without it`,
    );
  return budget.adjacency[name];
}

/** Which adjacency, in data units, a column is charged at. */
export function adjacencyOf(budget: Budget | null, column: string, own: Rational): Rational {
  const declared = declaredAdjacency(budget, column);
  return declared === undefined ? own : parseDecimal(declared);
}

/** A budget as it is asked for: figures are texts or numbers, and what is not said is 0, none, or not stated. */
export interface BudgetTerms {
  readonly dataset: string;
  readonly epsilon: Decimal;
  readonly delta?: Decimal | undefined;
  readonly adjacency?: Readonly<Record<string, Decimal>> | undefined;
  readonly perPerson?: number | null | undefined;
  readonly partition?: Partition | null | undefined;
  readonly filter?: string | undefined;
}

/** A budget as it can be: a name, ε above 0, each column and each part once, and no part by a protected column. */
export function budgetOf(terms: BudgetTerms): Budget {
  if (terms === null || typeof terms !== 'object')
    throw invalid(
      "budget: expected terms such as { dataset: 'visits', epsilon: 3, adjacency: { visits: 5 } }",
    );
  const { dataset, perPerson = null, partition = null, filter } = terms;
  if (typeof dataset !== 'string' || readsAs(dataset) === '')
    throw invalid('dataset: expected a name, got none');
  if (perPerson !== null && !(Number.isSafeInteger(perPerson) && perPerson >= 1))
    throw invalid(`perPerson: expected a whole number of rows from 1 on, got ${perPerson}`);
  if (filter !== undefined && !accountantOf(filter))
    throw invalid(`filter: ${quote(filter)} is not known; known are ${filters.join(', ')}`);
  const given = terms.adjacency ?? {};
  if (typeof given !== 'object')
    throw invalid('adjacency: expected columns and how far each may move, as in { visits: 5 }');
  const columns = Object.keys(given);
  // A column may have any name, __proto__ too.
  const adjacency: Record<string, string> = Object.create(null);
  for (const [i, column] of columns.entries()) {
    adjacency[column] = toDecimal(readPositive(given[column]!, 'adjacency'));
    if (columns.slice(0, i).some((other) => readsLike(other, column)))
      throw invalid(`adjacency: given twice for ${quote(column)}, as people read it`);
  }
  if (partition) checkPartition(partition, columns);
  return {
    dataset,
    epsilon: toDecimal(readPositiveEpsilon(terms.epsilon)),
    delta: toDecimal(readDelta(terms.delta ?? 0)),
    adjacency,
    perPerson,
    partition,
    ...(filter === undefined ? {} : { filter }),
  };
}

function checkPartition({ column, parts }: Partition, columns: readonly string[]): void {
  const isText = (text: unknown) => typeof text === 'string' && text !== '';
  if (
    !isText(column) ||
    !Array.isArray(parts) ||
    !parts.every(isText) ||
    new Set(parts.map(readsAs)).size !== parts.length
  )
    throw invalid(
      `partition: expected column=part,part,… with each part once, as people read it, got ${column}=${parts}`,
    );
  if (columns.some((name) => readsLike(name, column)))
    throw invalid(
      `partition: ${quote(column)} is protected, so a changed value would change the part; use a public column`,
    );
}

/** A new budget must not make past charges wrong: neighbours stay what they are. */
export function checkBudget(budget: Budget, known: Dataset | undefined): void {
  const counted = known ? countedReleases(known) : [];
  // What was never spent can be set anew.
  if (!known || counted.length === 0) return;
  const refuse = (what: string) => {
    throw wrong(
      `ledger: ${budget.dataset} has a past that was charged otherwise: ${what}; a budget keeps what its past rests on, and is stated whole: repeat {adjacency}, {perPerson} and {partition}`,
    );
  };
  const columns = [...Object.keys(budget.adjacency), ...protectedSoFar(known)];
  const staysProtected = (column: string) => columns.some((name) => readsLike(name, column));
  for (const release of counted) {
    const { entry } = release;
    for (const column of Object.keys(budget.adjacency)) {
      const why = spoils(release, column, counted, null);
      if (why !== null) refuse(`entry ${entry.sequence} ${why}`);
    }
    const near = entry.by.find((column) => {
      const now = nameLike(column, Object.keys(budget.adjacency));
      return now !== undefined && entry.apart !== undefined && isLess(entry.apart, budget.adjacency[now]!);
    });
    if (near !== undefined)
      refuse(`entry ${entry.sequence} counted ${near} below thresholds ${entry.apart} apart`);
    if ((entry.perPerson ?? 1) < (budget.perPerson ?? 1))
      refuse(
        entry.perPerson === null
          ? `entry ${entry.sequence} was for one row; rows per person were not stated`
          : `entry ${entry.sequence} was for ${entry.perPerson} rows per person`,
      );
    const bare = entry.byProtected.find((column) => !staysProtected(column));
    if (bare !== undefined)
      refuse(`entry ${entry.sequence} counted by ${bare}, which was protected and would not be any more`);
    if (entry.act !== 'release') continue;
    for (const { on, adjacency } of entry.charges) {
      const now = nameLike(on, Object.keys(budget.adjacency));
      if (now === undefined || isLess(adjacency, budget.adjacency[now]!))
        refuse(`entry ${entry.sequence} released ${on} at adjacency ${adjacency}`);
    }
  }
  const { partition } = budget;
  if (partition && protectedSoFar(known).some((name) => readsLike(name, partition.column)))
    refuse(`${partition.column}, which is to tell parts, was protected`);
  const old = known.budget?.partition ?? null;
  if (known.budget && !samePartition(old, budget.partition))
    refuse(`{partition} was ${old ? `${old.column}=${old.parts.join(',')}` : 'not given'}`);
  if (!fits({ ...known, budget }, budget)) {
    const cost = written(spent(known));
    throw new DiscreetError(
      'argument',
      null,
      `ledger: ${budget.dataset} has spent ε = ${cost.epsilon}, δ = ${cost.delta} already`,
      'a budget cannot be below that',
    );
  }
}

function samePartition(a: Partition | null, b: Partition | null): boolean {
  const said = (partition: Partition | null) => partition && [partition.column, ...partition.parts];
  return JSON.stringify(said(a)) === JSON.stringify(said(b));
}

function isLess(a: string, b: string): boolean {
  return compare(parseDecimal(a), parseDecimal(b)) < 0;
}
