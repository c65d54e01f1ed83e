// How often each value of a released column occurs, read row by row.

import { badData } from 'discreet-dp/error';
import { parseDecimal } from 'discreet-dp/exact';
import { indexOfText, latticeOf, textOfIndex } from 'discreet-dp/mechanism';
import {
  cellOf,
  cellText,
  delimitedHeader,
  isEmptyCell,
  joinedBytes,
  lineSplitter,
  readLine,
  rowScanner,
} from 'discreet-dp/rows';
import { missingColumn, quote } from 'discreet-dp/spec';
import type { Progress } from '../engine/serve.js';
import type { Format } from './look.js';
import { pieces } from './pieces.js';

export interface CountWanted {
  readonly file: File;
  readonly format: Format;
  readonly column: string;
  /** Of its mechanism. */
  readonly step: string;
}

export interface Counts {
  /** By index, in steps. */
  readonly counts: ReadonlyMap<number, number>;
  readonly nulls: number;
  readonly rows: number;
}

/** Takes the cells of the column, one after the other; null and nothing are empty ones. */
export type Take = (text: string | null) => void;

/** Hands every cell of the column on. */
export type Read = (
  wanted: Pick<CountWanted, 'file' | 'column'>,
  take: Take,
  at: (read: number) => void,
) => Promise<void>;

/** Different values that are kept apart. */
const MOST_VALUES = 4_000_000;

export async function countBy(read: Read, wanted: CountWanted, progress: Progress): Promise<Counts> {
  const { file, column, step } = wanted;
  const lattice = latticeOf(parseDecimal(step, 'step'));
  const seen = new Map<string, number>();
  let nulls = 0;
  let rows = 0;
  const check = (text: string) => {
    const index = indexOfText(text, lattice);
    // What was released is public, and may be named.
    const found = `${file.name}: column ${quote(column)} has ${quote(text)}`;
    if (index === null) throw badData(`${found}; expected numbers and empty cells`, 'column');
    if (Number(textOfIndex(index, lattice)) !== Number(text))
      throw badData(
        `${found}, which is no multiple of the mechanism's step ${step}; choose the mechanism that the column was released with`,
        'mechanism',
      );
    if (seen.size >= MOST_VALUES)
      throw badData(
        `column ${quote(column)} has more than ${MOST_VALUES.toLocaleString('en')} different values; is it the released column?`,
        'column',
      );
  };
  await read(
    wanted,
    (text) => {
      rows++;
      if (text === null || text === '') {
        nulls++;
        return;
      }
      const known = seen.get(text);
      if (known === undefined) check(text);
      seen.set(text, (known ?? 0) + 1);
    },
    (bytes) => progress(file.size === 0 ? 1 : bytes / file.size, `${rows.toLocaleString('en')} rows read`),
  );
  const counts = new Map<number, number>();
  for (const [text, count] of seen) {
    const index = Number(indexOfText(text, lattice));
    counts.set(index, (counts.get(index) ?? 0) + count);
  }
  if (counts.size === 0) throw badData(`column ${quote(column)} has no values`, 'column');
  return { counts, nulls, rows };
}

/** Text with a delimiter. */
export const readText: Read = async ({ file, column }, take, at) => {
  let waiting: Uint8Array = new Uint8Array();
  let scanner: ReturnType<typeof rowScanner> | null = null;
  let place = -1;
  const work = (bytes: Uint8Array, last: boolean) => {
    const all = joinedBytes(waiting, bytes);
    if (!scanner) {
      const header = delimitedHeader(all, null, last, file.name);
      if (header) {
        place = header.names.indexOf(column);
        if (place < 0) throw missing(file, column, header.names);
        scanner = rowScanner(header.delimiter, header.names.length, file.name);
      }
    }
    const used =
      scanner?.scan(all, last, (row) => {
        if (row.number > 0) take(isEmptyCell(row, place) ? null : cellText(row, place).trim());
      }) ?? 0;
    waiting = all.slice(used);
  };
  for await (const piece of pieces(file, at)) work(piece, false);
  work(new Uint8Array(), true);
};

/** An object on each line; a line without the key has an empty cell. */
export const readJsonLines: Read = async ({ file, column }, take, at) => {
  const splitter = lineSplitter(file.name);
  let number = 0;
  const work = (lines: readonly string[]) => {
    for (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const own = readLine(line, number, file.name);
      const member = own.members.find(({ key }) => key === column);
      take(member ? cellOf(member, own.line) : null);
    }
  };
  for await (const piece of pieces(file, at)) work(splitter.push(piece));
  work(splitter.finish());
};

export function missing(file: File, column: string, names: readonly string[]) {
  return badData(`${file.name} has no column ${quote(column)}${missingColumn(column, names)}`, 'column');
}
