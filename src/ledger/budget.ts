// Budgets: what may be spent, what is left, and what a new one must keep of the old.

import { compare, parseDecimal, type Rational, subtract, toDecimal } from '../exact/index.js';
import { nameLike, readsLike, suggest } from '../spec/index.js';
import { type Accountant, type Cost, type Dataset, fits, spent } from './account.js';
import type { Budget } from './entry.js';

export function remaining(budget: Budget, cost: Cost): Cost {
  return {
    epsilon: subtract(parseDecimal(budget.epsilon), cost.epsilon),
    delta: subtract(parseDecimal(budget.delta), cost.delta),
  };
}

/** Does the budget protect the values of this column, however it is spelt? */
export function protects(budget: Budget | null, column: string): boolean {
  return Object.keys(budget?.adjacency ?? {}).some((name) => readsLike(name, column));
}

function hasProtected(budget: Budget | null): boolean {
  return Object.keys(budget?.adjacency ?? {}).length > 0;
}

/** The adjacency that a budget declares for a column, in data units; undefined where it has none. */
export function declaredAdjacency(budget: Budget | null, column: string): string | undefined {
  const name = nameLike(column, Object.keys(budget?.adjacency ?? {}));
  return name === undefined ? undefined : budget?.adjacency[name];
}

/** Which adjacency, in data units, a column is charged at. */
export function adjacencyOf(budget: Budget | null, column: string, own: Rational): Rational {
  if (!budget) return own;
  const declared = declaredAdjacency(budget, column);
  if (declared === undefined) throw noAdjacency(budget, column);
  return parseDecimal(declared);
}

export function noAdjacency(budget: Budget, column: string): RangeError {
  return new RangeError(
    `--column: the budget of ${budget.dataset} has no adjacency for ${JSON.stringify(column)}; ${suggest(column, Object.keys(budget.adjacency), 'it has')}. Add it with discreet ledger init --adjacency, which is possible while nothing was released without it`,
  );
}

/** A new budget must not make past charges wrong: neighbours stay what they are. */
export function checkBudget(budget: Budget, known: Dataset | undefined, accountant: Accountant): void {
  const counted = known?.releases.filter(({ state }) => state !== 'void') ?? [];
  // What was never spent can be set anew.
  if (!known || counted.length === 0) return;
  const refuse = (what: string) => {
    throw new RangeError(
      `ledger: ${budget.dataset} has a past that was charged otherwise: ${what}; a budget keeps what its past rests on, and is stated whole: repeat --adjacency, --per-person and --partition`,
    );
  };
  for (const { entry, under } of counted) {
    // What a query computed may depend on any column; it was charged for that only where the budget protected one.
    const any = Object.keys(budget.adjacency)[0];
    if (entry.act === 'count' && entry.query && any !== undefined && !hasProtected(under))
      refuse(`entry ${entry.sequence} counted what a query computed, while ${any} was not protected`);
    const moved = entry.by.find((column) => protects(budget, column) && !entry.byProtected.includes(column));
    if (moved !== undefined)
      refuse(`entry ${entry.sequence} counted by ${moved}, which was not protected then`);
    if ((entry.perPerson ?? 1) < (budget.perPerson ?? 1))
      refuse(
        entry.perPerson === null
          ? `entry ${entry.sequence} was for one row; rows per person were not stated`
          : `entry ${entry.sequence} was for ${entry.perPerson} rows per person`,
      );
  }
  for (const { entry, under } of counted.filter((release) => release.entry.act === 'release')) {
    // A column that was protected by neither the entry nor its budget left as it is, if the data had it.
    const bare = Object.keys(budget.adjacency).find(
      (column) => !entry.charges.some(({ on }) => readsLike(on, column)) && !protects(under, column),
    );
    if (bare !== undefined)
      refuse(`entry ${entry.sequence} did not protect ${bare}, which may have left with it`);
    for (const { on, adjacency } of entry.charges) {
      const now = declaredAdjacency(budget, on);
      if (now === undefined || compare(parseDecimal(adjacency), parseDecimal(now)) < 0)
        refuse(`entry ${entry.sequence} released ${on} at adjacency ${adjacency}`);
    }
  }
  const old = known.budget;
  if (old && JSON.stringify(old.partition) !== JSON.stringify(budget.partition))
    refuse(
      `--partition was ${old.partition ? `${old.partition.column}=${old.partition.parts.join(',')}` : 'not given'}`,
    );
  const cost = spent(known, accountant);
  if (!fits(cost, budget))
    throw new RangeError(
      `ledger: ${budget.dataset} has spent ε = ${toDecimal(cost.epsilon)}, δ = ${toDecimal(cost.delta)} already; a budget cannot be below that`,
    );
}
