// What is done to rows, wherever they come from: which columns get noise, what must hold of all rows, and how each piece is handed on.

import type { Guard, Outcome, ProtectedColumn, Reading } from '../terms/index.js';
import type { Person } from './person.js';

/** Rows of one part of a dataset: all have this value. */
export interface Part {
  readonly column: string;
  readonly value: string;
}

/** What a release does to rows. */
export interface RowsJob {
  readonly columns: readonly ProtectedColumn[];
  /** Empty cells that are no numbers. */
  readonly skipInvalid: boolean;
  /** How cells of these columns are read; null knows plain numbers alone. */
  readonly reading: Reading | null;
  /** Columns that may leave as they are although something speaks against it. */
  readonly passed: readonly string[];
  /** All rows must be of this part. */
  readonly part: Part | null;
  /** Columns that do not leave at all; none where it is absent. */
  readonly dropped?: readonly string[];
  readonly person: Person | null;
  readonly guard: Guard;
  /** The columns that may leave at all, where a driver has listed them before. */
  readonly known?: readonly string[] | null;
}

/** Noise for a value of the column at this place of the job; `row` tells which row it is, where noise is a function of that. */
export type Draw = (column: number, index: bigint, row: () => string) => bigint;

/** A copy of text, piece by piece: what came in, with noise in the protected cells and every other byte as it was. */
export interface Rewriter {
  /** What leaves for what came; the end of it may wait for more. */
  readonly push: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>;
  /** The rest, once everything has come; refuses what can only be told of all rows together. */
  readonly finish: () => Uint8Array<ArrayBuffer>;
  readonly outcome: () => Outcome;
}
