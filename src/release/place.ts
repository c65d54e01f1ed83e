// Where rows come from and go to: a file, standard input or output, or PostgreSQL.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { shownAddress } from '../ledger/index.js';

export const FORMATS = ['csv', 'tsv', 'parquet', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

export interface FilePlace {
  readonly kind: 'file';
  /** As given. */
  readonly path: string;
  readonly format: Format;
}
/** Standard input or output. */
export interface PipePlace {
  readonly kind: 'pipe';
  readonly name: 'standard input' | 'standard output';
  readonly format: Format;
}
export interface PostgresPlace {
  readonly kind: 'postgres';
  readonly address: string;
  readonly table: string | null;
  readonly query: string | null;
  /** The publisher states that each record is in the query's result at most once, chosen and ordered by public columns. */
  readonly rowsOnce: boolean;
}
export type Place = FilePlace | PipePlace | PostgresPlace;

const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.parquet': 'parquet',
  '.pq': 'parquet',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};

export function isPostgres(address: string): boolean {
  return /^postgres(ql)?:\/\//i.test(address);
}

export function readPlace(
  address: string,
  format: string | undefined,
  flag: '--input-format' | '--output-format',
  rows: {
    readonly table?: string | undefined;
    readonly query?: string | undefined;
    readonly rowsOnce?: boolean | undefined;
    readonly tableFlag: string;
  },
): Place {
  if (format !== undefined && !(FORMATS as readonly string[]).includes(format))
    throw new RangeError(`${flag}: expected ${FORMATS.join(', ')}, got ${format}`);
  if (isPostgres(address)) {
    if (rows.table !== undefined && rows.query !== undefined)
      throw new RangeError('--query: expected either --table or --query, got both');
    if (rows.table === undefined && rows.query === undefined)
      throw new RangeError(`${shownAddress(address)}: expected ${rows.tableFlag} to name the table`);
    if (rows.rowsOnce === true && rows.query === undefined)
      throw new RangeError('--rows-once: this is a statement about --query; leave it out');
    return {
      kind: 'postgres',
      address,
      table: rows.table ?? null,
      query: rows.query ?? null,
      rowsOnce: rows.rowsOnce === true,
    };
  }
  if (rows.table !== undefined || rows.query !== undefined || rows.rowsOnce === true)
    throw new RangeError(
      `${rows.table !== undefined ? rows.tableFlag : rows.query !== undefined ? '--query' : '--rows-once'}: only a postgres:// address has tables, got ${address}`,
    );
  const known = (format as Format | undefined) ?? EXTENSIONS[extname(address).toLowerCase()];
  if (known === undefined)
    throw new RangeError(
      `${address}: expected a name that ends in ${Object.keys(EXTENSIONS).join(', ')}, or ${flag}`,
    );
  return address === '-'
    ? { kind: 'pipe', name: flag === '--input-format' ? 'standard input' : 'standard output', format: known }
    : { kind: 'file', path: address, format: known };
}

/** The input's own name for the ledger; none for a pipe and for a query. */
export function nameOf(place: Place): string | null {
  if (place.kind === 'file') return basename(place.path, extname(place.path));
  return place.kind === 'postgres' ? place.table : null;
}

/** For people and for the ledger: no password, no folder of this machine. */
export function shownPlace(place: Place): string {
  if (place.kind === 'pipe') return place.name;
  if (place.kind === 'file') return basename(place.path);
  return `${shownAddress(place.address)} ${place.table === null ? 'query' : `table ${place.table}`}`;
}

/** Do two places name the same file or table? */
export function samePlace(a: Place, b: Place): boolean {
  if (a.kind === 'file' && b.kind === 'file') return sameFile(a.path, b.path);
  return (
    a.kind === 'postgres' &&
    b.kind === 'postgres' &&
    a.address === b.address &&
    a.table !== null &&
    a.table === b.table
  );
}

export function sameFile(a: string, b: string): boolean {
  if (!existsSync(a) || !existsSync(b)) return resolve(a) === resolve(b);
  const [one, other] = [statSync(a), statSync(b)];
  return (
    realpathSync(a) === realpathSync(b) || (one.ino !== 0 && one.ino === other.ino && one.dev === other.dev)
  );
}
