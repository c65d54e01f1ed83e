// What is to be released, from where to where: checked, designed and paid for elsewhere.

import type { Mechanism } from '../mechanism/index.js';
import type { EntropySource } from '../random/index.js';
import type { Finish, Lattice } from './lattice.js';
import type { Place } from './place.js';

export interface ProtectedColumn {
  readonly name: string;
  readonly mechanism: Mechanism;
  readonly lattice: Lattice;
  readonly finish: Finish;
}

export interface Job {
  readonly input: Place;
  readonly output: Place;
  readonly columns: readonly ProtectedColumn[];
  /** Round inputs to the lattice, halves up. */
  readonly snap: boolean;
  /** Empty cells that cannot be released. */
  readonly skipInvalid: boolean;
  /** Of delimited text; null is found in the header. */
  readonly delimiter: string | null;
  /** Overwrite the output. */
  readonly force: boolean;
  /** All rows must be of this part. */
  readonly part: { readonly column: string; readonly value: string } | null;
  /** No value of this column may have more rows than this. */
  readonly person: { readonly column: string; readonly rows: number } | null;
  /** Done when all rows are written, before the output appears under its name. */
  readonly beforePublish: () => void;
  /** Columns that the budget protects: none may pass as it is. */
  readonly guarded: readonly string[];
  readonly source: EntropySource;
  readonly signal: AbortSignal;
  readonly progress: (rows: number, fraction: number | null) => void;
}

export interface Outcome {
  readonly rows: number;
  /** Released values of each protected column: its rows without NULL. */
  readonly values: readonly number[];
}

/** A copy that is ready: the input is open, its header read, and nothing else. */
export interface Copy {
  /** Of the input; none where it has no header. */
  readonly columns: readonly string[];
  readonly run: () => Promise<Outcome>;
  readonly close: () => Promise<void>;
}
