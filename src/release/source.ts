// An input as something DuckDB can select from: its columns, their types, and the clause that names it.

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Engine, limitMemory, single } from './engine.js';
import { engineFailure, InputError } from './failure.js';
import { type Fifo, makeFifo } from './fifo.js';
import { type Header, parseHeader } from './header.js';
import { identifier, literal } from './lattice-sql.js';
import { type FilePlace, type Format, type Place, shownPlace } from './place.js';
import { crowdedSql } from './postgres.js';
import { jsonLinesSource } from './source-json-lines.js';
import { postgresSource } from './source-postgres.js';
import { spool } from './spool.js';

export interface Column {
  readonly name: string;
  /** As DuckDB reads it. */
  readonly type: string;
  /** How SQL refers to it. */
  readonly sql: string;
  /** What it is turned to where the output has types; null leaves it as it is. */
  readonly cast: string | null;
}

export interface Source {
  readonly shown: string;
  readonly columns: readonly Column[];
  /** After FROM. */
  readonly relation: string;
  /** Can it be read again, to look for a row? Otherwise rows are numbered as they come. */
  readonly rereadable: boolean;
  /** Has a value of the column more rows than this? Null where the input can be read only once. */
  readonly crowded: ((column: string, rows: number) => Promise<boolean>) | null;
  readonly rows: number | null;
  /** Of CSV, which a CSV output keeps; null for the others. */
  readonly delimiter: string | null;
  /** Begin to pour in what does not lie in a file; returns when all has been read. */
  readonly feed: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const HEADER_CHUNK = 65_536;
const LONGEST_HEADER = 16_777_216;

export async function openSource(engine: Engine, place: Place, delimiter: string | null): Promise<Source> {
  const shown = shownPlace(place);
  if (place.kind === 'postgres') return postgresSource(place, shown);
  if (place.kind === 'file') checkFile(place.path);
  if (place.format === 'csv' || place.format === 'tsv') {
    if (place.kind === 'pipe') return pipeSource(process.stdin, place.format, delimiter, shown);
    return fileSource(engine, place.path, place.format, delimiter, shown);
  }
  // What is read more than once is kept meanwhile in a file that has no name.
  const kept = place.kind === 'pipe' ? await spool(process.stdin) : null;
  const path = kept ? kept.path : resolve((place as FilePlace).path);
  try {
    const source =
      place.format === 'parquet'
        ? await parquetSource(engine, literal(globless(path)), shown)
        : await jsonLinesSource(path, shown);
    return {
      ...source,
      close: async () => {
        await source.close();
        kept?.close();
      },
    };
  } catch (error) {
    kept?.close();
    throw error;
  }
}

export function checkFile(path: string): void {
  if (!existsSync(path)) throw new RangeError(`${path}: no such file or directory`);
  if (!statSync(path).isFile())
    throw new RangeError(`${path}: expected a file; name one, or - for standard input`);
}

/** A path in which no character stands for others. */
export function globless(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

/** A file of delimited text: its header is read here, its rows by the engine. */
function fileSource(
  engine: Engine,
  path: string,
  format: Format,
  delimiter: string | null,
  shown: string,
): Source {
  const header = fileHeader(path, format, delimiter, shown);
  const source = delimited(header, shown, literal(globless(resolve(path))));
  return {
    ...source,
    ...(format === 'tsv' ? { delimiter: null } : {}),
    rereadable: true,
    crowded: crowdedIn(engine, source),
    rows: null,
    feed: async () => undefined,
    close: async () => undefined,
  };
}

async function parquetSource(engine: Engine, path: string, shown: string): Promise<Source> {
  const file = `read_parquet(${path}, hive_partitioning = false)`;
  const [rows, names, described] = await attempt(
    shown,
    async () =>
      [
        await single<bigint>(engine, `SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(${path})`),
        await engine.runAndReadAll(`SELECT name FROM parquet_schema(${path}) OFFSET 1`),
        await engine.runAndReadAll(`DESCRIBE SELECT * FROM ${file}`),
      ] as const,
  );
  // By position, so that no name of the file meets one of ours.
  const columns = described.getRows().map(([name, type], i) => ({
    name: String(name),
    type: String(type),
    sql: `"column ${i}"`,
    cast: null,
  }));
  const list = columns.map(({ name, sql }) => `${identifier(name)} AS ${sql}`).join(', ');
  const relation = `(SELECT ${list} FROM ${file})`;
  // The engine renames columns that differ only in case; names inside nested columns are not its columns.
  const written = new Set(names.getRows().map(([name]) => String(name)));
  const renamed = columns.find(({ name }) => !written.has(name));
  if (renamed) throw sameButForCase(shown, renamed.name.replace(/_\d+$/, ''));
  return {
    shown,
    columns,
    relation,
    rereadable: true,
    crowded: crowdedIn(engine, { columns, relation }),
    rows: Number(rows),
    delimiter: null,
    feed: async () => undefined,
    close: async () => undefined,
  };
}

function crowdedIn(engine: Engine, source: Pick<Source, 'columns' | 'relation'>) {
  return async (column: string, rows: number) => {
    const { sql } = source.columns.find(({ name }) => name === column)!;
    await limitMemory(engine, 'large');
    const crowded = (await single(engine, crowdedSql(source.relation, sql, rows))) !== undefined;
    await limitMemory(engine, 'small');
    return crowded;
  };
}

async function attempt<T>(shown: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw engineFailure(error, shown, shown);
  }
}

/** Delimited text in a file or pipe: every cell is text, so that it comes out as it went in. */
export function delimited(
  header: Header,
  shown: string,
  path: string,
): Pick<Source, 'shown' | 'columns' | 'relation' | 'delimiter'> {
  checkNames(header.names, shown);
  const columns = header.names.map((name, i) => ({
    name,
    type: 'VARCHAR',
    sql: `"column ${i}"`,
    cast: null,
  }));
  const types = columns.map((_, i) => `'column ${i}': 'VARCHAR'`).join(', ');
  return {
    shown,
    delimiter: header.delimiter,
    columns,
    relation: `read_csv(${path}, columns = {${types}}, auto_detect = false, header = true, delim = ${literal(header.delimiter)}, quote = '"', escape = '"', allow_quoted_nulls = false, null_padding = false, strict_mode = true, hive_partitioning = false)`,
  };
}

export function checkNames(names: readonly string[], shown: string): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new InputError(
      `${shown}: two columns are called ${JSON.stringify(twice)}; give each a name of its own`,
    );
  const lower = names.map((name) => name.toLowerCase());
  const similar = lower.findIndex((name, i) => lower.indexOf(name) !== i);
  if (similar >= 0) throw sameButForCase(shown, names[similar]!);
  const nameless = names.indexOf('') + 1;
  if (nameless > 0)
    throw new InputError(`${shown}: column ${nameless} has no name; give it one in the header line`);
}

function sameButForCase(shown: string, name: string): InputError {
  return new InputError(
    `${shown}: two columns are called ${JSON.stringify(name)} but for upper and lower case, which DuckDB does not tell apart; rename one`,
  );
}

function fileHeader(path: string, format: Format, delimiter: string | null, shown: string): Header {
  const file = openSync(path, 'r');
  try {
    let bytes = Buffer.alloc(0);
    for (;;) {
      const more = Buffer.alloc(HEADER_CHUNK);
      const count = readSync(file, more, 0, more.length, bytes.length);
      bytes = Buffer.concat([bytes, more.subarray(0, count)]);
      const header = headerOf(bytes, format, delimiter, count === 0, shown);
      if (header) return header;
    }
  } finally {
    closeSync(file);
  }
}

function headerOf(
  bytes: Buffer,
  format: Format,
  delimiter: string | null,
  whole: boolean,
  shown: string,
): Header | null {
  if (
    whole &&
    bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trim() === ''
  )
    throw new InputError(`${shown}: the file is empty; expected a header line with the columns' names`);
  if (bytes.length > LONGEST_HEADER)
    throw new InputError(`${shown}: the header line is longer than 16 MB; is this a text file?`);
  if (bytes.subarray(0, 4).toString('latin1') === 'PAR1')
    throw new InputError(`${shown}: this is a Parquet file; say so with --input-format parquet`);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new InputError(
      `${shown}: this file is compressed; unpack it first, or pipe it: gunzip -c … | discreet release -`,
    );
  if (bytes[0] === 0xff || bytes[0] === 0xfe || bytes.subarray(0, 4).includes(0))
    throw new InputError(
      `${shown}: the text is not UTF-8; convert the file first, or name its format with --input-format`,
    );
  return parseHeader(bytes.toString('utf8'), delimiter ?? (format === 'tsv' ? '\t' : null), whole);
}

/** A stream of delimited text: its header is read here, all of it goes through a named pipe. */
async function pipeSource(
  stream: AsyncIterable<Uint8Array>,
  format: Format,
  delimiter: string | null,
  shown: string,
): Promise<Source> {
  const chunks = stream[Symbol.asyncIterator]();
  let bytes = Buffer.alloc(0);
  let header: Header | null = null;
  while (!header) {
    const { value, done } = await chunks.next();
    if (!done) bytes = Buffer.concat([bytes, value]);
    header = headerOf(bytes, format, delimiter, done === true, shown);
  }
  checkNames(header.names, shown);
  return onFifo(makeFifo(), header, shown, bytes, chunks);
}

/** A source that is poured through a named pipe, once. */
export function onFifo(
  fifo: Fifo,
  header: Header,
  shown: string,
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): Source {
  return {
    ...delimited(header, shown, literal(fifo.path)),
    rereadable: false,
    crowded: null,
    rows: null,
    feed: async () => {
      await fifo.feed(
        (async function* () {
          yield first;
          yield* { [Symbol.asyncIterator]: () => rest };
        })(),
      );
    },
    close: async () => fifo.close(),
  };
}
