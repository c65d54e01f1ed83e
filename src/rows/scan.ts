// Delimited text cut into rows and cells where they stand, byte by byte [RFC 4180]: nothing is decoded, and nothing is guessed. What
// two readers might cut differently is refused, for a true value could leave in what one of them takes for another column.

import { badData, invalid, quote } from '../error/index.js';
import { brokenRows } from './refusals.js';

/** Where the cells of a row stand in `bytes`; the same object for every row. */
export interface ScannedRow {
  bytes: Uint8Array;
  /** Of the row, its line end included. */
  from: number;
  to: number;
  /** Of each cell, quotes included. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The header is row 0. */
  number: number;
}

export interface Scanner {
  /** Calls `each` for every row that is whole, and returns how far it came; the rest is to be pushed again with what follows it. */
  readonly scan: (bytes: Uint8Array, last: boolean, each: (row: ScannedRow) => void) => number;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;
const LONGEST_ROW = 16_777_216;

/** Of text with this delimiter and so many cells in each row, the header among them. */
export function rowScanner(delimiter: string, columns: number, shown: string): Scanner {
  if (delimiter.length !== 1 || delimiter > '~' || /["\r\n]/.test(delimiter))
    throw invalid(
      `delimiter: expected one character of ASCII that is neither a quote nor a line end, got ${quote(delimiter)}`,
    );
  const separator = delimiter.charCodeAt(0);
  const row: ScannedRow = {
    bytes: new Uint8Array(),
    from: 0,
    to: 0,
    starts: new Int32Array(columns),
    ends: new Int32Array(columns),
    number: 0,
  };
  /** Line feed, carriage return, or both: as the header's line ends, so must all. */
  let lineEnd: 'LF' | 'CR' | 'CRLF' | null = null;

  const broken = (what: string) => brokenRows(shown, `data row ${row.number}: ${what}`);

  /** The end of the cell that begins here; −1 where more must come first. */
  const cellEnd = (bytes: Uint8Array, start: number, last: boolean): number => {
    let at = start;
    if (bytes[at] !== QUOTE) {
      while (at < bytes.length && bytes[at] === BLANK && separator !== BLANK) at++;
      // Some take the quote behind blanks for one that opens a cell, and some for a letter.
      if (at > start && bytes[at] === QUOTE) throw broken('a quote behind blanks');
      for (; at < bytes.length; at++) {
        const byte = bytes[at]!;
        if (byte === separator || byte === LINE_FEED || byte === RETURN) return at;
      }
      return last ? at : -1;
    }
    for (at++; at < bytes.length; at++) {
      if (bytes[at] !== QUOTE) continue;
      if (at + 1 >= bytes.length) return last ? at + 1 : -1;
      const next = bytes[at + 1]!;
      if (next === QUOTE) at++;
      else if (next === separator || next === LINE_FEED || next === RETURN) return at + 1;
      else throw broken('a quote inside a cell');
    }
    if (last) throw broken('a quote that is not closed');
    return -1;
  };

  /** The row that begins here, told by where the next one does; −1 where more must come first. */
  const scanRow = (bytes: Uint8Array, from: number, last: boolean): number => {
    let count = 0;
    // A byte order mark stands before the first cell.
    const marked =
      row.number === 0 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf;
    for (let at = from + (marked ? 3 : 0); ; at++) {
      const end = cellEnd(bytes, at, last);
      if (end < 0) return -1;
      if (count < columns) {
        row.starts[count] = at;
        row.ends[count] = end;
      }
      count++;
      if (end < bytes.length && bytes[end] === separator) {
        at = end;
        continue;
      }
      const next = lineEndAt(bytes, end, last);
      if (next < 0) return -1;
      // A line without anything is no row, unless rows are of one cell.
      row.starts[columns - 1] = count === columns ? row.starts[columns - 1]! : -1;
      if (count !== columns && !(count === 1 && end === from))
        throw broken(`expected ${columns} ${columns === 1 ? 'cell' : 'cells'}, got ${count}`);
      return next;
    }
  };

  const lineEndAt = (bytes: Uint8Array, end: number, last: boolean): number => {
    if (end >= bytes.length) return end;
    if (bytes[end] === RETURN && end + 1 >= bytes.length && !last) return -1;
    const found = bytes[end] === LINE_FEED ? 'LF' : bytes[end + 1] === LINE_FEED ? 'CRLF' : 'CR';
    lineEnd ??= found;
    if (found !== lineEnd) throw broken('another line end than before');
    return end + (found === 'CRLF' ? 2 : 1);
  };

  const scan: Scanner['scan'] = (bytes, last, each) => {
    row.bytes = bytes;
    let from = 0;
    while (from < bytes.length) {
      const next = scanRow(bytes, from, last);
      if (next < 0) break;
      [row.from, row.to] = [from, next];
      if (row.starts[columns - 1]! >= 0) {
        each(row);
        row.number++;
      }
      from = next;
    }
    if (bytes.length - from > LONGEST_ROW)
      throw badData(`${shown}: a row is longer than 16 MB, or a quote is not closed`);
    return from;
  };
  return { scan };
}

const decoder = new TextDecoder();

/** What a cell says, without its quotes. */
export function cellText({ bytes, starts, ends }: ScannedRow, column: number): string {
  const [start, end] = [starts[column]!, ends[column]!];
  if (bytes[start] === QUOTE) return decoder.decode(bytes.subarray(start + 1, end - 1)).replaceAll('""', '"');
  // Short and plain, as numbers are: without a decoder's detour.
  if (end - start > 20) return decoder.decode(bytes.subarray(start, end));
  let text = '';
  for (let at = start; at < end; at++) {
    if (bytes[at]! > 127) return decoder.decode(bytes.subarray(start, end));
    text += String.fromCharCode(bytes[at]!);
  }
  return text;
}

/** Is there nothing in the cell, with or without quotes? */
export function isEmptyCell({ bytes, starts, ends }: ScannedRow, column: number): boolean {
  const length = ends[column]! - starts[column]!;
  return length === 0 || (length === 2 && bytes[starts[column]!] === QUOTE);
}
