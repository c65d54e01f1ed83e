// Where rows come from and go to. Every place says how it is opened, written, checked and named.

import type { Query } from '../../ledger/index.js';
import type { ColumnQuantiles } from '../../report/index.js';
import type { CopyEffects } from '../effects.js';
import type { Engine } from '../engine.js';
import type { Format } from '../formats/index.js';
import type { HeldTable, Overwrite } from '../output-table.js';
import type { Opening, Source } from '../source.js';
import type { TableColumn } from '../table.js';

export interface WriteOptions {
  readonly force: boolean;
  /** The table that is filled; null where the output is none. */
  readonly held: HeldTable | null;
  /** What must be done, and can still fail, before the output appears. */
  readonly beforePublish: () => Promise<void>;
  /** Throws where the input is no longer what it was: then nothing more may leave. */
  readonly check: () => void;
  /** Of the input, which delimited text keeps; null is a comma. */
  readonly delimiter: string | null;
}

export interface Place {
  readonly kind: 'file' | 'pipe' | 'table';
  /** Its own name for the ledger; null for a pipe and for a query. */
  readonly name: string | null;
  /** For people and for the ledger: no password, no folder of this machine. */
  readonly shown: string;
  /** The file that it is; null where it is none. */
  readonly path: string | null;
  /** The files that it is, where it is several. */
  readonly paths?: readonly string[];
  /** What belongs beside the output is called after this, where others write it. */
  readonly beside?: string | null;
  /** Null for a table. */
  readonly format: Format | null;
  /** For the ledger: what was asked, and what the publisher states of it. */
  readonly query: Query | null;
  /** Do both name the same file or table? */
  readonly isSame: (other: Place) => boolean;
  /** As an input for the engine. */
  readonly open: (
    opening: Omit<Opening, 'shown' | 'encoding'>,
    effects: Pick<CopyEffects, 'input' | 'signal'>,
  ) => Promise<Source>;
  /** Refuse an output that must not be written, before any work is done. */
  readonly checkOutput: (overwrite: Overwrite) => Promise<void>;
  /** Take it for this release alone, before anything is charged; null where nobody else can have it. */
  readonly hold: (
    columns: readonly TableColumn[],
    overwrite: Overwrite,
    effects: Pick<CopyEffects, 'signal' | 'note'>,
  ) => Promise<HeldTable | null>;
  /** Rows that the engine selects, written whole or not at all; returns their number. */
  readonly write: (
    engine: Engine,
    sql: string,
    options: WriteOptions,
    effects: CopyEffects,
  ) => Promise<number>;
  /** Of what was written, read back; null where that cannot be done. */
  readonly quantiles: (
    columns: readonly string[],
    rows: number,
  ) => Promise<readonly ColumnQuantiles[] | null>;
}
