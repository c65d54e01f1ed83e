// An input as something DuckDB can select from: its columns, their types, and the clause that names it.

import { readSync } from 'node:fs';
import { checkNames } from './checks.js';
import { type Engine, limitMemory, single } from './engine.js';
import { InputError, openQuote } from './failure.js';
import { type Fifo, makeFifo } from './fifo.js';
import { type InputColumn, plainColumn } from './guard.js';
import { type Header, parseHeader } from './header.js';
import { literal } from './lattice-sql.js';
import { type OpenedFile, openFile } from './opened-file.js';
import { personSql } from './person.js';
import type { Format, Place } from './place.js';
import { shownPlace } from './place.js';
import { crowdedSql } from './postgres.js';
import { watchQuotes } from './quotes.js';
import { jsonLinesSource } from './source-json-lines.js';
import { parquetSource } from './source-parquet.js';
import { postgresSource } from './source-postgres.js';
import { spool } from './spool.js';

export interface Column extends InputColumn {
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
  /** May messages name the columns? Keys of JSON lines may be data. */
  readonly named: boolean;
  /** After FROM; asked for when rows are read, not before. */
  readonly relation: () => string;
  /** Can it be read again, to look for a row? Otherwise rows are numbered as they come. */
  readonly rereadable: boolean;
  /** Has a value of the column more rows than this? Null where the input can be read only once. */
  readonly crowded: ((column: string, rows: number) => Promise<boolean>) | null;
  readonly rows: number | null;
  /** Of CSV, which a CSV output keeps; null for the others. */
  readonly delimiter: string | null;
  /** Begin to pour in what does not lie in a file; returns when all has been read. */
  readonly feed: () => Promise<void>;
  /** Throws where the input is not what it was when it was opened. */
  readonly check: () => void;
  readonly close: () => Promise<void>;
}

const HEADER_CHUNK = 65_536;
const LONGEST_HEADER = 16_777_216;
/** Of a CSV, in bytes; the engine needs room for several. */
const LONGEST_LINE = 16_777_216;
const LONG_LINES = `max_line_size = ${LONGEST_LINE}, buffer_size = ${2 * LONGEST_LINE}`;

export async function openSource(engine: Engine, place: Place, delimiter: string | null): Promise<Source> {
  const shown = shownPlace(place);
  if (place.kind === 'postgres') return postgresSource(place, shown);
  if (place.kind === 'pipe' && (place.format === 'csv' || place.format === 'tsv'))
    return pipeSource(process.stdin, place.format, delimiter, shown);
  // What is read more than once is kept meanwhile in a file that has no name.
  const opened = place.kind === 'pipe' ? await spool(process.stdin) : openFile(place.path, shown);
  try {
    const source = await (place.format === 'parquet'
      ? parquetSource(engine, literal(globless(opened.path)), shown)
      : place.format === 'jsonl'
        ? jsonLinesSource(opened, shown)
        : fileSource(engine, opened, place.format, delimiter, shown));
    return {
      ...source,
      check: opened.check,
      close: async () => {
        await source.close();
        opened.close();
      },
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** A path in which no character stands for others. */
export function globless(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

/** A file of delimited text: its header is read here, its rows by the engine. */
function fileSource(
  engine: Engine,
  opened: OpenedFile,
  format: Format,
  delimiter: string | null,
  shown: string,
): Source {
  const header = fileHeader(opened.file, format, delimiter, shown);
  const source = delimited(header, shown, literal(globless(opened.path)), () =>
    readingOf(opened.file, header.delimiter, shown),
  );
  return {
    ...source,
    ...(format === 'tsv' ? { delimiter: null } : {}),
    rereadable: true,
    crowded: crowdedIn(engine, source),
    rows: null,
    feed: async () => undefined,
    check: () => undefined,
    close: async () => undefined,
  };
}

/** Are there more rows of a person than so many? Text names the same person in several ways. */
export function crowdedIn(engine: Engine, source: Pick<Source, 'columns' | 'relation'>) {
  return async (column: string, rows: number) => {
    const { sql, type } = source.columns.find(({ name }) => name === column)!;
    await limitMemory(engine, 'large');
    const person = type === 'VARCHAR' ? personSql(sql) : sql;
    const crowded = (await single(engine, crowdedSql(source.relation(), person, rows))) !== undefined;
    await limitMemory(engine, 'small');
    return crowded;
  };
}

/** Delimited text in a file or pipe: every cell is text, so that it comes out as it went in. */
export function delimited(
  header: Header,
  shown: string,
  path: string,
  reading: () => string,
): Pick<Source, 'shown' | 'columns' | 'named' | 'relation' | 'delimiter'> {
  const columns = header.names.map((name, i) => ({
    ...plainColumn(name),
    type: 'VARCHAR',
    sql: `"column ${i}"`,
    cast: null,
  }));
  const types = columns.map((_, i) => `'column ${i}': 'VARCHAR'`).join(', ');
  let relation: string | undefined;
  return {
    shown,
    named: true,
    delimiter: header.delimiter,
    columns,
    relation: () =>
      (relation ??= `read_csv(${path}, columns = {${types}}, auto_detect = false, header = true, delim = ${literal(header.delimiter)}, quote = '"', escape = '"', allow_quoted_nulls = false, null_padding = false, strict_mode = true, hive_partitioning = false, ${reading()})`),
  };
}

/** Where every stretch of a file of this length holds a line end, no line is as long as the engine takes without asking. */
const STRETCH = 900_000;

/**
 * How the engine is to read a file. In several pieces at once only where the file has neither quotes nor carriage returns, so that
 * every line feed ends a row; with a line end inside quotes it would begin a piece in the middle of a cell, and take what
 * follows for rows. With room for long lines only where there are some, for that takes time and memory. A file whose last quote
 * is not closed is refused.
 */
function readingOf(file: number, delimiter: string, shown: string): string {
  const quotes = watchQuotes(delimiter);
  const piece = Buffer.alloc(STRETCH);
  let long = false;
  for (let at = 0; ; ) {
    const count = readSync(file, piece, 0, piece.length, at);
    if (count === 0) break;
    const bytes = piece.subarray(0, count);
    quotes.push(bytes);
    long ||= count === STRETCH && !bytes.includes(0x0a) && !bytes.includes(0x0d);
    at += count;
  }
  if (quotes.open()) throw openQuote(shown);
  // A row with quotes may be longer than its lines.
  return `parallel = ${quotes.plain()}${long || !quotes.plain() ? `, ${LONG_LINES}` : ''}`;
}

function fileHeader(file: number, format: Format, delimiter: string | null, shown: string): Header {
  let bytes = Buffer.alloc(0);
  // Twice as much each time, so that a long header is not gone through again and again.
  for (let size = HEADER_CHUNK; ; size *= 2) {
    const more = Buffer.alloc(size);
    const count = readSync(file, more, 0, more.length, bytes.length);
    bytes = Buffer.concat([bytes, more.subarray(0, count)]);
    const header = headerOf(bytes, format, delimiter, count === 0, shown);
    if (header) return header;
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
  const header = parseHeader(
    bytes.toString('utf8'),
    delimiter ?? (format === 'tsv' ? '\t' : null),
    whole,
    shown,
  );
  if (header) checkNames(header.names, shown);
  return header;
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
  let [pieces, size]: [Uint8Array[], number] = [[], 0];
  while (!header) {
    const { value, done } = await chunks.next();
    if (!done) pieces.push(value);
    size += value?.length ?? 0;
    // Twice as much each time, or all there is: a reader of a terminal waits for no second line.
    const ended = done === true || value.includes(0x0a) || value.includes(0x0d);
    if (!ended && size < bytes.length) continue;
    bytes = Buffer.concat([bytes, ...pieces]);
    [pieces, size] = [[], 0];
    header = headerOf(bytes, format, delimiter, done === true, shown);
  }
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
    ...delimited(header, shown, literal(fifo.path), () => `parallel = false, ${LONG_LINES}`),
    rereadable: false,
    crowded: null,
    rows: null,
    feed: async () => {
      await fifo.feed(
        (async function* () {
          const quotes = watchQuotes(header.delimiter);
          quotes.push(first);
          yield first;
          for await (const bytes of { [Symbol.asyncIterator]: () => rest }) {
            quotes.push(bytes);
            yield bytes;
          }
          if (quotes.open()) throw openQuote(shown);
        })(),
      );
    },
    check: () => undefined,
    close: async () => fifo.close(),
  };
}
