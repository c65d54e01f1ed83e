// The grammar of noises and priors, `family:key=value,…`, and suggestions for what was misspelt.

import { invalid, quote, unquoted } from '../error/index.js';

export interface Spec {
  readonly family: string;
  /** The text after the colon, for specs that take a path. */
  readonly rest: string;
}

export function splitSpec(text: string): Spec {
  const colon = text.indexOf(':');
  return colon < 0
    ? { family: text, rest: '' }
    : { family: text.slice(0, colon), rest: text.slice(colon + 1) };
}

/** The pairs of a spec; each key must be one of `keys` and appear once. */
export function parsePairs({ family, rest }: Spec, keys: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  if (rest === '') return values;
  for (const pair of rest.split(',')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (!keys.includes(key))
      throw invalid(`${family}: unknown parameter ${quote(key)}; ${suggest(key, keys, 'it takes')}`);
    if (equals < 0 || equals === pair.length - 1)
      throw invalid(`${family}: expected ${key}=value, got ${quote(pair)}`);
    if (values[key] !== undefined) throw invalid(`${family}: expected ${key} once, got it twice`);
    values[key] = pair.slice(equals + 1);
  }
  return values;
}

/** "did you mean …?" where a name is near, and the list of names in any case. */
export function suggest(word: string, names: readonly string[], listing: string): string {
  if (names.length === 0) return `${listing} none`;
  const ranked = names.map((name) => ({ name, distance: editDistance(word, name) }));
  const nearest = ranked.reduce((best, next) => (next.distance < best.distance ? next : best));
  const list = `${listing} ${names.map(unquoted).join(', ')}`;
  return nearest.distance <= Math.max(2, nearest.name.length / 2)
    ? `did you mean ${unquoted(nearest.name)}? (${list})`
    : list;
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => {
    const row = new Array<number>(b.length + 1).fill(0);
    row[0] = i;
    return row;
  });
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = least;
    }
  }
  return rows[a.length]![b.length]!;
}
