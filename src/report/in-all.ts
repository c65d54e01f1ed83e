// What a dataset has spent before counts too: the figure of one publication is not that of all that was published of a person.

import { guessUpper, type WrittenCost, written } from '../account/index.js';
import { parseDecimal, toDecimalUp } from '../exact/index.js';
import { countedReleases, type Quote } from '../ledger/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import { percentUp } from './guess.js';
import { priorsOf } from './priors.js';

type Columns = readonly Pick<ProtectedColumn, 'mechanism' | 'gain'>[];
type Charged = Pick<Quote, 'spending' | 'account' | 'after'>;

/** All that a dataset has spent, this publication included. */
export interface InAll extends WrittenCost {
  readonly dataset: string;
  /** How often the best guess is right, at most, by all that was published of it. */
  readonly bestGuess: number;
}

/** Null where nothing was spent before but on the priors of these columns, which are in their figure. */
export function inAllOf(columns: Columns, { spending, account, after }: Charged): InAll | null {
  const { dataset, part } = spending;
  const priors = new Set(priorsOf(columns, spending, account).map(({ entry }) => entry));
  const others = countedReleases(account.dataset).filter(
    ({ entry }) =>
      !priors.has(entry.sequence) && (part === null || entry.part === null || entry.part === part),
  );
  if (others.length === 0) return null;
  const bestGuess = guessUpper({ values: [], changes: [{ cost: after, times: 1 }], cost: after });
  return { dataset, ...written(after), bestGuess };
}

/** The same in a sentence; nothing where there is nothing to say. */
export function inAllWords(inAll: InAll | null): string[] {
  if (!inAll) return [];
  const { dataset, epsilon, delta, bestGuess } = inAll;
  const [e, d] = [epsilon, delta].map((text) => toDecimalUp(parseDecimal(text), 4));
  return [
    `this is of one publication alone: ${dataset} has spent ε = ${e}${d === '0' ? '' : `, δ = ${d}`} in all, and by all that was published of it the best guess is right at most ${percentUp(bestGuess)} of the time`,
  ];
}
