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
  /** Empty cells that are no numbers. */
  readonly skipInvalid: boolean;
  /** Columns that may leave as they are although something speaks against it. */
  readonly passed: readonly string[];
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
  readonly guard: Guard;
  /** Told what the user should know and nothing fails for. */
  readonly note: (text: string) => void;
  readonly source: EntropySource;
  readonly signal: AbortSignal;
  readonly progress: (rows: number, fraction: number | null) => void;
}

/** Columns that do not leave as they are: by the budget never, by earlier releases only where it is said. */
export interface Guard {
  readonly budget: readonly string[];
  readonly earlier: readonly string[];
}

export interface Outcome {
  readonly rows: number;
  /** Columns that left as they are. */
  readonly unchanged: readonly string[];
  /** Released values of each protected column: its rows without NULL. */
  readonly values: readonly number[];
}

/** A copy that is ready: the input is open, its header read, and nothing else. */
export interface Copy {
  /** Columns that will leave as they are; null where the input has no header that tells. */
  readonly unchanged: readonly string[] | null;
  readonly run: () => Promise<Outcome>;
  readonly close: () => Promise<void>;
}
