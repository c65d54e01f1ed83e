// Words of an error, as a sentence beside its file.

import { DiscreetError } from 'discreet-dp/error';
import { errorWords } from '../parts/words.js';

/** Begins with a capital and ends with a full stop. */
export function sentence(words: string): string {
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}

/** What is wrong with a file; its name is above. */
export function problemOf(error: unknown, { name }: File): string {
  const words = errorWords(error);
  return sentence(words.startsWith(`${name}: `) ? words.slice(name.length + 2) : words);
}

/** The same of a file whose fields are told by their names. */
export function problemInside(error: unknown): string {
  const words = error instanceof DiscreetError ? error.message : errorWords(error);
  // A field's name stays as it is.
  return /^[a-z.]+[[\]\d.a-z]*: /i.test(words) ? `${words}.` : sentence(words);
}
