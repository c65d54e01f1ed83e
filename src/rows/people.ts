// How many rows each person has, counted while rows go by.

import { type Person, personOf } from './person.js';
import { tooManyRows } from './refusals.js';

/** Texts that the rules for persons leave as they are: most of them, seen without the rules. */
const PLAIN = /^[A-Za-z1-9][A-Za-z0-9_-]*$/;

/** Counts rows by whose they are, and refuses the first that is one too many; null is nobody, who counts as one person. */
export function peopleCounter(person: Person, shown: string): (text: string | null) => void {
  const rows = new Map<string | null, number>();
  return (text) => {
    const who = text === null || PLAIN.test(text) ? text : personOf(text);
    const count = (rows.get(who) ?? 0) + 1;
    if (count > person.rows) throw tooManyRows(shown, person);
    rows.set(who, count);
  };
}
