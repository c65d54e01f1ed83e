// What somebody wants released: all that is said, and nothing that follows from it.

import type { Rational } from '../exact/index.js';
import type { Mechanism } from '../mechanism/index.js';
import type { Family } from '../noise/index.js';
import type { Prior } from '../prior/index.js';
import type { Place } from './places/index.js';

export interface Request {
  readonly input: Place;
  readonly output: Place;
  /** In the ledger; null is the input's own name where the ledger has no budgets. */
  readonly dataset: string | null;
  /** The part of the dataset that this is. */
  readonly part: string | null;
  /** Rows that one person may have, as asserted; null is the budget's, or not stated. */
  readonly perPerson: number | null;
  /** The column that tells persons apart, whose rows are counted. */
  readonly person: string | null;
  readonly delimiter: string | null;
  readonly force: boolean;
  /** Other files that are read or written, which none of this may overwrite. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** What is done to noisy values, free of privacy cost. */
export interface Afterwards {
  readonly clamp: { readonly low: Rational; readonly high: Rational } | null;
  readonly roundTo: Rational | null;
}

export interface ColumnRequest extends Afterwards {
  readonly name: string;
  /** Null where noise is to be made. */
  readonly mechanism: Mechanism | null;
}

/** An amount for all columns together, and shares of it by column. */
export interface Shares {
  readonly all: Rational | null;
  readonly own: ReadonlyMap<string, Rational>;
}

/** Noise that is made for the release. */
export interface NoiseRequest {
  /** For one person, over all columns for which noise is made and all rows. */
  readonly epsilon: Shares;
  readonly delta: Shares;
  /** How far a record may move, in data units; null is the budget's. */
  readonly adjacency: Rational | null;
  readonly step: Rational;
  /** What is publicly known of the data; the noise is the best for it. */
  readonly prior: Prior | null;
  /** Noise of a family instead of the optimum. */
  readonly family: { readonly family: Family; readonly values: Readonly<Record<string, string>> } | null;
  readonly unbiased: boolean;
}

export interface ReleaseRequest extends Request {
  readonly columns: readonly ColumnRequest[];
  /** For the columns without a mechanism. */
  readonly noise: NoiseRequest | null;
  /** Columns that may leave as they are although something speaks against it. */
  readonly pass: readonly string[];
  readonly skipInvalid: boolean;
}

/** The values that a column may have, in the order in which they are written. */
export interface Domain {
  readonly column: string;
  readonly values: readonly string[];
  /** Whole numbers, and written as such. */
  readonly isRange: boolean;
}

export interface CountRequest extends Request, Afterwards {
  readonly by: readonly Domain[];
  /** For one person. */
  readonly epsilon: Rational;
  readonly delta: Rational;
}
