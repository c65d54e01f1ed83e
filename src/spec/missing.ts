// A name that is not there: what resembles it is named, and nothing else, for the first line of a file may be data.

import { isPlain, quote } from '../error/index.js';
import { editDistance } from './grammar.js';
import { readsLike } from './names.js';

const MOST_NAMED = 3;

/** What to say of names where the wanted one is none of them: `…, but 12 others; did you mean "visits"?` */
export function missingColumn(wanted: string, names: readonly string[]): string {
  const meant = meantColumn(wanted, names);
  if (meant) return meant;
  if (names.length === 0) return ', nor any other';
  const others = names.length === 1 ? 'one other' : `${names.length.toLocaleString('en')} others`;
  return `, but ${others}; see their names with {locate}, on a terminal; where the first line is no header, add one`;
}

/** `; did you mean "visits"?` where a name resembles the wanted one; else nothing. */
export function meantColumn(wanted: string, names: readonly string[]): string {
  const alike = names
    .filter((name) => isPlain(wanted) && isPlain(name) && resembles(name, wanted))
    .slice(0, MOST_NAMED);
  return alike.length > 0 ? `; did you mean ${alike.map(quote).join(' or ')}?` : '';
}

/** Is it the same name but for a letter in three? What looks like a number may be a value. */
function resembles(name: string, wanted: string): boolean {
  if (/^\s*[-+]?[\d.]/.test(name)) return false;
  if (readsLike(name, wanted)) return true;
  // Digits that nobody typed may be a value's.
  if (name.replace(/\D/g, '') !== wanted.replace(/\D/g, '')) return false;
  // Names of another length need no comparison.
  const most = Math.floor(wanted.length / 3);
  return Math.abs(name.length - wanted.length) <= most && editDistance(name, wanted) <= most;
}

/** The names themselves, for the eyes of whoever has the file. */
export function columnList(names: readonly string[]): string {
  const shown = names.slice(0, 100).map((name) => quote(name));
  return `columns: ${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}
