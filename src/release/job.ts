// A release as it follows from the request, the budget and the mechanisms: what is copied, and what is done to which columns.

import type { Finish, Lattice, Mechanism } from '../mechanism/index.js';
import type { Gain, Prior } from '../prior/index.js';
import type { Guard } from './guard.js';
import type { Keyed } from './identities.js';
import type { Person } from './person.js';
import type { Place } from './places/index.js';

export interface ProtectedColumn {
  readonly name: string;
  readonly mechanism: Mechanism;
  readonly lattice: Lattice;
  readonly finish: Finish;
  /** What was known of the data when the noise was made. */
  readonly prior?: Prior | null;
  /** Where a prior was paid for first: what that was good for. */
  readonly gain?: Gain;
}

/** Rows of one part of a dataset: all have this value. */
export interface Part {
  readonly column: string;
  readonly value: string;
}

/** A mechanism as it was used, with what readers need to know of the columns it is for. */
export interface MechanismFile {
  readonly path: string;
  readonly text: string;
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
  readonly part: Part | null;
  readonly person: Person | null;
  readonly guard: Guard;
  /** The columns that may leave at all, where a driver has listed them before. */
  readonly known?: readonly string[] | null;
  /** Write protected columns alone: an engine keeps the others. Of Arrow to Arrow. */
  readonly only?: boolean;
  /** Noise as a function of rows; null for fresh draws. */
  readonly keyed: Keyed | null;
  /** Written when all rows are, before the output appears under its name. */
  readonly mechanismFiles: readonly MechanismFile[];
}

export interface Outcome {
  readonly rows: number;
  /** Columns that left as they are. */
  readonly unchanged: readonly string[];
  /** Released values of each protected column: its rows without NULL. */
  readonly values: readonly number[];
  /** For the ledger, instead of the number of rows. */
  readonly words?: string;
}

/** A copy that is ready: the input is open, its header read, and nothing else. */
export interface Copy {
  /** Columns that will leave as they are; null where the input has no header that tells. */
  readonly unchanged: readonly string[] | null;
  readonly run: () => Promise<Outcome>;
  readonly close: () => Promise<void>;
}
