// What somebody wants released: all that is said, and nothing that follows from it.

import type { Rational } from '../exact/index.js';
import type { Afterwards, ColumnRequest, NoiseRequest, Reading } from '../terms/index.js';
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
  /** A table that is overwritten may lose what it has beside its rows. */
  readonly recreate: boolean;
  /** Other files that are read or written, which none of this may overwrite. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export interface ReleaseRequest extends Request {
  readonly columns: readonly ColumnRequest[];
  /** For the columns without a mechanism. */
  readonly noise: NoiseRequest | null;
  /** Columns that may leave as they are although something speaks against it. */
  readonly pass: readonly string[];
  /** Columns that do not leave at all. */
  readonly drop: readonly string[];
  readonly skipInvalid: boolean;
  /** How cells of these columns are read; null knows plain numbers alone. */
  readonly reading: Reading | null;
}

/** The values that a column may have, in the order in which they are written. */
export interface Domain {
  readonly column: string;
  readonly values: readonly string[];
  /** Whole numbers, and written as such. */
  readonly isRange: boolean;
  /** Which of the values stands for all that are none of them, empty ones too; null counts those nowhere. */
  readonly other: string | null;
}

/** A distribution from the data, for what it costs. */
export interface PriorRequest extends Request {
  readonly column: string;
  /** What values there can be, from public knowledge: others count as the nearest. */
  readonly range: { readonly low: Rational; readonly high: Rational };
  readonly step: Rational;
  /** For one person. */
  readonly epsilon: Rational;
  readonly delta: Rational;
  /** Pass over cells that are no numbers. */
  readonly skipInvalid: boolean;
  readonly reading: Reading | null;
  /** Count values below thresholds that no record crosses two of, rather than every value. */
  readonly thresholds: boolean;
  /** How far a record may move, in data units; null is the budget's. Thresholds are so far apart. */
  readonly adjacency: Rational | null;
}

export interface CountRequest extends Request, Afterwards {
  readonly by: readonly Domain[];
  /** The column that says how many rows each row stands for, where somebody has counted them; null where each is one. */
  readonly counted: string | null;
  /** Cells without spaces around them, and texts that count as another; null takes them as they are. */
  readonly reading: Reading | null;
  /** For one person. */
  readonly epsilon: Rational;
  readonly delta: Rational;
}
