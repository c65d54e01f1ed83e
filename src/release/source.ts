// An input as something DuckDB can select from: its columns, their types, and the clause that names it.

import type { InputColumn } from '../terms/index.js';
import { type Engine, limitMemory, single } from './engine.js';
import { personSql } from './person-sql.js';
import { crowdedSql } from './sql.js';

export interface Column extends InputColumn {
  /** As DuckDB reads it. */
  readonly type: string;
  /** How SQL refers to it. */
  readonly sql: string;
  /** Its type by name, where no number is read from it. */
  readonly noNumber: string | null;
  /** Of its own type, where `sql` is a text that stands for it. */
  readonly raw?: string;
  /** How SQL refers to it as it stands in the input, where `sql` reads it otherwise. */
  readonly own?: string;
  /** What it is turned to where the output has types; null leaves it as it is. */
  readonly cast: string | null;
  /** Text that may end in zeros after a point, or in spaces that mean nothing. */
  readonly text?: 'decimal' | 'padded' | null;
}

export interface Source {
  readonly shown: string;
  readonly columns: readonly Column[];
  /** May messages name the columns? Keys of JSON lines may be data. */
  readonly named: boolean;
  /** Of what is poured as text: booleans of these columns are to come as 1 and 0. Said before rows are read. */
  readonly asNumbers?: (names: readonly string[]) => void;
  /** After FROM; asked for when rows are read, not before. */
  readonly relation: () => string;
  /** Can it be read again, to look for a row? Otherwise rows are numbered as they come. */
  readonly rereadable: boolean;
  /** Has a value of the column more rows than this? Null where the input can be read only once. */
  readonly crowded: ((column: string, rows: number) => Promise<boolean>) | null;
  readonly rows: number | null;
  /** Of CSV, which a CSV output keeps; null for the others. */
  readonly delimiter: string | null;
  /** Begin to pour in what does not lie in a file; returns when all has been read. */
  readonly feed: () => Promise<void>;
  /** Throws where the input is not what it was when it was opened. */
  readonly check: () => void;
  /** Give back what was opened. */
  readonly close: () => Promise<void>;
}

/** What opening takes beside the place. */
export interface Opening {
  readonly engine: Engine;
  /** Of delimited text; null is found in the header. */
  readonly delimiter: string | null;
  /** Of text that is not UTF-8; null where it is. */
  readonly encoding?: string | null;
  readonly shown: string;
  /** All inputs together, where this is one of several: what is wrong with rows does not tell which of them it is in. */
  readonly whole?: string;
  /** Protected names, which no column of delimited text may hold between other marks. */
  readonly guarded?: readonly string[];
  /** Text must have a row: its first line leaves as the names of columns, and of a line alone nobody knows that it is one. */
  readonly withRows?: boolean;
}

/** A file that the engine reads by itself. */
export const atRest = {
  rereadable: true,
  rows: null,
  feed: async () => undefined,
  check: () => undefined,
  close: async () => undefined,
};

/** Are there more rows of a person than so many? Text names the same person in several ways. */
export function crowdedIn(engine: Engine, source: Pick<Source, 'columns' | 'relation'>) {
  return async (column: string, rows: number) => {
    const { sql, type } = source.columns.find(({ name }) => name === column)!;
    await limitMemory(engine, 'large');
    const person = type === 'VARCHAR' ? personSql(sql) : sql;
    const crowded = (await single(engine, crowdedSql(source.relation(), person, rows))) !== undefined;
    await limitMemory(engine, 'small');
    return crowded;
  };
}
