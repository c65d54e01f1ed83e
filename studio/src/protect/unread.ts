// Cells that a release would stumble over, as long as nobody has said how to read them: what they are, and what can be offered. Only
// what can be read in no other way is offered.

import { holdsDigit, indexOfText, latticeOf } from 'discreet-dp/mechanism';
import { type Oddity, oddityOf, type Reading, readCell } from 'discreet-dp/terms';
import type { SurveyColumn } from './survey.js';

export interface UnreadText {
  readonly text: string;
  /** How often it is there; null where that was not counted. */
  readonly times: number | null;
  /** The number that it stands for; null where it may be another one, or none. */
  readonly number: string | null;
  readonly holdsDigit: boolean;
}

/** A mark before decimals, and what it makes of a text. */
export interface Decimals {
  readonly mark: '.' | ',';
  readonly text: string;
  readonly number: string;
}

export interface Unread {
  readonly name: string;
  readonly texts: readonly UnreadText[];
  /** Marks by which all texts of figures become numbers. */
  readonly decimals: readonly Decimals[];
  /** Do letters stand beside digits, as in codes? */
  readonly codes: boolean;
}

const ANY = latticeOf({ num: 1n, den: 1n });
const BARE: Reading = { na: [], map: new Map(), decimal: null };
const isNumber = (text: string) => indexOfText(text, ANY) !== null;

/** Of all columns that hold numbers, or texts with digits. */
export function unreadIn(
  columns: readonly SurveyColumn[],
  reading: Reading | null,
  skipInvalid: boolean,
): Unread[] {
  return columns
    .filter(({ nested, numbers, odd }) => !nested && numbers + odd > 0)
    .map(({ name, texts, pointed }) => {
      const all = [...texts, ...(pointed === null ? [] : [[pointed, null] as const])];
      const left = all.filter(([text]) => {
        const cell = readCell(text, reading ?? BARE);
        if (cell === null || isNumber(cell)) return false;
        return holdsDigit(cell) || !skipInvalid;
      });
      const codes = left.some(([text]) => CODE.test(text));
      const decimal = reading?.decimal ?? null;
      return {
        name,
        texts: left.map(([text, times]) => ({
          text,
          times,
          number: numberIn(text, decimal, codes),
          holdsDigit: holdsDigit(text),
        })),
        decimals:
          decimal === null
            ? decimalsOf(
                left.map(([text]) => text),
                pointed,
              )
            : [],
        codes,
      };
    })
    .filter(({ texts }) => texts.length > 0);
}

/** A letter at a digit, or before one. */
const CODE = /\p{L}[^\p{L}\d]*\d|\d\p{L}/u;
/** Bounds that are the number themselves. */
const BOUND = /^[≥≤~≈]?\s*(\d[\d.]*)\s*(?:\+|plus|or more|and over|und mehr)?$/i;
const UNIT = /^([+-]?\d[\d.]*)\s+\p{L}+\.?$|^\p{Sc}\s*(\d[\d.]*)$|^(\d[\d.]*)\s*\p{Sc}$/u;

function numberIn(text: string, decimal: '.' | ',' | null, codes: boolean): string | null {
  const [, ...found] = BOUND.exec(text) ?? (codes ? null : UNIT.exec(text)) ?? [];
  const number = found.find((own) => own !== undefined);
  if (number === undefined || !/^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(number)) return null;
  // A point before three digits groups thousands for half of the world, and for all of it once that is said.
  return number.includes('.') && (decimal === ',' || /\.\d{3}$/.test(number)) ? null : number;
}

const FIGURES: readonly Oddity[] = ['comma', 'grouped', 'marks'];

function decimalsOf(texts: readonly string[], pointed: string | null): Decimals[] {
  const figures = texts.filter((text) => FIGURES.includes(oddityOf(text)));
  if (figures.length === 0) return [];
  // One with both marks shows best what each of them would mean.
  const shown = Math.max(
    0,
    figures.findIndex((text) => oddityOf(text) === 'marks'),
  );
  return (['.', ','] as const).flatMap((mark) => {
    const numbers = figures.map((text) => readCell(text, { ...BARE, decimal: mark })!);
    return numbers.every(isNumber) && (mark === '.' || pointed === null)
      ? [{ mark, text: figures[shown]!, number: numbers[shown]! }]
      : [];
  });
}
