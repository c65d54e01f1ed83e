// The formats, one file each, by name.

import { invalid, wrong } from '../../error/index.js';
import { arrowFormat } from './arrow.js';
import { csv } from './csv.js';
import type { Format } from './format.js';
import { gzipped } from './gzip.js';
import { jsonLinesFormat } from './json-lines.js';
import { parquet } from './parquet.js';
import { tsv } from './tsv.js';

export const formats: readonly Format[] = [
  ...[csv, tsv, parquet, jsonLinesFormat, arrowFormat],
  ...[gzipped(csv), gzipped(tsv)],
];

/** Of that name, or by how the file's name ends. `field` is where a name is given. */
export function formatOf(address: string, given: string | null, field: string): Format {
  const names = formats.map(({ name }) => name);
  const found =
    given === null
      ? formats.find((format) => extensionOf(address, format))
      : formats.find(({ name }) => name === given);
  if (found) return found;
  if (given !== null) throw invalid(`${field}: expected ${names.join(', ')}, got ${given}`);
  const ends = formats.flatMap(({ extensions }) => extensions);
  throw wrong(`${address}: expected a name that ends in ${ends.join(', ')}, or {${field}}`);
}

/** How the name ends, where that is an extension of the format. */
export function extensionOf(path: string, { extensions }: Format): string | undefined {
  return extensions.find((extension) => path.toLowerCase().endsWith(extension));
}

export { checkEncoding } from './encoding.js';
export type { Format } from './format.js';
