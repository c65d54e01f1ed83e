// Delimited text from several files as one stream: the header once, then the rows of each.

import { badData } from '../../error/index.js';
import { brokenRows } from '../../rows/index.js';
import { watchQuotes } from '../quotes.js';

export interface Part {
  readonly shown: string;
  /** Its text in UTF-8. */
  readonly text: () => AsyncIterable<Uint8Array>;
}

/** Names of files are told, and no cell of them. */
export async function* joinedText(
  /** All of them, as what is wrong with rows is told of. */
  whole: string,
  parts: readonly Part[],
  delimiterOf: (line: string) => string,
): AsyncGenerator<Uint8Array> {
  let header: string | null = null;
  let lineEnd = '\n';
  let quotes = watchQuotes(',');
  for (const { shown, text } of parts) {
    let line: Buffer | null = Buffer.alloc(0);
    let last = 0x0a;
    for await (const piece of text()) {
      let rest: Uint8Array = piece;
      if (line !== null) {
        line = Buffer.concat([line, piece]);
        const end: number = line.findIndex((byte) => byte === 0x0a || byte === 0x0d);
        if (end < 0) continue;
        const own: string = line
          .subarray(0, end)
          .toString('utf8')
          .replace(/^\ufeff/, '');
        if (header !== null && own !== header) throw otherColumns(shown, parts[0]!.shown);
        quotes = watchQuotes(delimiterOf(own));
        // Of the first the header stays.
        const after: number = line[end] === 0x0d && line[end + 1] === 0x0a ? end + 2 : end + 1;
        if (header === null) lineEnd = line.subarray(end, after).toString();
        rest = header === null ? line : line.subarray(after);
        header = own;
        line = null;
      }
      quotes.push(rest);
      if (rest.length > 0) last = rest.at(-1)!;
      yield rest;
    }
    if (line !== null) {
      const own: string = line.toString('utf8').replace(/^\ufeff/, '');
      if (own.trim() === '')
        throw badData(`${shown}: the file is empty; expected a header line with the columns' names`);
      if (header !== null && own !== header) throw otherColumns(shown, parts[0]!.shown);
      // A header alone, whose line does not end: only the first is written.
      if (header === null) {
        yield line;
        last = 0;
      }
      header = own;
    }
    if (quotes.open()) throw brokenRows(whole, `${shown}: a quote that is not closed`);
    if (last !== 0x0a && last !== 0x0d) yield Buffer.from(lineEnd);
  }
}

export function otherColumns(shown: string, first: string) {
  return badData(
    `${shown}: its columns are not those of ${first}, by name, order and type; make them alike, or release the files one by one`,
  );
}
