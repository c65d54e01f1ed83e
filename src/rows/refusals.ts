// What can be wrong with rows, told without any value of them.

import { badData, type DiscreetError } from '../error/index.js';
import { ODDITIES, type Oddity } from '../terms/index.js';

/** A cell that is no number at all, by its row: where such cells are is equal in neighbours, so it may be told. */
export function noNumber(input: string, column: string, row: number | null): DiscreetError {
  return badData(
    `${input}: column ${JSON.stringify(column)}${row === null ? '' : `, data row ${row}`}: expected a number, got a word or an empty text; where it means that there is no value, say so, as in {na} NA,-; or empty all such cells with {skipInvalid}, or correct it`,
  );
}

/** Text that stands for a value. Which rows have it is nobody's business, and so is how many do. */
export function valueAsText(
  input: string,
  column: string,
  oddities: ReadonlySet<Oddity> | null = null,
): DiscreetError {
  const words = oddities
    ? [...oddities].map((oddity) => ODDITIES[oddity]).join('; and ')
    : 'text with digits that is no plain number, such as 85+, <5 or 1,234: write plain numbers there first';
  return badData(
    `${input}: column ${JSON.stringify(column)} holds ${words}. Such cells stand for values, so they are neither named nor emptied`,
  );
}

/** Delimited text whose last quote is not closed: what follows it would be taken for one cell, or be lost. */
export function openQuote(input: string): DiscreetError {
  return badData(`${input}: not valid CSV: a quote is not closed, or stands inside a cell`);
}

/** A row of another part than the one that is released. */
export function otherPart(
  where: string,
  part: { readonly column: string; readonly value: string },
): DiscreetError {
  return badData(
    `${where}: a row has another ${JSON.stringify(part.column)} than the part ${part.value}; release that part alone`,
  );
}

export function tooManyRows(
  shown: string,
  person: { readonly column: string; readonly rows: number },
): DiscreetError {
  return badData(
    `${shown}: a value of ${JSON.stringify(person.column)} has more than ${person.rows} ${person.rows === 1 ? 'row' : 'rows'}; remove rows first, or state more rows per person (in the budget where there is one, and with it the cost); rows without a person count as one person's`,
  );
}
