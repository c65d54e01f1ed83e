// What a column is used for. Some uses look at values without noise: whether rows are counted, refused or told apart follows from what
// the cells say. No protected column has such a use, in any act; nor has one column two uses that were charged apart.

import { invalid, quote, wrong } from '../error/index.js';
import { readsLike } from '../spec/index.js';
import { type Protection, protectedBy, protectsAny } from './protection.js';

/** Uses that look at values without noise, and what to do instead. */
const LOOKS = {
  person: 'name the column that tells persons apart',
  part: 'rows are of a part by a public column',
  id: 'name the column that tells rows apart',
  counted: 'a sum of its values would be published with noise for a change of one',
  candidate: 'candidates are public, and one of them is told; keep their names in another column',
  score: 'compute scores from it whose sensitivity you know, and keep them in a file of their own',
} as const;

/** The columns of an act by their uses; what is not given is not used. */
export type Roles = {
  readonly [role in keyof typeof LOOKS]?: string | null;
} & {
  /** What this act protects: the columns of a release, the one of a prior. */
  readonly protects: readonly string[];
  /** Counted by: that is charged for where it is protected. */
  readonly by?: readonly string[];
  /** Are these columns what a query computes? */
  readonly query?: boolean;
};

/** The column of which a part is named, where one is. */
export function partColumn({ budget }: Protection, part: string | null): string | null {
  return part === null ? null : (budget?.partition?.column ?? null);
}

/** Refuses uses that would tell protected values, and columns with two uses that do not go together. */
export function checkRoles(roles: Roles, known: Protection): void {
  for (const role of Object.keys(LOOKS) as (keyof typeof LOOKS)[]) {
    const column = roles[role];
    if (column === undefined || column === null) continue;
    const here = roles.protects.some((name) => readsLike(name, column));
    const by = here ? 'here' : protectedBy(known, column);
    if (by === null) continue;
    const text = `${quote(column)} is protected itself${BY[by]}, and this would tell its values; ${LOOKS[role]}`;
    throw role === 'candidate' || role === 'score' ? wrong(text) : invalid(`${role}: ${text}`);
  }
  const { counted, score, part, person, by = [], query = false } = roles;
  if (isAmong(counted, [...by, part, person]))
    throw invalid(
      `counted: ${quote(counted)} says how many rows each stands for, so it cannot tell cells, parts or persons apart too; name another column`,
    );
  if (counted != null && query && protectsAny(known))
    throw invalid(
      'counted: a query may compute it, or what is counted by, from the columns of this dataset that are protected; count a file or a table',
    );
  if (isAmong(part, [score]))
    throw invalid(`part: ${quote(part)} is the column of the scores; name a public column`);
}

function isAmong(name: string | null | undefined, others: readonly (string | null | undefined)[]): boolean {
  return name != null && others.some((other) => other != null && readsLike(name, other));
}

const BY = {
  here: '',
  budget: ' by the budget',
  earlier: ' since an earlier release of this dataset',
} as const;
