// How releases add up for one person: an accountant charges each of them, and says what all cost together and what is left.

import type { Mechanism } from '../mechanism/index.js';
import type { Cost } from './cost.js';

/** One mechanism of a release, at the adjacency in data units at which it was charged. */
export interface Part {
  /** Null for a choice, and where the ledger does not keep it. */
  readonly mechanism: Mechanism | null;
  readonly adjacency: string;
  /** For one row, or for one change of a count. */
  readonly cost: Cost;
}

/** What is about to be released: each row of a person has noise of its own; the noise of a count is there once, however many rows change it. */
export interface Planned {
  readonly parts: readonly Part[];
  readonly of: 'rows' | 'counts';
  /** Rows of a person, or changes by one that a person can make. */
  readonly times: number;
}

/** A release that was charged: what it costs a person by itself. */
export interface Charged {
  readonly parts: readonly Part[];
  readonly cost: Cost;
}

/** An upper bound on what several releases cost one person together, and whether a further one fits. */
export interface Accountant {
  /** As budgets name it. */
  readonly filter: string;
  /** For people. */
  readonly name: string;
  /** Does it look at mechanisms? Then they are read before it is asked. */
  readonly needsMechanisms: boolean;
  /** What a release costs a person by itself. */
  readonly charge: (planned: Planned) => Cost;
  /** What releases cost a person together. */
  readonly total: (releases: readonly Charged[]) => Cost;
  /** Do they stay within the budget? */
  readonly fits: (releases: readonly Charged[], budget: Cost) => boolean;
  /** What a further release may cost. */
  readonly left: (releases: readonly Charged[], budget: Cost) => Cost;
  /** A cost for people, rounded up. */
  readonly words: (cost: Cost) => string;
}
