// How cells are read, as options say it.

import { invalid, quote } from '../error/index.js';
import { type Reading, readingOf } from '../terms/index.js';
import type { CellOptions, CountOptions } from './options.js';

/** Of protected columns. */
export function cellReading({ na = [], map = {}, decimal, skipInvalid }: CellOptions): Reading | null {
  if (!Array.isArray(na) || na.some((text) => typeof text !== 'string'))
    throw invalid("na: expected texts that say that there is no value, as in ['NA', '-']");
  if (decimal !== undefined && decimal !== '.' && decimal !== ',')
    throw invalid(`decimal: expected . or , as what stands before decimals, got ${quote(decimal)}`);
  return readingOf(
    { na, map: textsOf(map, "{ '85+': 85 }"), decimal: decimal ?? null },
    skipInvalid === true,
  );
}

/** Of columns that are counted by: spaces around a text do not count, and one text may count as another. */
export function countReading({ trim, map = {} }: Pick<CountOptions, 'trim' | 'map'>): Reading | null {
  const texts = textsOf(map, "{ North: 'north' }");
  if (trim !== true && texts.size === 0) return null;
  return { na: [], map: texts, decimal: null };
}

function textsOf(map: NonNullable<CellOptions['map']>, example: string): Map<string, string> {
  const given: unknown = map;
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw invalid(`map: expected texts with what they count as, as in ${example}`);
  const texts = given instanceof Map ? [...given] : Object.entries(given);
  const odd = texts.find(([, value]) => !['string', 'number'].includes(typeof value));
  if (odd) throw invalid(`map: expected a text or a number for ${quote(odd[0])}, got ${typeof odd[1]}`);
  return new Map(texts.map(([from, to]) => [String(from).trim(), String(to)]));
}
