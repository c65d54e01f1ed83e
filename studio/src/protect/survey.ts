// What is in a file, for the eyes of whoever has it: which columns hold numbers, how large they are, and some of them for pictures.
// None of it leaves the page.

import { holdsDigit, indexOfText, latticeOf } from 'discreet-dp/mechanism';
import { personOf } from 'discreet-dp/rows';
import { readCell } from 'discreet-dp/terms';
import type { Progress } from '../engine/serve.js';
import type { Source } from './source.js';

export interface SurveyColumn {
  readonly name: string;
  readonly nested: boolean;
  /** What its cells are: numbers, texts that stand for numbers, words, or nothing. */
  readonly numbers: number;
  readonly empty: number;
  readonly words: number;
  readonly odd: number;
  readonly low: number | null;
  readonly high: number | null;
  /** One in the middle. */
  readonly middle: number | null;
  /** Cells that are no plain numbers, the first kinds of them, and how often each is there. */
  readonly texts: readonly (readonly [text: string, count: number])[];
  /** A plain number that would be none, were a comma before decimals. */
  readonly pointed: string | null;
  /** Is nearly every cell another one, as in names and numbers of persons? */
  readonly telling: boolean;
}

export interface Survey {
  readonly name: string;
  readonly format: string;
  readonly ending: string;
  readonly rows: number;
  /** False where only the beginning of a large file was looked at. */
  readonly whole: boolean;
  readonly columns: readonly SurveyColumn[];
}

/** Bytes that are looked at for pictures and words; a release reads all. */
const MOST_BYTES = 67_108_864;
/** Values that are kept for pictures, of all columns together and of one. */
const SAMPLE = 1_000_000;
const MOST_SAMPLE = 50_000;
const LEAST_SAMPLE = 1_000;
/** Kinds of texts that are told, and first cells that are compared with each other. */
const MOST_TEXTS = 40;
const LONGEST_TEXT = 60;
const COMPARED = 5_000;
const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const ANY = latticeOf({ num: 1n, den: 1n });
const COMMA = { na: [], map: new Map(), decimal: ',' } as const;

/** What there is, and values of each column for pictures. */
export async function surveyOf(file: File, source: Source, progress: Progress) {
  const most = Math.min(MOST_SAMPLE, Math.max(LEAST_SAMPLE, Math.floor(SAMPLE / source.columns.length)));
  const found = source.columns.map(({ name, nested }) => ({
    name,
    nested,
    numbers: 0,
    empty: 0,
    words: 0,
    odd: 0,
    low: Number.POSITIVE_INFINITY,
    high: Number.NEGATIVE_INFINITY,
    sample: [] as string[],
    texts: new Map<string, number>(),
    compared: new Set<string>(),
    pointed: null as string | null,
  }));
  let rows = 0;
  const whole = await source.each(
    (cell) => {
      rows++;
      for (let i = 0; i < found.length; i++) {
        const own = found[i]!;
        const text = cell(i);
        if (text === null) {
          own.empty++;
          continue;
        }
        if (rows <= COMPARED) own.compared.add(text);
        if (PLAIN.test(text) || indexOfText(text, ANY) !== null) {
          own.numbers++;
          if (own.pointed === null && isPointed(text)) own.pointed = text;
          const value = Number(text);
          if (value < own.low) own.low = value;
          if (value > own.high) own.high = value;
        } else if (holdsDigit(text)) {
          own.odd++;
          note(own.texts, text);
        } else {
          own.words++;
          note(own.texts, text);
          continue;
        }
        // Every one of them is as likely to be kept.
        if (own.sample.length < most) own.sample.push(text);
        else {
          const place = Math.floor(Math.random() * (own.numbers + own.odd));
          if (place < most) own.sample[place] = text;
        }
      }
    },
    MOST_BYTES,
    progress,
  );
  const survey: Survey = {
    name: file.name,
    format: source.format,
    ending: source.ending,
    rows,
    whole,
    columns: found.map(({ sample, low, high, texts, compared, ...own }) => ({
      ...own,
      middle: middleOf(sample),
      texts: [...texts].sort(([, a], [, b]) => b - a),
      telling: compared.size >= 20 && compared.size > 0.9 * (Math.min(rows, COMPARED) - own.empty),
      low: Number.isFinite(low) ? low : null,
      high: Number.isFinite(high) ? high : null,
    })),
  };
  return { survey, samples: new Map(found.map(({ name, sample }) => [name, sample])) };
}

/** Counts a text, while few kinds are known. */
function note(texts: Map<string, number>, text: string): void {
  const short = text.trim().slice(0, LONGEST_TEXT);
  const count = texts.get(short);
  if (count !== undefined) texts.set(short, count + 1);
  else if (texts.size < MOST_TEXTS) texts.set(short, 1);
}

/** Is it a plain number that would be none, were a comma before decimals? */
function isPointed(text: string): boolean {
  return text.includes('.') && indexOfText(readCell(text, COMMA)!, ANY) === null;
}

function middleOf(sample: readonly string[]): number | null {
  const numbers = sample.slice(0, COMPARED).map(Number).filter(Number.isFinite);
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? null;
}

export interface People {
  readonly people: number;
  /** Rows of whoever has the most. */
  readonly most: number;
  readonly whole: boolean;
}

/** How many rows each person has, by a column. */
export async function peopleIn(source: Source, column: string, progress: Progress): Promise<People> {
  const at = source.columns.findIndex(({ name }) => name === column);
  const rows = new Map<string | null, number>();
  const whole = await source.each(
    (cell) => {
      const text = cell(at);
      const who = text === null ? null : personOf(text);
      rows.set(who, (rows.get(who) ?? 0) + 1);
    },
    MOST_BYTES,
    progress,
  );
  let most = 0;
  for (const count of rows.values()) if (count > most) most = count;
  return { people: rows.size, most, whole };
}
