// Rows that DuckDB selects, written to a file, a pipe or a table: whole or not at all.

import type { DuckDBResult } from '@duckdb/node-api';
import { type Engine, single } from './engine.js';
import { makeFifo } from './fifo.js';
import { identifier, literal } from './lattice-sql.js';
import { hiddenFile, leftBehind } from './output-file.js';
import type { Format, Place, PostgresPlace } from './place.js';
import { createTable, postgresFailure, type TableColumn } from './postgres.js';

export interface SinkOptions {
  readonly force: boolean;
  /** What must be done, and can still fail, before the output appears. */
  readonly beforePublish: () => Promise<void>;
  readonly note: (text: string) => void;
  /** Throws where the input is no longer what it was: then nothing more may leave. */
  readonly check: () => void;
  /** Of the input, which delimited text keeps; null is a comma. */
  readonly delimiter: string | null;
  /** Of a table. */
  readonly columns: readonly TableColumn[];
}

/** Returns the number of rows. */
export function writeRows(engine: Engine, sql: string, output: Place, options: SinkOptions): Promise<number> {
  return output.kind === 'postgres'
    ? toTable(engine, sql, output, options)
    : toFile(engine, sql, output, options);
}

async function toFile(
  engine: Engine,
  sql: string,
  output: Exclude<Place, PostgresPlace>,
  options: SinkOptions,
): Promise<number> {
  const copy = (path: string) =>
    single<bigint>(
      engine,
      `COPY (${sql}) TO ${literal(path)} (${formatSql(output.format, options.delimiter)}, USE_TMP_FILE false)`,
    );
  if (output.kind === 'pipe') return toPipe(copy, options);
  const file = hiddenFile(output.path, options.force);
  try {
    for (const other of file.others) options.note(leftBehind(other));
    const copied = await copy(file.path);
    await options.beforePublish();
    file.publish();
    return Number(copied);
  } finally {
    file.discard();
  }
}

/** Standard output may be a socket, which no engine can open by name: a named pipe stands between. */
async function toPipe(copy: (path: string) => Promise<bigint>, options: SinkOptions): Promise<number> {
  const fifo = makeFifo();
  let broken: Error | null = null;
  const drained = fifo.drain(process.stdout, options.check).catch((error: Error) => {
    broken = error;
  });
  try {
    const copied = await copy(fifo.path);
    await drained;
    if (broken) throw broken;
    await options.beforePublish();
    return Number(copied);
  } catch (error) {
    // Why the pipe broke says more than that it did.
    throw broken ?? error;
  } finally {
    fifo.close();
  }
}

function formatSql(format: Format, inputDelimiter: string | null): string {
  if (format === 'parquet') return 'FORMAT parquet';
  if (format === 'jsonl') return 'FORMAT json, ARRAY false';
  const delimiter = format === 'tsv' ? '\t' : (inputDelimiter ?? ',');
  return `FORMAT csv, DELIMITER ${literal(delimiter)}, QUOTE '"', ESCAPE '"', NULLSTR '', HEADER true`;
}

async function toTable(
  engine: Engine,
  sql: string,
  place: PostgresPlace,
  options: SinkOptions,
): Promise<number> {
  const table = await createTable(place, options.columns, 'csv', options.force);
  let rows = 0;
  let result: DuckDBResult | null = null;
  try {
    const texts = options.columns.map(({ name }) => `CAST(${identifier(name)} AS VARCHAR)`).join(', ');
    result = await engine.stream(`SELECT ${texts} FROM (${sql})`);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      rows += chunk.rowCount;
      await table.writeContents(
        Buffer.from(csvLines(chunk.getColumns() as (string | null)[][], chunk.rowCount)),
      );
    }
    await options.beforePublish();
  } catch (error) {
    await table.rollback();
    if (result) await abandon(engine, result);
    throw (error as { code?: unknown }).code === undefined ? error : postgresFailure(place.address, error);
  }
  await table.commit();
  return rows;
}

/** End a query whose rows nobody wants any more: its threads must not outlive the engine. */
async function abandon(engine: Engine, result: DuckDBResult): Promise<void> {
  engine.interrupt();
  try {
    while ((await result.fetchChunk())?.rowCount) {}
  } catch {}
}

function csvLines(columns: readonly (readonly (string | null)[])[], count: number): string {
  let lines = '';
  for (let row = 0; row < count; row++) lines += csvLine(columns.map((column) => column[row]!));
  return lines;
}

/** Only NULL is empty and unquoted. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')}\n`;
}

/** What PostgreSQL calls a type of DuckDB; text holds all that has no counterpart. */
export function postgresType(type: string): string {
  const known: Record<string, string> = {
    TINYINT: 'smallint',
    SMALLINT: 'smallint',
    INTEGER: 'integer',
    BIGINT: 'bigint',
    UTINYINT: 'smallint',
    USMALLINT: 'integer',
    UINTEGER: 'bigint',
    UBIGINT: 'numeric(20)',
    HUGEINT: 'numeric(39)',
    UHUGEINT: 'numeric(39)',
    FLOAT: 'real',
    DOUBLE: 'double precision',
    BOOLEAN: 'boolean',
    DATE: 'date',
    TIME: 'time',
    TIMESTAMP: 'timestamp',
    'TIMESTAMP WITH TIME ZONE': 'timestamptz',
    UUID: 'uuid',
  };
  return known[type] ?? (type.startsWith('DECIMAL') ? type.replace('DECIMAL', 'numeric') : 'text');
}
