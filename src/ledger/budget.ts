// Budgets: what may be spent, what is left, and what a new one must keep of the old.

import { compare, parseDecimal, type Rational, subtract, toDecimal } from '../exact/index.js';
import { suggest } from '../spec/index.js';
import { type Accountant, type Cost, type Dataset, fits, spent } from './account.js';
import type { Budget } from './entry.js';

export function remaining(budget: Budget, cost: Cost): Cost {
  return {
    epsilon: subtract(parseDecimal(budget.epsilon), cost.epsilon),
    delta: subtract(parseDecimal(budget.delta), cost.delta),
  };
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

/** A new budget must not make past charges wrong: neighbours stay what they are. */
export function checkBudget(budget: Budget, known: Dataset | undefined, accountant: Accountant): void {
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
