// What somebody wants of noise: which columns, how much, and what is done afterwards.

import type { Rational } from '../exact/index.js';
import type { Mechanism } from '../mechanism/index.js';
import type { Family } from '../noise/index.js';
import type { Prior } from '../prior/index.js';

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

/** What the values of a column are rounded to. */
export interface Step {
  readonly value: Rational;
  /** Was it said for this very column, rather than for all of them, or not at all? */
  readonly own: boolean;
}

/** What part of a column's ε is for a prior of it, and what values it can have. */
export interface PriorShare {
  readonly part: Rational;
  /** The lowest and the highest value of a column. */
  readonly range: (column: string) => { readonly low: Rational; readonly high: Rational };
}

/** Noise that is made for the release. */
export interface NoiseRequest {
  /** For one person, over all columns for which noise is made and all rows. */
  readonly epsilon: Shares;
  readonly delta: Shares;
  /** How far a record may move in a column, in data units; null is the budget's. */
  readonly adjacency: (column: string) => Rational | null;
  readonly step: (column: string) => Step;
  /** What is known of a column; the noise is the best for it. */
  readonly prior: (column: string) => Prior | null;
  /** Or part of ε pays for a prior from the data. */
  readonly share: PriorShare | null;
  /** Noise of a family instead of the optimum. */
  readonly family: { readonly family: Family; readonly values: Readonly<Record<string, string>> } | null;
  readonly unbiased: boolean;
}
