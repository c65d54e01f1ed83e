// The first line of delimited text: its cells, and what separates them. What the engine might read otherwise is refused, for a
// row that is taken for a part of the header, or a name for another one, would leave in clear.

import { badData } from '../error/index.js';

export interface Header {
  readonly names: readonly string[];
  readonly delimiter: string;
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Null where the text ends before the line does; `whole` says that no more will come. */
export function parseHeader(
  start: string,
  delimiter: string | null,
  whole: boolean,
  shown: string,
): Header | null {
  const source = start.startsWith('\ufeff') ? start.slice(1) : start;
  const separator = delimiter ?? mostFrequent(source);
  const names: string[] = [];
  let at = 0;
  for (;;) {
    const cell = readCell(source, at, separator);
    if (cell === 'open' && !whole) return null;
    if (cell === 'lines')
      throw badData(
        `${shown}: a quote in the header line is not closed, or a name goes over several lines; close it, or rename the column`,
      );
    if (typeof cell === 'string' || /^\s+"/.test(cell.text))
      throw badData(
        `${shown}: a quote in the header line is not closed, or stands beside a name; quotes begin and end a name`,
      );
    names.push(cell.text);
    at = cell.end;
    if (at >= source.length) return whole ? { names, delimiter: separator } : null;
    if (source[at] === '\n' || source[at] === '\r') return { names, delimiter: separator };
    at++;
  }
}

/** The cell that begins here, and where what follows it stands; or that a quote is open, goes over several lines, or ends before its cell. */
function readCell(
  text: string,
  start: number,
  delimiter: string,
): { text: string; end: number } | 'open' | 'lines' | 'odd' {
  const ends = (at: number) =>
    at >= text.length || text[at] === delimiter || text[at] === '\n' || text[at] === '\r';
  let at = start;
  if (text[at] !== '"') {
    while (!ends(at)) at++;
    return { text: text.slice(start, at), end: at };
  }
  let cell = '';
  for (at++; at < text.length; at++) {
    if (text[at] === '\n' || text[at] === '\r') return 'lines';
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') {
      cell += '"';
      at++;
    } else return ends(at + 1) ? { text: cell, end: at + 1 } : 'odd';
  }
  return 'open';
}

/** Of the first line, outside of quotes. */
function mostFrequent(text: string): string {
  const [line = ''] = text.split(/[\n\r]/, 1);
  const outside = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((char) => outside.split(char).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}
