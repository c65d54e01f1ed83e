// Ranges of values that follow one another, by their two ends: whole numbers, also with leading zeros, days, months, quarters and
// weeks [ISO 8601].

import { invalid } from '../error/index.js';

/** The values of a range, as they are written. */
export interface Range {
  readonly values: readonly string[];
  /** Are they whole numbers, without leading zeros? */
  readonly isWhole: boolean;
}

/** Values of one kind: their number in a row, and back to a text that is written as another is. */
interface Kind {
  readonly pattern: RegExp;
  /** Null where there is no such value, as on 30 February. */
  readonly place: (text: string) => number | null;
  readonly text: (place: number, like: string) => string;
}

const DAY = 86_400_000;
const YEAR = '[1-9][0-9]{3}';

const two = (part: number) => String(part).padStart(2, '0');

const whole: Kind = {
  pattern: /^(?:0|-?[1-9][0-9]{0,14})$/,
  place: Number,
  text: String,
};

const days: Kind = {
  pattern: new RegExp(`^${YEAR}-[0-9]{2}-[0-9]{2}$`),
  place: (text) => {
    const place = Date.parse(`${text}T00:00:00Z`) / DAY;
    return Number.isNaN(place) || days.text(place, text) !== text ? null : place;
  },
  text: (place) => new Date(place * DAY).toISOString().slice(0, 10),
};

const KINDS: readonly Kind[] = [
  whole,
  {
    // As many digits in all of them.
    pattern: /^[0-9]{2,15}$/,
    place: Number,
    text: (place, like) => String(place).padStart(like.length, '0'),
  },
  days,
  {
    pattern: new RegExp(`^${YEAR}-(?:0[1-9]|1[0-2])$`),
    place: (text) => 12 * Number(text.slice(0, 4)) + Number(text.slice(5)) - 1,
    text: (place) => `${Math.floor(place / 12)}-${two((place % 12) + 1)}`,
  },
  {
    pattern: new RegExp(`^${YEAR}-?Q[1-4]$`),
    place: (text) => 4 * Number(text.slice(0, 4)) + Number(text.slice(-1)) - 1,
    text: (place, like) => `${Math.floor(place / 4)}${like.slice(4, -1)}${(place % 4) + 1}`,
  },
  {
    pattern: new RegExp(`^${YEAR}-?W[0-9]{2}$`),
    place: (text) => {
      const [year, week] = [Number(text.slice(0, 4)), Number(text.slice(-2))];
      const place = firstWeek(year) + week - 1;
      return week >= 1 && place < firstWeek(year + 1) ? place : null;
    },
    text: (place, like) => {
      // The year of a week is that of its Thursday.
      const year = new Date((7 * place + THURSDAY) * DAY).getUTCFullYear();
      return `${year}${like.slice(4, -2)}${two(place - firstWeek(year) + 1)}`;
    },
  },
];

/** The first of January 1970 was one, and weeks are counted from the one that it is in. */
const THURSDAY = 0;

/** The week in which the fourth of January is. */
function firstWeek(year: number): number {
  return Math.floor((Date.UTC(year, 0, 4) / DAY + 3) / 7);
}

const EXAMPLES =
  'whole numbers (2019..2024), days (2026-01-01..2026-12-31), months (2026-01..2026-12), quarters (2026-Q1..2026-Q4) or weeks (2026-W01..2026-W53)';

/** All values from one end to the other. */
export function valuesBetween(from: string, to: string, field: string, most: number): Range {
  const shown = `${from}..${to}`;
  const kind = KINDS.find(({ pattern }) => pattern.test(from) && pattern.test(to));
  // Ends of one kind are written in the same way.
  const alike =
    kind === whole || (from.length === to.length && from.replace(/\d/g, '') === to.replace(/\d/g, ''));
  if (!kind || !alike)
    throw invalid(
      `${field}: expected a range of ${EXAMPLES}, got ${shown}; name all values, or write what is one value in quotes, as in '"${shown}"'`,
    );
  const ends = [from, to].map((end) => {
    const place = kind.place(end);
    if (place === null)
      throw invalid(`${field}: expected days and weeks that there are, got ${end} in ${shown}`);
    return place;
  });
  const [first, last] = ends as [number, number];
  if (last < first || last - first >= most)
    throw invalid(`${field}: expected a range upward of at most ${most} values, got ${shown}`);
  const values = Array.from({ length: last - first + 1 }, (_, i) => kind.text(first + i, from));
  return { values, isWhole: kind === whole };
}
