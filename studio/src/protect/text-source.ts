// Delimited text and JSON lines as sources: cut and rewritten by discreet-dp/rows, piece by piece.

import { badData, isOurs } from 'discreet-dp/error';
import {
  cellOf,
  cellText,
  delimitedHeader,
  delimitedRewriter,
  isEmptyCell,
  joinedBytes,
  jsonLinesRewriter,
  keyCollector,
  lineSplitter,
  type Rewriter,
  readLine,
  rowScanner,
  truth,
  utf8Check,
} from 'discreet-dp/rows';
import type { Progress } from '../engine/serve.js';
import { type Opening, piecesOf, type Source, type SourceFormat } from './source.js';

async function rewritten(file: File, opening: Opening, rewriter: Rewriter, type: string, progress: Progress) {
  // Each piece becomes a Blob at once, which a browser may keep on its disk.
  const parts: Blob[] = [];
  let read = 0;
  for await (const piece of piecesOf(file, opening)) {
    parts.push(new Blob([rewriter.push(piece)]));
    read += piece.length;
    progress(Math.min(1, read / file.size), `${rewriter.outcome().rows.toLocaleString('en')} rows`);
  }
  parts.push(new Blob([rewriter.finish()]));
  return { blob: new Blob(parts, { type }), outcome: rewriter.outcome() };
}

/** CSV, TSV and the like. */
function delimitedFormat(endings: readonly string[], ending: string, delimiter: string | null): SourceFormat {
  return {
    endings,
    open: async (file, opening): Promise<Source> => {
      const header = await headerOf(file, opening, delimiter);
      return {
        format: ending.slice(1),
        ending,
        columns: header.names.map((name) => ({ name, nested: false })),
        each: async (row, most, progress) => {
          const scanner = rowScanner(header.delimiter, header.names.length, file.name);
          const check = utf8Check(file.name);
          let waiting: Uint8Array = new Uint8Array();
          let read = 0;
          const scan = (bytes: Uint8Array, last: boolean) => {
            const all = joinedBytes(waiting, bytes);
            const used = scanner.scan(all, last, (own) => {
              if (own.number > 0)
                row((column) => (isEmptyCell(own, column) ? null : cellText(own, column)), own.number);
            });
            waiting = all.slice(used);
          };
          for await (const piece of piecesOf(file, opening)) {
            inEncoding(() => check(piece));
            scan(piece, false);
            read += piece.length;
            progress(Math.min(1, read / Math.min(file.size, most)), 'looking at the columns');
            if (read >= most && read < file.size) return false;
          }
          inEncoding(() => check());
          scan(new Uint8Array(), true);
          return true;
        },
        rewrite: (job, draw, progress) =>
          rewritten(
            file,
            opening,
            delimitedRewriter(job, header.delimiter, draw, file.name),
            'text/csv',
            progress,
          ),
      };
    },
  };
}

/** What is wrong with the text itself is told beside the encoding. */
function inEncoding<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isOurs(error, 'data') && /have the same name|has no name/.test(error.message))
      throw badData(
        `${error.problem}; is the first line a row of data? Then add a line before it with a name for each column`,
        'input',
      );
    if (isOurs(error, 'data') && /UTF-8/.test(error.message))
      throw badData(`${error.problem}; choose an encoding, such as windows-1252`, 'encoding');
    throw error;
  }
}

async function headerOf(file: File, opening: Opening, delimiter: string | null) {
  let bytes: Uint8Array = new Uint8Array();
  for await (const piece of piecesOf(file, opening)) {
    bytes = joinedBytes(bytes, piece);
    const header = inEncoding(() => delimitedHeader(bytes, delimiter, false, file.name));
    if (header) return checkedHeader(header, file.name);
  }
  return checkedHeader(
    inEncoding(() => delimitedHeader(bytes, delimiter, true, file.name)!),
    file.name,
  );
}

/** Names that are all numbers are no names: the first row would leave as it is. */
function checkedHeader<H extends { readonly names: readonly string[] }>(header: H, shown: string): H {
  if (header.names.every((name) => /^\s*[-+]?[\d.,]+\s*$/.test(name)))
    throw badData(
      `${shown}: its first line holds numbers, so it has no header, and a row of data would be taken for the names of columns; add a first line with a name for each column`,
      'input',
    );
  return header;
}

const jsonLinesFormat: SourceFormat = {
  endings: ['.jsonl', '.ndjson'],
  open: async (file, opening): Promise<Source> => {
    const each: (
      visit: (line: string, number: number) => void,
      most: number,
      progress: Progress,
    ) => Promise<boolean> = async (visit, most, progress) => {
      const splitter = lineSplitter(file.name);
      let [read, number] = [0, 0];
      const all = (lines: readonly string[]) => {
        for (const line of lines) {
          number++;
          if (line.trim() !== '') visit(line, number);
        }
      };
      for await (const piece of piecesOf(file, opening)) {
        all(splitter.push(piece));
        read += piece.length;
        progress(Math.min(1, read / Math.min(file.size, most)), 'looking at the keys');
        if (read >= most && read < file.size) return false;
      }
      all(splitter.finish());
      return true;
    };
    const { keys, add } = keyCollector();
    await each(
      (text, number) => {
        const { line, members } = readLine(text, number, file.name);
        add(members, line);
      },
      Number.POSITIVE_INFINITY,
      () => undefined,
    );
    if (keys.size === 0)
      throw badData(`${file.name}: the file is empty; expected a JSON object on each line`, 'input');
    const names = [...keys.keys()];
    return {
      format: 'jsonl',
      ending: '.jsonl',
      columns: names.map((name) => ({ name, nested: keys.get(name)!.nested })),
      each: (row, most, progress) => {
        let rows = 0;
        return each(
          (text, number) => {
            const { line, members } = readLine(text, number, file.name);
            const cells = new Map(members.map((member) => [member.key, member]));
            row((column) => {
              const member = cells.get(names[column]!);
              const own = member && line.slice(member.start, member.end);
              if (own === 'true' || own === 'false') return truth(own);
              return member ? cellOf(member, line) : null;
            }, ++rows);
          },
          most,
          progress,
        );
      },
      rewrite: (job, draw, progress) =>
        rewritten(file, opening, jsonLinesRewriter(job, draw, file.name), 'application/x-ndjson', progress),
    };
  },
};

export const textFormats: readonly SourceFormat[] = [
  delimitedFormat(['.csv', '.txt'], '.csv', null),
  delimitedFormat(['.tsv', '.tab'], '.tsv', '\t'),
  jsonLinesFormat,
];
