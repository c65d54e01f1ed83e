// What is worth a thought about a stated domain, from the domain alone: nothing here has seen a row.

import { readsAs } from '../spec/index.js';
import type { Domain } from './request.js';

/** So many are named. */
const MOST = 5;

/** Values that are hardly meant to be cells of their own, in words. */
export function domainDoubts(by: readonly Domain[]): string[] {
  return by.flatMap(({ column, values, isRange }) => {
    // Whole numbers in a row differ.
    if (isRange) return [];
    const name = JSON.stringify(column);
    const groups = new Map<string, string[]>();
    for (const value of values) {
      const key = bare(value);
      const group = groups.get(key);
      if (group) group.push(value);
      else groups.set(key, [value]);
    }
    const alike = [...groups.values()].filter((group) => group.length > 1);
    const padded = values.filter((value) => value !== value.trim());
    const listed = (words: readonly string[]) =>
      `${words.slice(0, MOST).join('; ')}${words.length > MOST ? ` and ${words.length - MOST} more` : ''}`;
    const shown = (words: readonly string[]) => listed(words.map((value) => JSON.stringify(value)));
    const quoted = (group: readonly string[]) => group.map((value) => JSON.stringify(value)).join(' and ');
    return [
      ...(alike.length > 0
        ? [
            `values of ${name} that were stated differ in case, blanks or leading zeros alone: ${listed(alike.map(quoted))}; each is a cell of its own, and one that no row has is noise alone`,
          ]
        : []),
      ...(padded.length > 0
        ? [
            `values of ${name} that were stated begin or end with a blank: ${shown(padded)}; rows without it are not counted there`,
          ]
        : []),
      ...grouped(values.filter(isBin), 'ranges of numbers, and no number', name, shown),
      ...grouped(values.filter(isPeriod), 'quarters or weeks, and no day or month', name, shown),
    ];
  });
}

/** Values that look like groups of others, which they are not. */
function grouped(
  values: readonly string[],
  what: string,
  name: string,
  shown: (values: readonly string[]) => string,
): string[] {
  if (values.length === 0) return [];
  return [
    `values of ${name} that were stated look like ${what} is put into them: ${shown(values)}; each is one text, and a row is counted there where its own text is the same; where it is not, write that into the input first`,
  ];
}

/** As 0-17, 65+ or <5; 2026-01 is a month. */
function isBin(value: string): boolean {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(value)) return false;
  const [, low, high] = /^\s*(\d+(?:\.\d+)?)\s*[-–—]\s*(\d+(?:\.\d+)?)\s*$/.exec(value) ?? [];
  return low === undefined ? /^\s*(?:[<>≤≥]=?\s*\d+|\d+\s*\+)\s*$/.test(value) : Number(low) < Number(high);
}

/** As 2025-Q1 or 2025-W07. */
function isPeriod(value: string): boolean {
  return /^[1-9]\d{3}-?(?:Q[1-4]|W\d\d)$/.test(value);
}

/** Without case, blanks and leading zeros; digits after a mark of decimals keep theirs. */
function bare(value: string): string {
  return readsAs(value)
    .replaceAll(' ', '')
    .replace(/(?<![\d.,])0+(?=\d)/g, '');
}
