// A release as it follows from the request, the budget and the mechanisms: what is copied, and what is done to which columns.

import type { Part, Person } from '../rows/index.js';
import type { Guard, MechanismFile, Outcome, ProtectedColumn, Reading } from '../terms/index.js';
import type { Keyed } from './identities.js';
import type { Place } from './places/index.js';

export interface Job {
  readonly input: Place;
  readonly output: Place;
  readonly columns: readonly ProtectedColumn[];
  /** Empty cells that are no numbers. */
  readonly skipInvalid: boolean;
  /** How cells of these columns are read; null knows plain numbers alone. */
  readonly reading: Reading | null;
  /** Columns that may leave as they are although something speaks against it. */
  readonly passed: readonly string[];
  /** Columns that do not leave at all; none where it is absent. */
  readonly dropped?: readonly string[];
  /** Of delimited text; null is found in the header. */
  readonly delimiter: string | null;
  /** Overwrite the output. */
  readonly force: boolean;
  /** A table that is overwritten may lose what it has beside its rows. */
  readonly recreate: boolean;
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
  /** Of counts: how many of them a person changes by one, at most. */
  readonly changes?: number;
}

/** A copy that is ready: the input is open, its header read, and nothing else. */
export interface Copy {
  /** Columns that will leave as they are; null where the input has no header that tells. */
  readonly unchanged: readonly string[] | null;
  /** Takes the output for this release alone, before anything is charged. */
  readonly hold: () => Promise<void>;
  readonly run: () => Promise<Outcome>;
  readonly close: () => Promise<void>;
}
