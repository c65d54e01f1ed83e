// The accountants, by the names that budgets have for them.

import type { Accountant } from './accountant.js';
import { basicComposition } from './basic.js';

const ACCOUNTANTS: readonly Accountant[] = [basicComposition];

/** Their names. */
export const filters: readonly string[] = ACCOUNTANTS.map(({ filter }) => filter);

/** By the name that a budget has for it; undefined where this program does not know it. */
export function accountantOf(filter: string): Accountant | undefined {
  return ACCOUNTANTS.find((accountant) => accountant.filter === filter);
}
