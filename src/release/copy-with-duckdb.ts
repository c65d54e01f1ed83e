// From a file, a pipe or a table to a file, a pipe or a table: DuckDB reads and writes, and calls for noise.

import { checkPeople, findColumn, readOnce } from './checks.js';
import {
  addLattice,
  addNoise,
  closeEngine,
  type Engine,
  limitMemory,
  oneByOne,
  openEngine,
  single,
} from './engine.js';
import { failureOf, InputError, invalidRow, isOutOfMemory, otherPart } from './failure.js';
import type { Copy, Job, Outcome } from './job.js';
import { textOfIndex } from './lattice.js';
import {
  canBeProtected,
  identifier,
  indexSql,
  literal,
  releasedSql,
  scaledSql,
  typeSql,
} from './lattice-sql.js';
import { shownPlace } from './place.js';
import { checkNewTable, type TableColumn } from './postgres.js';
import { postgresType, writeRows } from './sink.js';
import { type Column, openSource, type Source } from './source.js';

/** Opens the input and reads its header; nothing else is read before `run`. */
export async function copyWithDuckdb(job: Job): Promise<Copy> {
  const engine = await openEngine();
  let source: Source;
  try {
    source = await openSource(engine, job.input, job.delimiter);
  } catch (error) {
    closeEngine(engine);
    throw error;
  }
  const close = async () => {
    await source.close();
    closeEngine(engine);
  };
  try {
    const protectedAt = job.columns.map(({ name }) =>
      findColumn(source.columns, name, source.shown, '--column'),
    );
    for (const { name, type } of protectedAt)
      if (!canBeProtected(type))
        throw new InputError(
          `${source.shown}: column ${JSON.stringify(name)} is of type ${type}; expected numbers`,
        );
    if (job.person) {
      findColumn(source.columns, job.person.column, source.shown, '--person');
      if (!source.crowded) throw readOnce();
    }
    if (job.output.kind === 'postgres') await checkNewTable(job.output, job.force);
    return {
      columns: source.columns.map(({ name }) => name),
      run: () => run(job, engine, source, protectedAt),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function run(
  job: Job,
  engine: Engine,
  source: Source,
  protectedAt: readonly Column[],
): Promise<Outcome> {
  const values = job.columns.map(() => 0);
  let rows = 0;
  job.columns.forEach(({ mechanism, lattice }, i) => {
    addNoise(engine, `noise_${i}`, mechanism.pmf, job.source, (count) => {
      values[i]! += count;
    });
    addLattice(engine, `lattice_${i}`, lattice, job.snap);
  });
  const stop = () => {
    engine.interrupt();
    // The engine may be waiting for rows that do not come.
    if (!source.rereadable) void source.close();
  };
  job.signal.addEventListener('abort', stop);
  const timer = setInterval(() => {
    const { percentage } = engine.progress;
    const done = Math.max(...values, 0);
    job.progress(
      done,
      source.rows !== null && source.rows > 0 ? done / source.rows : percentage > 0 ? percentage / 100 : null,
    );
  }, 200);
  const shownOutput = shownPlace(job.output);
  try {
    job.signal.throwIfAborted();
    await checkPeople(job.person, source);
    job.signal.throwIfAborted();
    const sql = selectSql(job, source, protectedAt);
    if (!source.rereadable) await oneByOne(engine);
    const write = () =>
      fedTo(source, job, (beforePublish) =>
        writeRows(engine, sql, job.output, {
          force: job.force,
          delimiter: source.delimiter,
          columns: tableColumns(job, source),
          beforePublish,
        }),
      );
    // Very wide rows need more room. What was written so far is gone, and nobody has seen it.
    const again = async (error: unknown) => {
      if (!isOutOfMemory(error) || !source.rereadable || job.output.kind === 'pipe') throw error;
      await limitMemory(engine, 'large');
      values.fill(0);
      return write();
    };
    rows = await write().catch(again);
  } catch (error) {
    job.signal.throwIfAborted();
    throw await explained(error, job, engine, source, protectedAt, shownOutput);
  } finally {
    clearInterval(timer);
    job.signal.removeEventListener('abort', stop);
  }
  return { rows, values };
}

/**
 * Rows poured in while they are written. A source that fails half-way looks like one that ends: nothing is published before
 * it says that it is done, and its error comes first.
 */
export async function fedTo<T>(
  source: Source,
  { signal, beforePublish }: Pick<Job, 'signal' | 'beforePublish'>,
  write: (beforePublish: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let failure: unknown = null;
  const fed = source.feed().catch((error: unknown) => {
    failure = error;
    throw error;
  });
  fed.catch(() => undefined);
  try {
    return await write(async () => {
      await fed;
      signal.throwIfAborted();
      beforePublish();
    });
  } catch (error) {
    throw failure ?? error;
  }
}

function tableColumns(job: Job, source: Source): TableColumn[] {
  return source.columns.map(({ name, type, cast }) => {
    const own = job.columns.find((column) => column.name === name);
    return {
      name,
      type: own ? typeSql(own.lattice, 'postgres') : postgresType(cast ?? type),
    };
  });
}

const ROW = '"discreet row"';

function selectSql(job: Job, source: Source, protectedAt: readonly Column[]): string {
  const typed = job.output.kind !== 'postgres' && job.output.format !== 'csv' && job.output.format !== 'tsv';
  const list = source.columns.map((column) => {
    const i = protectedAt.indexOf(column);
    const name = identifier(column.name);
    if (i < 0)
      return `${typed && column.cast !== null ? `CAST(${column.sql} AS ${column.cast})` : column.sql} AS ${name}`;
    const { lattice, finish } = job.columns[i]!;
    return `${releasedSql(`"discreet index ${i}"`, `noise_${i}()`, lattice, finish)} AS ${name}`;
  });
  const fail = (i: number) =>
    job.skipInvalid
      ? exactly(protectedAt[i]!, i)
      : `coalesce(${exactly(protectedAt[i]!, i)}, error('discreet:${i}:' || ${source.rereadable ? "''" : ROW}))`;
  return `SELECT ${list.join(', ')} FROM ${indexed(job, source, protectedAt, fail)}${partFilter(job, source)}`;
}

/** The exact rule, for what SQL does not recognise. */
function exactly({ sql }: Column, i: number): string {
  return `lattice_${i}(CAST(${sql} AS VARCHAR))`;
}

function indexed(
  job: Job,
  source: Source,
  protectedAt: readonly Column[],
  otherwise: (i: number) => string,
): string {
  const scaled = protectedAt.map(
    (column, i) => `${scaledSql(column.sql, column.type, job.columns[i]!.lattice)} AS "discreet scaled ${i}"`,
  );
  const indices = protectedAt.map(
    (column, i) =>
      `${indexSql(column.sql, column.type, `"discreet scaled ${i}"`, job.columns[i]!.lattice, otherwise(i))} AS "discreet index ${i}"`,
  );
  const numbered = source.rereadable
    ? source.relation
    : `(SELECT *, row_number() OVER () AS ${ROW} FROM ${source.relation})`;
  return `(SELECT *, ${indices.join(', ')} FROM (SELECT *, ${scaled.join(', ')} FROM ${numbered}))`;
}

/** Fails on a row of another part, where the input tells the parts. */
function partFilter({ part }: Job, source: Source): string {
  const column = part && source.columns.find(({ name }) => name === part.column);
  if (!part || !column) return '';
  return ` WHERE CASE WHEN CAST(${column.sql} AS VARCHAR) IS NOT DISTINCT FROM ${literal(part.value)} THEN true ELSE error('discreet:part') END`;
}

/** The error in the user's words; for a cell that cannot be released, with the row it is in. */
async function explained(
  error: unknown,
  job: Job,
  engine: Engine,
  source: Source,
  protectedAt: readonly Column[],
  shownOutput: string,
): Promise<Error> {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('discreet:part')) return otherPart(source.shown, job.part!);
  const invalid = /discreet:(\d+):(\d*)/.exec(message);
  if (!invalid) return failureOf(error, source.shown, shownOutput);
  const i = Number(invalid[1]);
  const row =
    invalid[2] === '' ? await firstInvalid(job, engine, source, protectedAt, i) : Number(invalid[2]);
  return invalidRow(source.shown, job.columns[i]!.name, row, textOfIndex(1n, job.columns[i]!.lattice));
}

async function firstInvalid(
  job: Job,
  engine: Engine,
  source: Source,
  protectedAt: readonly Column[],
  i: number,
): Promise<number | null> {
  const numbered: Source = { ...source, rereadable: false };
  const inner = indexed(job, numbered, protectedAt, (column) => exactly(protectedAt[column]!, column));
  try {
    const row = await single<bigint | null>(
      engine,
      `SELECT min(${ROW}) FROM ${inner} WHERE ${protectedAt[i]!.sql} IS NOT NULL AND "discreet index ${i}" IS NULL`,
    );
    return row === null ? null : Number(row);
  } catch {
    return null;
  }
}
