// What can be wrong with rows, told without any value of them.

import { badData, type DiscreetError, PrivacyError, quote } from '../error/index.js';
import { ODDITIES, type Oddity, type Reading } from '../terms/index.js';

/**
 * A cell that is no number at all, by its row: where such cells are is equal in neighbours, so it may be told; but not beside a list of
 * texts that stand for numbers, in which they differ.
 */
export function noNumber(
  input: string,
  column: string,
  row: number | null,
  reading: Reading | null,
): DiscreetError {
  if (hasList(reading))
    return new PrivacyError(
      `${input}: column ${quote(column)} holds words or empty texts beside those that {map} lists; say of each what it counts as, or with {na} that it is no value. ${PAID}`,
    );
  return badData(
    `${input}: column ${quote(column)}${row === null ? '' : `, data row ${row}`}: expected a number, got a word or an empty text; ${WORDS}`,
  );
}

const WORDS =
  'where it stands for a number, say so, as in {map} true=1,false=0; where it means that there is no value, as in {na} NA,-; or empty all such cells with {skipInvalid}, or correct it';

/** Are there texts that stand for numbers? */
function hasList(reading: Reading | null): boolean {
  return reading !== null && reading.map.size > 0;
}

const PAID = 'Beside a list of texts, as with {map}, that tells which there are, so it is paid for';

/** Text that stands for a value. Which rows have it is nobody's business, and so is how many do. */
export function valueAsText(
  input: string,
  column: string,
  oddities: ReadonlySet<Oddity>,
  reading: Reading | null,
): DiscreetError {
  // In one order, which says nothing of where they are; what is told in the same words is told once.
  const kinds = (Object.keys(ODDITIES) as Oddity[]).filter((oddity) => oddities.has(oddity));
  const words = new Set(kinds.map((oddity) => ODDITIES[oddity]));
  const text = `${input}: column ${quote(column)} holds ${[...words].join('; and ')}. Such cells stand for values, so they are neither named nor emptied`;
  // That there is any such cell is one answer. Beside a list it is another one with every list: whether there is one beyond it.
  return hasList(reading) ? new PrivacyError(`${text}. ${PAID}`) : badData(text);
}

/**
 * Delimited text that readers may cut differently, whatever is wrong with it and wherever: a protected cell may be the cause, as in
 * 3,1,5 without quotes, so that which row it is in, and what it does there, would tell of its value.
 */
export function brokenRows(input: string, place: string | null = null): DiscreetError {
  return badData(
    `${input}: not valid CSV: a quote is not closed, or stands inside a cell, or a row has more or fewer cells than the header, or line ends are mixed; correct it, and see where it is with {locate}, on a terminal`,
  ).at(place);
}

/** Text of one line, which is published as the names of columns: it may hold rows whose ends were lost. */
export function noRows(input: string): DiscreetError {
  return badData(
    `${input}: there is a first line and no row, so there is nothing to release; where rows end otherwise, as in "\\n" written out, end them with line feeds`,
  );
}

/** A line that is no object, of which a protected value may be the cause. */
export function brokenLine(input: string, place: string | null = null): DiscreetError {
  return badData(
    `${input}: expected a JSON object on each line, each key once; correct it, and see where it is with {locate}, on a terminal`,
  ).at(place);
}

/** A row of another part than the one that is released. */
export function otherPart(
  where: string,
  part: { readonly column: string; readonly value: string },
): DiscreetError {
  return badData(
    `${where}: a row has another ${quote(part.column)} than the part ${part.value}; release that part alone`,
  );
}

export function tooManyRows(
  shown: string,
  person: { readonly column: string; readonly rows: number },
): DiscreetError {
  return badData(
    `${shown}: a value of ${quote(person.column)} has more than ${person.rows} ${person.rows === 1 ? 'row' : 'rows'}; remove rows first, or state more rows per person (in the budget where there is one, and with it the cost); rows without a person count as one person's`,
  );
}
