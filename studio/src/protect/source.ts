// A file of the analyst's machine: what it is, its columns, its rows. Read where it lies, in pieces, and never kept whole.

import { badData, invalid, quote } from 'discreet-dp/error';
import type { Draw, RowsJob } from 'discreet-dp/rows';
import type { Outcome } from 'discreet-dp/terms';
import type { Progress } from '../engine/serve.js';

/** A column as the file has it. */
export interface SourceColumn {
  readonly name: string;
  /** Objects, lists and the like, which may hold anything. */
  readonly nested: boolean;
}

/** Rows as texts, cell by cell; null is an empty cell. */
export type EachRow = (cell: (column: number) => string | null, row: number) => void;

export interface Source {
  readonly format: string;
  /** Of the name of what comes out of it. */
  readonly ending: string;
  readonly columns: readonly SourceColumn[];
  /** Goes through rows, at most so many bytes of them; false where there are more. */
  readonly each: (row: EachRow, most: number, progress: Progress) => Promise<boolean>;
  /** A copy with noise in the columns of the job. */
  readonly rewrite: (
    job: RowsJob,
    draw: Draw,
    progress: Progress,
  ) => Promise<{ readonly blob: Blob; readonly outcome: Outcome }>;
}

export interface Opening {
  /** Of text that is not UTF-8. */
  readonly encoding: string;
}

/** One kind of file. */
export interface SourceFormat {
  readonly endings: readonly string[];
  readonly open: (file: File, opening: Opening) => Promise<Source>;
}

/** By the end of its name, as the command does it. */
export function formatOf(name: string, formats: readonly SourceFormat[]): SourceFormat {
  const lower = name.toLowerCase();
  const found = formats.find(({ endings }) => endings.some((ending) => lower.endsWith(ending)));
  if (found) return found;
  if (lower.endsWith('.gz'))
    throw badData(`${name}: this file is packed; unpack it first, or use the command`, 'input');
  if (/\.(xlsx?|ods|numbers)$/.test(lower))
    throw badData(`${name}: this is a spreadsheet; save the sheet as CSV first, from “Save as”`, 'input');
  throw badData(
    `${name}: expected a file that ends in ${formats.flatMap(({ endings }) => endings).join(', ')}; rename it if it is one of these`,
    'input',
  );
}

/** Pieces of a file, as UTF-8; what is no text in its encoding fails. */
export async function* piecesOf(file: File, { encoding }: Opening): AsyncGenerator<Uint8Array> {
  const decoder = encoding === '' ? null : decoderOf(encoding);
  const encoder = new TextEncoder();
  const text = (piece?: Uint8Array) => {
    try {
      return encoder.encode(decoder!.decode(piece, { stream: piece !== undefined }));
    } catch {
      throw badData(`${file.name}: the text is not ${encoding}; choose another encoding`, 'encoding');
    }
  };
  for (let at = 0; at < file.size; at += PIECE) {
    let piece: Uint8Array;
    try {
      piece = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
    } catch {
      throw badData(
        `${file.name}: it cannot be read any more; was it changed or moved? Open it again`,
        'input',
      );
    }
    yield decoder ? text(piece) : piece;
  }
  if (decoder) yield text();
}

/** Large enough to be quick, small enough that progress moves. */
const PIECE = 1_048_576;

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw invalid(
      `encoding: expected a name such as windows-1252, windows-1250 or utf-16le, got ${quote(encoding)}`,
    );
  }
}
