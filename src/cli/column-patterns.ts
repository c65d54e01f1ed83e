// Columns by pattern, as in --column '2024-W*': written out from the header, before anything else is said of them.

import { existsSync } from 'node:fs';
import { delimiterOf } from '../door/index.js';
import { hideNames, invalid, quote } from '../error/index.js';
import { columnNames, patternOf, placeOf } from '../release/index.js';
import { columnList, missingColumn } from '../spec/index.js';
import type { ReleaseFlags } from './release-options.js';

/** Options that name columns before an equals sign. */
const BY_COLUMN = ['epsilon', 'delta', 'adjacency', 'step', 'clamp', 'roundTo', 'range'] as const;

/** The same options with every pattern written out; none is where the input has a column of that very name. */
export async function withoutPatterns(address: string, options: ReleaseFlags): Promise<ReleaseFlags> {
  if (![...options.column, ...options.pass, ...options.drop].some(isPattern)) return options;
  const {
    inputFormat = null,
    table = null,
    query = null,
    delimiter,
    rowsOnce = false,
    encoding = null,
  } = options;
  const place = placeOf({ address, format: inputFormat, table, query, rowsOnce, encoding }, 'input');
  const names = await columnNames(place, delimiter === undefined ? null : delimiterOf(delimiter), {
    input: process.stdin,
    signal: new AbortController().signal,
  });
  if (!names)
    throw invalid(
      'columns: a pattern is looked up in a header, which this input has none of; name every column',
    );
  const typed = new Set([...options.column, ...options.pass, ...options.drop]);
  const matches = (pattern: string, field: string): string[] => {
    if (!isPattern(pattern) || names.includes(pattern)) return [pattern];
    const found = names.filter((name) => patternOf(pattern).test(name));
    if (found.length === 0)
      throw invalid(
        `${field}: no column has a name like ${quote(pattern)}${missingColumn(pattern, names)}`,
      ).at(columnList(names));
    if (!found.every(looksLikeName))
      throw invalid(
        `${field}: ${quote(pattern)} finds what may be values of a file without a header line; add one, or name such columns one by one`,
      ).at(columnList(found));
    hideNames(found.filter((name) => !typed.has(name)));
    return found;
  };
  const listed = (texts: readonly string[], field: string) =>
    texts.flatMap((text) => {
      const at = text.lastIndexOf('=');
      const rest = at >= 0 && (field !== 'columns' || existsSync(text.slice(at + 1))) ? text.slice(at) : '';
      return matches(text.slice(0, text.length - rest.length), field).map((name) => name + rest);
    });
  return {
    ...options,
    column: [...new Set(listed(options.column, 'columns'))],
    pass: options.pass.flatMap((text) => matches(text, 'pass')),
    drop: options.drop.flatMap((text) => matches(text, 'drop')),
    ...Object.fromEntries(
      BY_COLUMN.map((field) => [
        field,
        options[field].flatMap((text) => (text.includes('=') ? listed([text], field) : [text])),
      ]),
    ),
  };
}

/** Names that nobody typed are in messages: a year, or words without marks that separate cells. */
function looksLikeName(name: string): boolean {
  return /^(?:19|20)\d\d$/.test(name) || (/\p{L}/u.test(name) && !/[{}[\]":;|,\t]/.test(name));
}

function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}
