// What a worker of this room can be asked. How rows are read is given, so that Parquet comes only where it is needed.

import type { Progress } from '../engine/serve.js';
import { ledger } from './ledger.js';
import { type Format, look } from './look.js';
import { draw, open, verify } from './mechanism.js';
import { recovered } from './recovered.js';
import { type Counts, type CountWanted, countBy, type Read, readJsonLines, readText } from './rows.js';

export interface Readers {
  readonly read: Readonly<Record<Format, Read | null>>;
  /** The names of a file's columns, where looking at its beginning did not tell. */
  readonly columns: (file: File) => Promise<readonly string[]>;
}

export const textReaders: Readers = {
  read: { text: readText, 'json-lines': readJsonLines, parquet: null },
  columns: async () => [],
};

export function callsWith({ read, columns }: Readers) {
  return {
    look,
    open,
    verify,
    draw,
    ledger,
    recovered,
    columns: ({ file }: { readonly file: File }) => columns(file),
    count: (wanted: CountWanted, progress: Progress): Promise<Counts> =>
      countBy(read[wanted.format]!, wanted, progress),
  };
}

export type CheckCalls = ReturnType<typeof callsWith>;
