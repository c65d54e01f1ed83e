// What is in a file, for the eyes of whoever has it: which columns hold numbers, how large they are, and some of them for pictures.
// None of it leaves the page.

import { holdsDigit, indexOfText, latticeOf } from 'discreet-dp/mechanism';
import { personOf } from 'discreet-dp/rows';
import { oddityOf } from 'discreet-dp/terms';
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
  /** Which oddities there are, by name. */
  readonly oddities: readonly string[];
  readonly low: number | null;
  readonly high: number | null;
  /** Do numbers have decimals? */
  readonly decimals: number;
}

export interface Survey {
  readonly name: string;
  readonly size: number;
  readonly format: string;
  readonly ending: string;
  readonly rows: number;
  /** False where only the beginning of a large file was looked at. */
  readonly whole: boolean;
  readonly columns: readonly SurveyColumn[];
}

/** Bytes that are looked at for pictures and words; a release reads all. */
const MOST_BYTES = 67_108_864;
const SAMPLE = 20_000;
const WIDE_SAMPLE = 1_000;
const MANY_COLUMNS = 60;
const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const ANY = latticeOf({ num: 1n, den: 1n });

/** What there is, and values of each column for pictures. */
export async function surveyOf(file: File, source: Source, progress: Progress) {
  const most = source.columns.length > MANY_COLUMNS ? WIDE_SAMPLE : SAMPLE;
  const found = source.columns.map(({ name, nested }) => ({
    name,
    nested,
    numbers: 0,
    empty: 0,
    words: 0,
    odd: 0,
    oddities: new Set<string>(),
    low: Number.POSITIVE_INFINITY,
    high: Number.NEGATIVE_INFINITY,
    decimals: 0,
    sample: [] as string[],
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
        if (PLAIN.test(text) || indexOfText(text, ANY) !== null) {
          own.numbers++;
          const value = Number(text);
          if (value < own.low) own.low = value;
          if (value > own.high) own.high = value;
          const point = text.indexOf('.');
          if (point >= 0) own.decimals = Math.max(own.decimals, text.length - point - 1);
        } else if (holdsDigit(text)) {
          own.odd++;
          if (own.oddities.size < 4) own.oddities.add(oddityOf(text));
        } else {
          own.words++;
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
    size: file.size,
    format: source.format,
    ending: source.ending,
    rows,
    whole,
    columns: found.map(({ sample: _, oddities, low, high, ...own }) => ({
      ...own,
      oddities: [...oddities],
      low: Number.isFinite(low) ? low : null,
      high: Number.isFinite(high) ? high : null,
    })),
  };
  return { survey, samples: new Map(found.map(({ name, sample }) => [name, sample])) };
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
