// Places from what a request names: a file, `-` for a pipe, or a table of PostgreSQL.

import { invalid, wrong } from '../../error/index.js';
import { isPostgres, shownAddress } from '../../postgres/index.js';
import { checkEncoding, formatOf } from '../formats/index.js';
import { filePlace } from './file.js';
import { pipePlace } from './pipe.js';
import type { Place } from './place.js';
import { filesOf, severalPlace } from './several.js';
import { tablePlace } from './table.js';

/** What is said of a place: all but the address may be null. */
export interface Named {
  readonly address: string;
  readonly format: string | null;
  readonly table: string | null;
  /** SQL; of an input. */
  readonly query: string | null;
  /** The publisher states that each record is in the query's result at most once, chosen and ordered by public columns. */
  readonly rowsOnce: boolean;
  /** Of an input of text that is not UTF-8. */
  readonly encoding?: string | null;
}

const FIELDS = {
  input: { format: 'inputFormat', table: 'table', pipe: 'standard input' },
  output: { format: 'outputFormat', table: 'outputTable', pipe: 'standard output' },
} as const;

/** The place that an address and the fields beside it name. */
export function placeOf(named: Named, side: 'input' | 'output'): Place {
  const { address, format, table, query, rowsOnce, encoding = null } = named;
  const fields = FIELDS[side];
  if (isPostgres(address)) {
    if (encoding !== null) throw invalid('encoding: PostgreSQL has its own; leave it out');
    if (format !== null) formatOf('.csv', format, fields.format);
    if (table !== null && query !== null)
      throw invalid('query: expected either {table} or {query}, got both');
    if (table === null && query === null)
      throw wrong(`${shownAddress(address)}: expected {${fields.table}} to name the table`);
    if (rowsOnce && query === null)
      throw invalid('rowsOnce: this is a statement about {query}; leave it out');
    return tablePlace({ address, table, query: query === null ? null : { sql: query, rowsOnce } });
  }
  const stray = table !== null ? fields.table : query !== null ? 'query' : rowsOnce ? 'rowsOnce' : null;
  if (stray !== null) throw invalid(`${stray}: only a postgres:// address has tables, got ${address}`);
  const files = side === 'input' && address !== '-' ? filesOf(address) : null;
  if (files) {
    if (encoding !== null) checkEncoding(encoding, formatOf(files[0]!, format, fields.format));
    return severalPlace(address, files, format, encoding);
  }
  const known = formatOf(address, format, fields.format);
  if (encoding !== null) checkEncoding(encoding, known);
  return address === '-' ? pipePlace(fields.pipe, known, encoding) : filePlace(address, known, encoding);
}

export { drivenPlace } from './driven.js';
export type { Place, WriteOptions } from './place.js';
export { patternOf } from './several.js';
export { isTable, type TablePlace } from './table.js';
