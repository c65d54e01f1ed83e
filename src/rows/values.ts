// A protected cell and what is released for it. Where cells are no numbers, what is refused, and when, does not tell where they are.

import type { DiscreetError } from '../error/index.js';
import { finished, holdsDigit, indexOfText, textOfIndex } from '../mechanism/index.js';
import { oddityOf, readCell } from '../terms/index.js';
import { noNumber, valueAsText } from './refusals.js';
import type { Draw, RowsJob } from './rows.js';

export interface Values {
  /** What is released for the text of a cell; null is an empty one. `plain` texts are numbers by their own rules, and not read otherwise. */
  readonly release: (
    column: number,
    text: string,
    row: number,
    identity: () => string,
    plain?: boolean,
  ) => string | null;
  /** Released values of each column. */
  readonly counts: readonly number[];
  /** Refuse what was found in all rows together. */
  readonly check: () => void;
}

/** `leaves`: what is released leaves at once, so that a refusal must not show where it comes from. */
export function valuesOf(job: RowsJob, shown: string, draw: Draw, leaves: boolean): Values {
  const { columns, reading, skipInvalid } = job;
  const counts = columns.map(() => 0);
  let word: DiscreetError | null = null;
  let value: DiscreetError | null = null;

  const release: Values['release'] = (i, text, row, identity, plain = false) => {
    const { name, lattice, finish } = columns[i]!;
    const cell = reading && !plain ? readCell(text, reading) : text;
    if (cell === null) return null;
    const index = indexOfText(cell, lattice);
    if (index !== null) {
      counts[i]!++;
      return textOfIndex(finished(index + draw(i, index, identity), finish), lattice);
    }
    if (holdsDigit(cell)) {
      value ??= valueAsText(shown, name, new Set([oddityOf(cell)]));
      if (!leaves) throw value;
      // What has left must not show where it is: it counts as 0, and is told when all is through.
      return textOfIndex(finished(draw(i, 0n, identity), finish), lattice);
    }
    if (!skipInvalid) {
      // Told at the end, unless a cell that stands for a value comes: neither tells where the other is.
      word ??= noNumber(shown, name, row);
      if (leaves) throw word;
    }
    return null;
  };

  return {
    release,
    counts,
    check: () => {
      const found = value ?? word;
      if (found) throw found;
    },
  };
}
