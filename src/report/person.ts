// What can be told of one person by all that is published of her: the figure that a report begins with, and its words.

import { guessUpper, readCost, type Values } from '../account/index.js';
import { parseDecimal } from '../exact/index.js';
import type { Spending } from '../ledger/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import { bestGuess, percentUp } from './guess.js';
import { stepsOf } from './learnable.js';
import { costWith, type Past, priorsOf } from './priors.js';

/** What is published. */
export interface Shown {
  readonly columns: readonly Pick<ProtectedColumn, 'mechanism' | 'gain'>[];
  /** Of counts: how many of them a person changes by one, at most; absent where values are published. */
  readonly changes?: number;
}

type Spent = Pick<Spending, 'act' | 'charges' | 'perPerson' | 'epsilon' | 'delta'> &
  Partial<Pick<Spending, 'dataset'>>;

export interface PersonRisk {
  /** How often the best guess is right, at most, by all that is published of a person. */
  readonly bestGuess: number;
  /** Is that more than one value, or one change of a count, by itself? */
  readonly several: boolean;
  /** What is guessed, by whoever sees what. */
  readonly about: string;
}

/**
 * By all rows, columns and counts of a person, and the priors that noise was made by; `planned` is of noise that is still to be designed,
 * of which the cost alone is known.
 */
export function personRisk(
  published: Shown,
  spending: Spent,
  past: Past | null = null,
  planned = false,
): PersonRisk {
  const { columns, changes } = published;
  const { charges, perPerson } = spending;
  const rows = perPerson ?? 1;
  const priors = priorsOf(columns, spending, past);
  const cost = costWith(spending, priors);
  const about = aboutWords(spending, published, planned || priors.length > 0);
  if (planned || columns.length === 0)
    return {
      bestGuess: guessUpper({ values: [], changes: [{ cost, times: 1 }], cost }),
      several: true,
      about,
    };
  if (changes !== undefined) {
    const counts = { cost: readCost(charges[0]!), times: changes };
    const guess = guessUpper({ values: [], changes: [counts], cost });
    return {
      bestGuess: changes === 1 ? bestGuess(columns[0]!, charges[0]!) : guess,
      several: changes > 1,
      about,
    };
  }
  if (columns.length === 1 && rows === 1 && priors.length === 0)
    return { bestGuess: bestGuess(columns[0]!, charges[0]!), several: false, about };
  const values = columns.map(({ mechanism: { pmf } }, i): Values => {
    return { pmf, adjacency: stepsOf(parseDecimal(charges[i]!.adjacency), pmf), times: rows };
  });
  return {
    bestGuess: guessUpper({ values, changes: priors.map(({ changes: own }) => own), cost }),
    several: true,
    about,
  };
}

/** What the guess is about, and by what. */
function aboutWords({ act, perPerson, charges }: Spent, { changes = 0 }: Shown, withPrior: boolean): string {
  const person =
    perPerson === null
      ? 'one row'
      : `a person with ${perPerson === 1 ? 'one row' : `up to ${perPerson} rows`}`;
  const versions = `between two versions of ${person}`;
  if (act === 'count')
    return `${changes > (perPerson ?? 1) ? versions : `whether ${person} was counted`}, by all counts together`;
  if (act === 'prior') return `${versions}, by the prior`;
  if (act === 'choose') return `${versions}, by the choice`;
  const prior = withPrior ? ' and the prior’s file' : '';
  const one = charges.length === 1;
  return `${versions}, by ${one ? 'one column' : `${charges.length} columns`}${prior}${one && prior === '' ? '' : ' together'}`;
}

/** The same in a sentence. */
export function personWords({ bestGuess: share, about }: PersonRisk): string {
  return `${about}, the best guess is right at most ${percentUp(share)} of the time`;
}
