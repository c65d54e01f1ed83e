// Delimited text to delimited text: protected cells are replaced where they stand, every other byte passes.

import { badData } from '../error/index.js';
import { checkDropped, checkLeaving, guardedBy, type Outcome, plainColumn } from '../terms/index.js';
import { type Header, parseHeader } from './header.js';
import { checkGlued, checkNames, findColumn, findPart, withoutDropped } from './names.js';
import { peopleCounter } from './people.js';
import { noRows, otherPart } from './refusals.js';
import type { Draw, Rewriter, RowsJob } from './rows.js';
import { cellText, isEmptyCell, rowScanner, type ScannedRow } from './scan.js';
import { joinedBytes, utf8Check } from './utf8.js';
import { valuesOf } from './values.js';

const LONGEST_HEADER = 16_777_216;

/** The header of delimited text; null where its line is not whole yet. What is no text of this kind is refused in words. */
export function delimitedHeader(
  bytes: Uint8Array,
  delimiter: string | null,
  whole: boolean,
  shown: string,
  /** Names that are protected. */
  guarded: readonly string[] = [],
): Header | null {
  const starts = (...magic: number[]) => magic.every((byte, i) => bytes[i] === byte);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (whole && text.replace(/^\ufeff/, '').trim() === '')
    throw badData(`${shown}: the file is empty; expected a header line with the columns' names`);
  if (bytes.length > LONGEST_HEADER)
    throw badData(`${shown}: the header line is longer than 16 MB; is this a text file?`);
  if (starts(0x50, 0x41, 0x52, 0x31))
    throw badData(`${shown}: this is a Parquet file; say so with {inputFormat} parquet`);
  if (starts(0x1f, 0x8b))
    throw badData(`${shown}: this file is compressed; say so with {inputFormat} csv.gz, or unpack it first`);
  if (bytes[0] === 0xff || bytes[0] === 0xfe || bytes.subarray(0, 4).includes(0))
    throw badData(
      `${shown}: the text is not UTF-8; say what it is, as in {encoding} utf-16le, or name its format with {inputFormat}`,
    );
  const header = parseHeader(text, delimiter, whole, shown);
  if (header?.names.some((name) => name.includes('\ufffd')))
    throw badData(
      `${shown}: the header line is not UTF-8; say what the file is, as in {encoding} windows-1252`,
    );
  // Lines that end otherwise would be taken for one, and their cells for names.
  if (header?.names.some((name) => /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]|\\[nr]/u.test(name)))
    throw badData(
      `${shown}: a column has a control character or a line end in its name, or "\\n" written out; end lines with line feeds, say what the file is, as in {encoding} utf-16le, or rename the column`,
    );
  if (header) {
    checkNames(header.names, shown);
    checkGlued(header.names, guarded, shown);
  }
  return header;
}

/** A copy of delimited text with noise in the columns of the job. */
export function delimitedRewriter(
  job: RowsJob,
  delimiter: string | null,
  draw: Draw,
  shown: string,
): Rewriter {
  const check = utf8Check(shown);
  let waiting: Uint8Array = new Uint8Array();
  let rows: ReturnType<typeof rowsOf> | null = null;

  const work = (bytes: Uint8Array, last: boolean): Uint8Array<ArrayBuffer> => {
    const all = joinedBytes(waiting, bytes);
    if (!rows) {
      const header = delimitedHeader(all, delimiter, last, shown, guardedBy(job));
      if (header) rows = rowsOf(job, header, draw, shown);
    }
    const { out, used } = rows ? rows.rewrite(all, last) : { out: new Uint8Array(), used: 0 };
    // Copied: whoever pushed it may write to it again.
    waiting = all.slice(used);
    return out;
  };

  return {
    push: (bytes) => {
      check(bytes);
      return work(bytes, false);
    },
    finish: () => {
      check();
      const out = work(new Uint8Array(), true);
      rows!.finish();
      if (rows!.outcome().rows === 0) throw noRows(shown);
      return out;
    },
    outcome: () => rows?.outcome() ?? { rows: 0, unchanged: [], values: job.columns.map(() => 0) },
  };
}

function rowsOf(job: RowsJob, { names, delimiter }: Header, draw: Draw, shown: string) {
  const found = names.map(plainColumn);
  const dropped = new Set(job.dropped ?? []);
  checkDropped(job);
  const unchanged = checkLeaving(job, withoutDropped(found, job.dropped, shown), shown, true);
  const at = ({ name }: { readonly name: string }) => names.indexOf(name);
  const columns = job.columns
    .map(({ name }, i) => ({ i, at: at(findColumn(found, name, shown, 'columns')) }))
    .sort((a, b) => a.at - b.at);
  const { part } = job;
  const partAt = part ? at(findPart(found, part, shown)) : -1;
  const personAt = job.person ? at(findColumn(found, job.person.column, shown, 'person')) : -1;
  const count = job.person && peopleCounter(job.person, shown);
  const values = valuesOf(job, shown, draw);
  const scanner = rowScanner(delimiter, names.length, shown);
  const never = () => '';
  let rows = 0;

  const kept = names.flatMap((name, place) => (dropped.has(name) ? [] : [place]));
  const protectedAt = new Map(columns.map(({ i, at: place }) => [place, i]));

  /** Cell by cell, where some are left out. */
  const rebuild = (row: ScannedRow, out: Output) => {
    // With what stands before the first cell.
    out.copy(row.bytes, row.starts[0]!);
    for (const [k, place] of kept.entries()) {
      if (k > 0) out.write(delimiter);
      const i = row.number === 0 ? undefined : protectedAt.get(place);
      out.skip(row.starts[place]!);
      // A line without anything is no row to some readers.
      if (kept.length === 1 && isEmptyCell(row, place)) out.write('""');
      else if (i === undefined || isEmptyCell(row, place)) out.copy(row.bytes, row.ends[place]!);
      else out.write(values.release(i, cellText(row, place), rows, never) ?? '');
    }
    // The line's end.
    out.skip(row.ends[names.length - 1]!);
  };

  const release = (row: ScannedRow, out: Output) => {
    rows++;
    if (part && cellText(row, partAt) !== part.value) throw otherPart(`${shown}, data row ${rows}`, part);
    count?.(isEmptyCell(row, personAt) ? null : cellText(row, personAt));
    if (dropped.size > 0) {
      rebuild(row, out);
      return;
    }
    for (const { i, at: place } of columns) {
      if (isEmptyCell(row, place)) continue;
      const text = values.release(i, cellText(row, place), rows, never);
      out.copy(row.bytes, row.starts[place]!);
      out.write(text ?? '');
      out.skip(row.ends[place]!);
    }
  };

  return {
    rewrite: (bytes: Uint8Array, last: boolean) => {
      const out = output(bytes.length);
      const used = scanner.scan(bytes, last, (row) => {
        if (row.number > 0) release(row, out);
        else if (dropped.size > 0) rebuild(row, out);
      });
      out.copy(bytes, used);
      return { out: out.bytes(), used };
    },
    finish: () => values.check(),
    outcome: (): Outcome => ({ rows, unchanged, values: [...values.counts] }),
  };
}

type Output = ReturnType<typeof output>;

/** Bytes that are copied up to a place, with others written in between. */
function output(expected: number) {
  let bytes = new Uint8Array(expected + (expected >> 2) + 256);
  let [length, from] = [0, 0];
  const room = (more: number) => {
    if (length + more <= bytes.length) return;
    const larger = new Uint8Array(2 * (length + more));
    larger.set(bytes.subarray(0, length));
    bytes = larger;
  };
  return {
    /** All that was not copied yet, up to here. */
    copy: (source: Uint8Array, to: number) => {
      room(to - from);
      for (let at = from; at < to; at++) bytes[length++] = source[at]!;
      from = to;
    },
    /** Digits, signs and points. */
    write: (text: string) => {
      room(text.length);
      for (let i = 0; i < text.length; i++) bytes[length++] = text.charCodeAt(i);
    },
    skip: (to: number) => {
      from = to;
    },
    bytes: () => bytes.subarray(0, length),
  };
}
