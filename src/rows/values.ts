// A protected cell and what is released for it. Where cells are no numbers, what is refused, and when, does not tell where they are.

import type { DiscreetError } from '../error/index.js';
import { finished, holdsDigit, indexOfText, textOfIndex } from '../mechanism/index.js';
import { readCell } from '../terms/index.js';
import { oddTexts } from './odd-texts.js';
import { noNumber } from './refusals.js';
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

export function valuesOf(job: RowsJob, shown: string, draw: Draw): Values {
  const { columns, reading, skipInvalid } = job;
  const counts = columns.map(() => 0);
  let word: DiscreetError | null = null;
  const odd = oddTexts(columns, reading);

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
      odd.add(i, cell);
      // It is told when all is through, and not where it is.
      return textOfIndex(finished(draw(i, 0n, identity), finish), lattice);
    }
    if (!skipInvalid) {
      // Told at the end, unless a cell that stands for a value comes: neither tells where the other is.
      word ??= noNumber(shown, name, row, reading);
    }
    return null;
  };

  return {
    release,
    counts,
    check: () => {
      odd.check(shown);
      if (word) throw word;
    },
  };
}
