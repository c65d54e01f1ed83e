// Basic composition, the accountant that needs to know nothing.

import { toDecimalUp } from '../exact/index.js';
import type { Accountant, Charged } from './accountant.js';
import { successive, timesRows } from './charge.js';
import { type Cost, minus, noCost, plus, within } from './cost.js';

/** Basic composition: ε and δ add up. It holds for any releases, chosen in any way. */
export const basicComposition: Accountant = {
  filter: 'basic',
  name: 'basic composition',
  needsMechanisms: false,
  charge: ({ parts, of, times }) => {
    const once = parts.reduce((sum, { cost }) => plus(sum, cost), noCost);
    return of === 'rows' ? timesRows(once, times) : successive(once, times);
  },
  total: sum,
  fits: (releases, budget) => within(sum(releases), budget),
  left: (releases, budget) => minus(budget, sum(releases)),
  words: ({ epsilon, delta }) => `ε = ${toDecimalUp(epsilon, 7)}, δ = ${toDecimalUp(delta, 7)}`,
};

function sum(releases: readonly Charged[]): Cost {
  return releases.reduce((total, { cost }) => plus(total, cost), noCost);
}
