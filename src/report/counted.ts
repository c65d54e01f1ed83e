// What was counted, of a count: the columns, the domain that was stated for each, and what becomes of other rows.

import type { Reading } from '../terms/index.js';

/** Values of a domain that are named; of more, how many there are. */
const MOST_VALUES = 100;

/** A column that was counted by. */
export interface CountedBy {
  readonly column: string;
  /** As stated, with the name for all others; in the order in which they are written. */
  readonly values: readonly string[];
  /** Which of the values stands for all others, empty ones too; null where those are counted nowhere. */
  readonly other: string | null;
}

/** A count, as far as a report tells of it. */
export interface CountOf {
  readonly by: readonly CountedBy[];
  /** The column that says how many rows each row stands for; null where each is one. */
  readonly counted: string | null;
  /** Not null where spaces around a value did not count. */
  readonly reading: Reading | null;
}

export type Counted = ReturnType<typeof countedOf>;

/** The same for a report: of a domain, the first and the last values, and how many there are. */
export function countedOf({ by, counted, reading }: CountOf) {
  return {
    by: by.map(({ column, values, other }) => ({
      column,
      cells: values.length,
      values: values.slice(0, MOST_VALUES),
      last: values.at(-1)!,
      other,
    })),
    /** Each row stands for as many as this column says; null where for itself. */
    rowsBy: counted,
    trimmed: reading !== null,
    /** Are rows with values that were not stated in no cell? */
    othersNowhere: by.some(({ other }) => other === null),
  };
}
