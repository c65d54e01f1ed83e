// Delimited text: its header is read here, its rows by the engine.

import { readSync } from 'node:fs';
import { bytesOf, type OpenedFile } from '../../files/index.js';
import { brokenRows, delimitedHeader, type Header, noRows } from '../../rows/index.js';
import { delimited, fed, LONG_LINES, poured } from '../poured.js';
import { watchQuotes } from '../quotes.js';
import { atRest, crowdedIn, type Opening, type Source } from '../source.js';
import { literal } from '../sql.js';
import { watchUtf8 } from '../utf8.js';
import { decoded } from './encoding.js';
import type { Format } from './format.js';

const HEADER_CHUNK = 65_536;

/** Delimited text whose delimiter is given, or found in the header where it is null. */
export function delimitedFormat(
  name: string,
  extensions: readonly string[],
  delimiter: string | null,
): Format {
  return {
    name,
    extensions,
    typed: false,
    keyed: false,
    text: (file, encoding, shown) => (encoding ? decoded(bytesOf(file), encoding, shown) : bytesOf(file)),
    open: async (file, opening) => {
      const { encoding, shown } = opening;
      if (!encoding) return fileSource(file, own(opening));
      const again = () => decoded(bytesOf(file), encoding, shown);
      return streamSource(again(), own(opening), again);
    },
    openStream: (stream, opening, again) => {
      const { encoding, shown } = opening;
      const text = (bytes: AsyncIterable<Uint8Array>) => (encoding ? decoded(bytes, encoding, shown) : bytes);
      return streamSource(text(stream), own(opening), again && (() => text(again())));
    },
    writeSql: (inputDelimiter) =>
      `FORMAT csv, DELIMITER ${literal(delimiter ?? inputDelimiter ?? ',')}, QUOTE '"', ESCAPE '"', NULLSTR '', HEADER true`,
    readSql: (path) =>
      `read_csv(${path}, all_varchar = true, header = true, hive_partitioning = false${delimiter === null ? '' : `, delim = ${literal(delimiter)}`})`,
  };

  function own(opening: Opening): Opening & { keeps: boolean } {
    return { ...opening, delimiter: opening.delimiter ?? delimiter, keeps: delimiter === null };
  }
}

/** `keeps`: does an output in the same format take over the delimiter? */
type Delimited = Opening & { readonly keeps: boolean };

function fileSource(file: OpenedFile, opening: Delimited): Source {
  const { engine, shown, keeps } = opening;
  const header = fileHeader(file.file, opening);
  const source = delimited(header, shown, file.path, () =>
    readingOf(file.file, header.delimiter, opening.whole ?? shown),
  );
  return {
    ...atRest,
    ...source,
    delimiter: keeps ? source.delimiter : null,
    crowded: crowdedIn(engine, source),
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
  const [quotes, utf8] = [watchQuotes(delimiter), watchUtf8(shown)];
  const piece = Buffer.alloc(STRETCH);
  let long = false;
  for (let at = 0; ; ) {
    const count = readSync(file, piece, 0, piece.length, at);
    if (count === 0) break;
    const bytes = piece.subarray(0, count);
    utf8.push(bytes);
    quotes.push(bytes);
    long ||= count === STRETCH && !bytes.includes(0x0a) && !bytes.includes(0x0d);
    at += count;
  }
  utf8.end();
  if (quotes.open()) throw brokenRows(shown, 'a quote that is not closed');
  // A row with quotes may be longer than its lines.
  return `parallel = ${quotes.plain()}${long || !quotes.plain() ? `, ${LONG_LINES}` : ''}`;
}

function fileHeader(file: number, opening: Opening): Header {
  let bytes = Buffer.alloc(0);
  // Twice as much each time, so that a long header is not gone through again and again.
  for (let size = HEADER_CHUNK; ; size *= 2) {
    const more = Buffer.alloc(size);
    const count = readSync(file, more, 0, more.length, bytes.length);
    bytes = Buffer.concat([bytes, more.subarray(0, count)]);
    const header = headerOf(bytes, count === 0, opening);
    if (header) return header;
  }
}

/** Null where there is more to read: the rest of the line, or what tells that a row follows it. */
function headerOf(
  bytes: Buffer,
  whole: boolean,
  { delimiter, shown, guarded = [], withRows }: Opening,
): Header | null {
  const header = delimitedHeader(bytes, delimiter, whole, shown, guarded);
  if (!header || !withRows || hasRow(bytes)) return header;
  if (whole) throw noRows(shown);
  return null;
}

/** Does anything but line ends follow the first line? */
function hasRow(bytes: Buffer): boolean {
  const isEnd = (byte: number) => byte === 0x0a || byte === 0x0d;
  const end = bytes.findIndex(isEnd);
  return end >= 0 && bytes.subarray(end).some((byte) => !isEnd(byte));
}

/** Through a named pipe; with `again`, a second time for the rows of each person. */
async function streamSource(
  stream: AsyncIterable<Uint8Array>,
  opening: Delimited,
  again: (() => AsyncIterable<Uint8Array>) | null,
): Promise<Source> {
  const { header, first, rest } = await streamHeader(stream, opening);
  const source = poured(header, opening.shown, first, rest);
  return {
    ...source,
    delimiter: opening.keeps ? source.delimiter : null,
    crowded:
      again &&
      (async (column, rows) => {
        const second = await streamSource(again(), opening, null);
        try {
          return await fed(second, () => crowdedIn(opening.engine, second)(column, rows));
        } finally {
          await second.close();
        }
      }),
  };
}

/** The header of a stream, what has been read of it, and what follows. */
async function streamHeader(stream: AsyncIterable<Uint8Array>, opening: Opening) {
  const rest = stream[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  let header: Header | null = null;
  let [pieces, size]: [Uint8Array[], number] = [[], 0];
  while (!header) {
    const { value, done } = await rest.next();
    if (!done) pieces.push(value);
    size += value?.length ?? 0;
    // Twice as much each time, or all there is: a reader of a terminal waits for no second line.
    const ended = done === true || value.includes(0x0a) || value.includes(0x0d);
    if (!ended && size < first.length) continue;
    first = Buffer.concat([first, ...pieces]);
    [pieces, size] = [[], 0];
    header = headerOf(first, done === true, opening);
  }
  return { header, first, rest };
}
