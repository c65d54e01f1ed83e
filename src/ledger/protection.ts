// Which columns of a dataset are protected, and which cannot become so any more: what was done with a column before was charged for
// neighbours in whom it does not move.

import { quote, wrong } from '../error/index.js';
import { meantColumn, readsLike } from '../spec/index.js';
import type { Budget, Spending } from './entry.js';
import { countedReleases, protectedIn, type Release } from './spending.js';

/** Does the budget protect the values of this column, however it is spelt? */
export function protects(budget: Budget | null, column: string): boolean {
  return Object.keys(budget?.adjacency ?? {}).some((name) => readsLike(name, column));
}

/** Does the budget protect the values of any column? */
export function hasProtected(budget: Budget | null): boolean {
  return Object.keys(budget?.adjacency ?? {}).length > 0;
}

/** What is known of a dataset's columns: its budget, and those that releases have protected so far. */
export interface Protection {
  readonly budget: Budget | null;
  readonly earlier: readonly string[];
}

/** By whom a column is protected, however it is spelt; null where nobody does. */
export function protectedBy(known: Protection, column: string): 'budget' | 'earlier' | null {
  if (protects(known.budget, column)) return 'budget';
  return known.earlier.some((name) => readsLike(name, column)) ? 'earlier' : null;
}

/** Is any column of the dataset protected? */
export function protectsAny(known: Protection): boolean {
  return hasProtected(known.budget) || known.earlier.length > 0;
}

/**
 * Why a column cannot be protected after this release, in words that follow its number; null where it can. `all` are those of its
 * dataset; `input` is what it is to be protected in, null where that may be anything.
 */
export function spoils(
  { entry, under }: Release,
  column: string,
  all: readonly Release[],
  input: string | null,
): string | null {
  const same = (name: string) => readsLike(name, column);
  const known = {
    budget: under,
    get earlier() {
      const before = countedReleases({ releases: all }).filter(
        (other) => other.entry.sequence < entry.sequence,
      );
      return before.flatMap((other) => protectedIn(other.entry));
    },
  };
  // Whether rows were refused, or told apart, followed from what it says.
  if (entry.person !== undefined && same(entry.person)) return `told persons apart by ${column}`;
  if (entry.keyed?.id != null && same(entry.keyed.id)) return `told rows apart by ${column}`;
  if (entry.act === 'count') {
    if (entry.counted != null && readsLike(entry.counted, column))
      return `counted rows by what ${column} says`;
    // Older entries do not say which column told how many rows there are.
    if (entry.counted === undefined && protectedBy(known, column) === null)
      return `may have counted rows by what ${column} says, for it does not tell`;
    // What a query computed may depend on any column; it was charged for that only where one was protected.
    if (entry.query && !protectsAny(known))
      return `counted what a query computed, while ${column} was not protected`;
  }
  // A prior from thresholds was charged for moves alone, not for rows that come and go.
  if (entry.apart !== undefined && entry.query && protectedBy(known, column) === null)
    return `counted rows that a query chose, while ${column} was not protected`;
  // Parts were charged as sharing no person, and a value that moves leaves one for another.
  if (entry.part !== null && under?.partition && same(under.partition.column))
    return `was for a part of ${column}, as though nobody's could change`;
  if (entry.act === 'release' && !entry.charges.some(({ on }) => same(on))) {
    if (entry.passed.some(same)) return `let ${column} leave as it is`;
    const hasLeft = input === null || input === entry.input;
    // A query may have let it leave under another name.
    const isOut = !entry.query && (entry.dropped ?? []).includes(column);
    if (hasLeft && !protects(under, column) && !isOut)
      return `did not protect ${column}, which may have left with it`;
  }
  if (entry.by.some(same) && !entry.byProtected.some(same))
    return `counted by ${column}, which was not protected then`;
  return null;
}

/** Parts were declared to share no person: the column that tells them is public, and stays so. */
export function checkNoPart(spending: Spending, budget: Budget | null): void {
  const told = budget?.partition?.column;
  if (told !== undefined && protectedIn(spending).some((column) => readsLike(column, told)))
    throw wrong(
      `${spending.dataset}: ${quote(told)} tells the parts of the budget, so that it cannot be protected: a changed value would change the part; use another column, or a dataset with a budget without parts. Nothing was read, released or charged`,
    );
}

/** What is protected for the first time must not have been looked at before in a way that was charged otherwise. */
export function checkFirstProtected(
  spending: Spending,
  known: Protection,
  releases: readonly Release[],
  /** Those of them that are looked at. */
  among: readonly Release[] = releases,
): void {
  for (const column of protectedIn(spending)) {
    if (protectedBy(known, column) !== null) continue;
    for (const release of among) {
      const why = spoils(release, column, releases, spending.input);
      if (why === null) continue;
      const names = [...Object.keys(known.budget?.adjacency ?? {}), ...known.earlier];
      // A name that was mistyped is none that could have left.
      const meant = meantColumn(column, names) || '.';
      throw wrong(
        `${spending.dataset}: ${quote(column)} cannot be protected any more: entry ${release.entry.sequence} of the ledger ${why}${meant} Nothing was read, released or charged`,
      );
    }
  }
}
