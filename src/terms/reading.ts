// How cells of protected columns are read where they are no plain numbers: marks of absence, texts that stand for a number, and
// the mark before decimals. The same rule in SQL is in release/reading-sql.ts.

import { invalid, quote } from '../error/index.js';
import { rational } from '../exact/index.js';
import { holdsDigit, indexOfText, latticeOf } from '../mechanism/index.js';
import { readDecimal } from '../spec/index.js';

export interface Reading {
  /** Texts that say that there is no value. */
  readonly na: readonly string[];
  /** Texts that stand for a number. */
  readonly map: ReadonlyMap<string, string>;
  /** What stands before decimals; the other one, a space or an apostrophe may group thousands. Null knows plain numbers alone. */
  readonly decimal: '.' | ',' | null;
}

/** A reading as it can be: nothing that is a number may become absent or another one, for that would tell of it, or move it further. */
export function readingOf({ na, map, decimal }: Reading, skipInvalid: boolean): Reading | null {
  if (na.length === 0 && map.size === 0 && decimal === null) return null;
  for (const text of na)
    if (holdsDigit(text))
      throw invalid(
        `na: ${quote(text)} holds a digit, so it is a value, and an empty cell would tell who has it; ${indexOfText(text, LATTICE) === null ? `say what it counts as, as in {map} ${quote(`${text}=0`)}` : 'take such rows out of the input first, or leave it a number'}`,
      );
  for (const [from, to] of map) {
    if (from.trim() === '') throw invalid("map: expected text=number, as in '85+=85', got nothing before =");
    if (na.some((text) => text.trim() === from.trim()))
      throw invalid(`map: ${quote(from)} is with {na} too; name it in one of the two`);
    if (MARKS_BEFORE.some((mark) => isNumber(from, mark)))
      throw invalid(
        `map: ${quote(from)} is a number already${isNumber(from, decimal) ? '' : ', if not as decimals are written here'}, and a record that moves there would move further than its adjacency; leave it out, or say with {decimal} how such cells are read`,
      );
    readDecimal(to, 'map');
  }
  const word = [...map.keys()].find((text) => !holdsDigit(text));
  // Where words are values, others may be, and an empty cell would tell who has one.
  if (skipInvalid && word !== undefined)
    throw invalid(
      `skipInvalid: with {map} ${quote(`${word}=…`)} words stand for numbers, so that others may too; name those that mean that there is no value, as in {na} NA,-`,
    );
  return {
    na: na.map((text) => text.trim()),
    map: new Map([...map].map(([from, to]) => [from.trim(), to.trim()])),
    decimal,
  };
}

const LATTICE = latticeOf(rational(1n));
const MARKS_BEFORE = [null, '.', ','] as const;

/** Is a text a number, with this mark before decimals? */
function isNumber(text: string, decimal: Reading['decimal']): boolean {
  const read = readCell(text, { na: [], map: new Map(), decimal });
  return read !== null && indexOfText(read, LATTICE) !== null;
}

/** What a cell says: a plain number where it is one, null where there is no value, and anything else as it is. */
export function readCell(text: string, { na, map, decimal }: Reading): string | null {
  const cell = text.trim();
  if (na.includes(cell)) return null;
  const number = map.get(cell);
  if (number !== undefined) return number;
  if (decimal === null) return cell;
  const joined = GROUPED[decimal].test(cell) ? cell.replace(MARKS[decimal], '') : cell;
  // A point that groups nothing is no decimal one, so what holds it is made no number.
  return decimal === '.' ? joined : joined.replaceAll('.', '..').replaceAll(',', '.');
}

/** Between thousands, beside the other mark. */
const BETWEEN = "' \\u00a0\\u202f\\u2019";
const MARKS = { '.': new RegExp(`[,${BETWEEN}]`, 'g'), ',': new RegExp(`[.${BETWEEN}]`, 'g') };
const GROUPED = {
  '.': new RegExp(`^[+-]?[0-9]{1,3}([,${BETWEEN}][0-9]{3})+(\\.[0-9]*)?$`),
  ',': new RegExp(`^[+-]?[0-9]{1,3}([.${BETWEEN}][0-9]{3})+(,[0-9]*)?$`),
};

/** What text with digits is, where it is no number: for words that help, without the text itself. */
export type Oddity = 'point' | 'bound' | 'range' | 'marks' | 'comma' | 'grouped' | 'unit' | 'text';

/** Which of them a text is. */
export function oddityOf(text: string): Oddity {
  const cell = text.trim();
  // As it is written where a comma stands before decimals.
  if (/^[+-]?\d*\.\.\d*$/.test(cell)) return 'point';
  if (/^[<>≤≥=~≈±]+\s*[\d.,]+$|^[\d.,]+\s*(?:\+|<|>|plus|or more|and over|und mehr)$/i.test(cell))
    return 'bound';
  // Both marks, one of them between thousands: the later one stands before decimals.
  if (/^[+-]?\d{1,3}(?:(?:\.\d{3})+,|(?:,\d{3})+\.)\d*$/.test(cell)) return 'marks';
  if (/^[+-]?\d+(?:,\d*)+(?:\.\d*)?$|^[+-]?[\d.]+,\d*$|^,\d+$/.test(cell)) return 'comma';
  if (GROUPED['.'].test(cell) || GROUPED[','].test(cell)) return 'grouped';
  if (/^[\d.,]+\s*(?:[-–—]|to|bis)\s*[\d.,]+$/i.test(cell)) return 'range';
  if (/^[+-]?[\d.,]+\s*[^\d\s.,+<>-]+\.?$|^[^\d\s.,+<>=~-]+\s*[\d.,]+$/.test(cell)) return 'unit';
  return 'text';
}

/** One text for both: how many cells are codes, or whether any are, is nobody's business. */
const UNIT_OR_CODE =
  "text with digits that is no number: numbers with a unit, such as 12 kg or 5 %: write them without, or say what each counts as, as in {map} '12 kg=12'; or categories such as codes, like T29, which a release cannot protect yet: count them with discreet count, or leave the column out of the file";

/** For each, what it is and what helps. */
export const ODDITIES: Readonly<Record<Oddity, string>> = {
  point:
    'numbers with a point, although {decimal} , says that a comma stands before decimals: write all of them alike',
  bound: "numbers with a bound, such as 85+ or <5: say what each counts as, as in {map} '85+=85'",
  range: "ranges, such as 10-14: say what each counts as, as in {map} '10-14=12'",
  marks:
    'numbers with a point and a comma, such as 3.790,90 or 3,790.90: say which of the two stands before decimals, with {decimal} , or {decimal} .; the other one then groups thousands',
  comma:
    'numbers with a comma, such as 1,5 or 1,234: say with {decimal} , that decimals follow it, or with {decimal} . that it groups thousands',
  grouped:
    "thousands in groups, such as 1 234 or 1'234: say with {decimal} . or {decimal} , what stands before decimals",
  unit: UNIT_OR_CODE,
  text: UNIT_OR_CODE,
};
