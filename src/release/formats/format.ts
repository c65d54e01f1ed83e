// What every format gives: its name, the names of its files, and how it is read, written and read back.

import type { Transform } from 'node:stream';
import type { OpenedFile } from '../../files/index.js';
import type { Engine } from '../engine.js';
import type { Opening, Source } from '../source.js';

export interface Format {
  readonly name: string;
  /** How names of its files end. */
  readonly extensions: readonly string[];
  /** Are values of a type of their own? In text they stay as they were written. */
  readonly typed: boolean;
  /** Do names stand on every line? Then only reading tells them, and they may be data. */
  readonly keyed: boolean;
  /** An opened file, for the engine to select from. */
  readonly open: (file: OpenedFile, opening: Opening) => Promise<Source>;
  /** Of delimited text: what a file holds, unpacked and in UTF-8. */
  readonly text?: (file: OpenedFile, encoding: string | null, shown: string) => AsyncIterable<Uint8Array>;
  /** From a stream, and where it can be had again, from `again`; null where it is kept in a file without a name first. */
  readonly openStream:
    | ((
        stream: AsyncIterable<Uint8Array>,
        opening: Opening,
        again: (() => AsyncIterable<Uint8Array>) | null,
      ) => Promise<Source>)
    | null;
  /** The options of COPY … TO; the input's delimiter is kept where both have one. Null where the engine does not write it. */
  readonly writeSql: ((delimiter: string | null) => string) | null;
  /** Rows that the engine selects, where it does not write them itself; `finish` writes what says that it is whole. */
  readonly writeRows?: (
    engine: Engine,
    sql: string,
    kind: 'stream' | 'file',
    take: (bytes: Uint8Array) => void | Promise<void>,
  ) => Promise<{
    readonly rows: number;
    /** Writes what says that it is whole. */
    readonly finish: () => Promise<void>;
  }>;
  /** Where the engine does not write it to a pipe: what it writes instead, and what makes the rest of it. */
  readonly packed?: {
    readonly as: Format;
    /** Packs what the engine writes. */
    readonly pack: () => Transform;
  };
  /** After FROM: a file that was written so, read back. `path` is quoted. Null where the engine does not read it. */
  readonly readSql: ((path: string) => string) | null;
}
