// An input as something DuckDB can select from: its columns, their types, and the clause that names it.

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Engine, single } from './engine.js';
import { engineFailure, InputError } from './failure.js';
import { type Fifo, makeFifo } from './fifo.js';
import { type Header, parseHeader } from './header.js';
import { identifier, literal } from './lattice-sql.js';
import { type Format, type Place, shownPlace } from './place.js';
import { openTable } from './postgres.js';

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
  /** Can it be read again, to look for a row? */
  readonly rereadable: boolean;
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
  if (place.kind === 'pipe') {
    if (place.format === 'parquet' || place.format === 'jsonl')
      throw new RangeError(
        `standard input: ${place.format} is read more than once here; save it to a file first`,
      );
    return pipeSource(process.stdin, place.format, delimiter, shown);
  }
  checkFile(place.path);
  const path = literal(globless(resolve(place.path)));
  if (place.format === 'parquet') {
    const relation = `read_parquet(${path})`;
    const rows = await attempt(shown, () =>
      single<bigint>(engine, `SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(${path})`),
    );
    return tableSource(engine, shown, relation, Number(rows));
  }
  if (place.format === 'jsonl') {
    // Every line is looked at for its keys: one that comes late must not be lost.
    return tableSource(
      engine,
      shown,
      `read_json(${path}, format = 'newline_delimited', sample_size = -1)`,
      null,
    );
  }
  const header = fileHeader(place.path, place.format, delimiter, shown);
  return {
    ...delimited(header, shown, path),
    ...(place.format === 'tsv' ? { delimiter: null } : {}),
    rereadable: true,
    rows: null,
    feed: async () => undefined,
    close: async () => undefined,
  };
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

async function tableSource(
  engine: Engine,
  shown: string,
  relation: string,
  rows: number | null,
): Promise<Source> {
  const described = await attempt(shown, () => engine.runAndReadAll(`DESCRIBE SELECT * FROM ${relation}`));
  const columns = described.getRows().map(([name, type]) => ({
    name: String(name),
    type: String(type),
    sql: identifier(String(name)),
    cast: null,
  }));
  return {
    shown,
    columns,
    relation,
    rereadable: true,
    rows,
    delimiter: null,
    feed: async () => undefined,
    close: async () => undefined,
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
function delimited(
  header: Header,
  shown: string,
  path: string,
): Pick<Source, 'shown' | 'columns' | 'relation' | 'delimiter'> {
  const twice = header.names.find((name, i) => header.names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new InputError(
      `${shown}: two columns are called ${JSON.stringify(twice)}; give each a name of its own`,
    );
  const nameless = header.names.indexOf('') + 1;
  if (nameless > 0)
    throw new InputError(`${shown}: column ${nameless} has no name; give it one in the header line`);
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
    relation: `read_csv(${path}, columns = {${types}}, auto_detect = false, header = true, delim = ${literal(header.delimiter)}, quote = '"', escape = '"', allow_quoted_nulls = false, null_padding = false, strict_mode = true)`,
  };
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
  return onFifo(makeFifo(), header, shown, bytes, chunks);
}

function onFifo(
  fifo: Fifo,
  header: Header,
  shown: string,
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): Source {
  return {
    ...delimited(header, shown, literal(fifo.path)),
    rereadable: false,
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

/** A table or query of PostgreSQL as CSV, in which only NULL is unquoted and empty. */
async function postgresSource(place: Place & { kind: 'postgres' }, shown: string): Promise<Source> {
  const table = await openTable(place);
  const header = { names: table.columns.map(({ name }) => name), delimiter: ',' };
  const fifo = makeFifo();
  const line = Buffer.from(`${header.names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')}\n`);
  const inner = onFifo(fifo, header, shown, line, table.csv()[Symbol.asyncIterator]());
  return {
    ...inner,
    columns: inner.columns.map((column, i) => ({ ...column, cast: duckdbType(table.columns[i]!.type) })),
    close: async () => {
      await inner.close();
      await table.close();
    },
  };
}

/** The type of DuckDB that holds what this type of PostgreSQL does; null is text. */
function duckdbType(type: string): string | null {
  const numeric = /^numeric\((\d+),(\d+)\)$/.exec(type);
  if (numeric && Number(numeric[1]) <= 38) return `DECIMAL(${numeric[1]}, ${numeric[2]})`;
  const known: Record<string, string> = {
    smallint: 'SMALLINT',
    integer: 'INTEGER',
    bigint: 'BIGINT',
    real: 'FLOAT',
    'double precision': 'DOUBLE',
    boolean: 'BOOLEAN',
    date: 'DATE',
    'timestamp without time zone': 'TIMESTAMP',
    uuid: 'UUID',
  };
  return known[type] ?? null;
}
