// From a file, a pipe or a table to a file, a pipe or a table: DuckDB reads and writes, and calls for noise.

import { randomBytes } from 'node:crypto';
import { badData } from '../error/index.js';
import { type Lattice, remembered } from '../mechanism/index.js';
import type { Pmf } from '../pmf/index.js';
import { sampler } from '../random/index.js';
import { findPart, noNumber, otherPart, valueAsText } from '../rows/index.js';
import { checkLeaving, checkOwnColumn, type Oddity, type Outcome, oddityOf } from '../terms/index.js';
import { checkId, checkPeople, findIn, readOnce } from './checks.js';
import { exactly, isValue, ROW, selectSql } from './copy-sql.js';
import type { CopyEffects } from './effects.js';
import {
  addKeyedNoise,
  addLattice,
  addNoise,
  addRowIdentities,
  closeEngine,
  type Engine,
  limitMemory,
  oneByOne,
  openEngine,
  single,
} from './engine.js';
import { failureOf, isOutOfMemory, noId } from './failure.js';
import { rowIdentities } from './identities.js';
import type { Copy, Job } from './job.js';
import { keyedSamplerOf } from './keys.js';
import { canBeProtected, typeSql } from './lattice-sql.js';
import { writeMechanismFiles } from './mechanism-files.js';
import { fed } from './poured.js';
import { readAs } from './reading-sql.js';
import type { Column, Source } from './source.js';
import type { TableColumn } from './table.js';
import { postgresType } from './types.js';

/** Opens the input and reads its header; nothing else is read before `run`. */
export async function copyWithDuckdb(job: Job, effects: CopyEffects): Promise<Copy> {
  const engine = await openEngine();
  let source: Source;
  try {
    source = readAs(
      await job.input.open({ engine, delimiter: job.delimiter }, effects),
      job.columns.map(({ name }) => name),
      job.reading,
    );
  } catch (error) {
    closeEngine(engine);
    throw error;
  }
  const close = async () => {
    await source.close();
    closeEngine(engine);
  };
  try {
    const { shown } = source;
    const protectedAt = job.columns.map(({ name }) => findIn(source, name, 'columns'));
    for (const column of protectedAt) {
      if (!canBeProtected(column.type))
        throw badData(
          `${shown}: column ${JSON.stringify(column.name)} is of type ${column.type}; expected numbers`,
        );
      if (job.input.kind === 'table') checkOwnColumn(column, 'columns', shown);
    }
    if (job.person) {
      checkOwnColumn(findIn(source, job.person.column, 'person'), 'person', shown);
      if (!source.crowded) throw readOnce();
    }
    if (job.keyed) checkId(job.keyed, job.columns, source.columns, shown);
    if (job.part) checkOwnColumn(findPart(source.columns, job.part, shown), 'part', shown);
    const unchanged = checkLeaving(job, source.columns, shown, source.named);
    await job.output.checkOutput(job.force);
    return {
      unchanged,
      run: async () => ({ ...(await run(job, engine, source, protectedAt, effects)), unchanged }),
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
  effects: CopyEffects,
): Promise<Omit<Outcome, 'unchanged'>> {
  const { signal, progress } = effects;
  // In messages of ours that come back through the engine, whose own messages quote cells.
  const mark = `discreet ${randomBytes(16).toString('hex')}`;
  const values = job.columns.map(() => 0);
  let rows = 0;
  const samplerOf = remembered((pmf: Pmf) => sampler(pmf, effects.entropy));
  /** A column with text that stands for a value: told when all is through, so that its row does not show. */
  let held: Held | null = null as Held | null;
  const emptied = job.columns.map(() => 0);
  const { keyed } = job;
  if (keyed && 'partition' in keyed.by)
    addRowIdentities(engine, 'row_identity', rowIdentities(keyed, keyed.by.partition));
  job.columns.forEach(({ name, mechanism, lattice }, i) => {
    const counted = (count: number) => {
      values[i]! += count;
    };
    if (keyed) addKeyedNoise(engine, `noise_${i}`, keyedSamplerOf(keyed, name, mechanism.pmf), counted);
    else addNoise(engine, `noise_${i}`, samplerOf(mechanism.pmf), counted);
    addLattice(engine, `lattice_${i}`, lattice);
    addLattice(engine, `held_lattice_${i}`, lattice, {
      value: (text) => {
        held ??= { name, oddities: new Set() };
        if (held.name === name) held.oddities.add(oddityOf(text));
      },
      word: () => {
        emptied[i]!++;
      },
    });
  });
  const stop = () => {
    engine.interrupt();
    // The engine may be waiting for rows that do not come.
    if (!source.rereadable) void source.close();
  };
  signal.addEventListener('abort', stop);
  let broken: unknown = null;
  const timer = setInterval(() => {
    const percentage = engine.percentage();
    const done = Math.max(...values, 0);
    const known = source.rows !== null && source.rows > 0;
    try {
      progress(done, known ? done / source.rows! : percentage > 0 ? percentage / 100 : null);
    } catch (error) {
      // Whoever listens has failed: that ends the copy, not the process.
      broken ??= error;
      stop();
    }
  }, 200);
  const shownOutput = job.output.shown;
  try {
    signal.throwIfAborted();
    await checkPeople(job.person, source);
    // The header was read before the ledger was waited for.
    source.check();
    signal.throwIfAborted();
    const sql = selectSql(job, source, protectedAt, mark);
    // Equal rows are numbered in their order.
    if (!source.rereadable || (keyed && 'partition' in keyed.by)) await oneByOne(engine);
    const write = () =>
      fedTo(source, job, effects, (beforePublish) =>
        job.output.write(
          engine,
          sql,
          {
            force: job.force,
            delimiter: source.delimiter,
            columns: tableColumns(job, source),
            check: source.check,
            beforePublish: async () => {
              if (held !== null) throw valueAsText(source.shown, held.name, held.oddities);
              await beforePublish();
            },
          },
          effects,
        ),
      );
    // Very wide rows need more room. What was written so far is gone, and nobody has seen it.
    const again = async (error: unknown) => {
      const numbered = keyed !== null && 'partition' in keyed.by;
      if (!isOutOfMemory(error) || !source.rereadable || job.output.kind === 'pipe' || numbered) throw error;
      await limitMemory(engine, 'large');
      values.fill(0);
      emptied.fill(0);
      return write();
    };
    rows = await write().catch(again);
    for (const [i, { name }] of job.columns.entries())
      if (job.skipInvalid) tellEmptied(emptied[i]!, name, effects);
  } catch (error) {
    signal.throwIfAborted();
    if (broken) throw broken;
    // Whatever else failed, a file that was changed explains it.
    source.check();
    throw await explained(error, job, engine, source, protectedAt, shownOutput, mark);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
  return { rows, values };
}

/** A column with text that stands for values, and what kind of text. */
interface Held {
  readonly name: string;
  readonly oddities: Set<Oddity>;
}

/** How many cells are no numbers is protected by nothing: it is told to whoever releases, and written nowhere. */
export function tellEmptied(cells: number, column: string, { note }: Pick<CopyEffects, 'note'>): void {
  if (cells > 0)
    note(
      `${JSON.stringify(column)}: ${cells === 1 ? '1 cell was no number, and is' : `${cells} cells were no numbers, and are`} empty now; how many is not protected by noise, and is told here only`,
    );
}

/** Rows poured in while they are written: nothing is published before the source says that it is done. */
export function fedTo<T>(
  source: Source,
  { mechanismFiles, force }: Pick<Job, 'mechanismFiles' | 'force'>,
  { signal, note }: CopyEffects,
  write: (beforePublish: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let undo = () => {};
  return fed(source, (all) =>
    write(async () => {
      await all;
      signal.throwIfAborted();
      source.check();
      undo = writeMechanismFiles(mechanismFiles, force, note);
    }),
  ).catch((error) => {
    undo();
    throw error;
  });
}

function tableColumns(job: Job, source: Source): TableColumn[] {
  return source.columns.map(({ name, type, cast }) => {
    const own = job.columns.find((column) => column.name === name);
    return {
      name,
      type: own ? typeSql(own.lattice) : postgresType(cast ?? type),
    };
  });
}

/** The error in the user's words; for a cell that is no number, with the row it is in. */
async function explained(
  error: unknown,
  job: Job,
  engine: Engine,
  source: Source,
  protectedAt: readonly Column[],
  shownOutput: string,
  mark: string,
): Promise<Error> {
  const message = error instanceof Error ? error.message : '';
  const [, what, column, found] = new RegExp(`${mark} (part|word|id) (?:(\\d+) (\\d*))?`).exec(message) ?? [];
  if (what === undefined) return failureOf(error, source.shown, shownOutput);
  if (what === 'part') return otherPart(source.shown, job.part!);
  if (what === 'id') return noId(source.shown, job.keyed!);
  const i = Number(column);
  const { name, lattice } = job.columns[i]!;
  // Where a source can be read again, text that stands for a value is told first, wherever it is; else it is told last.
  const oddities = source.rereadable ? await odditiesIn(engine, source, protectedAt[i]!, lattice) : null;
  if (oddities && oddities.size > 0) return valueAsText(source.shown, name, oddities);
  const row = found === '' ? await firstWord(engine, source, protectedAt[i]!, i) : Number(found);
  return noNumber(source.shown, name, row);
}

/** What text there is in a column that stands for values. */
async function odditiesIn(engine: Engine, source: Source, { sql }: Column, lattice: Lattice) {
  const oddities = new Set<Oddity>();
  addLattice(engine, 'odd_lattice', lattice, { value: (text) => oddities.add(oddityOf(text)) });
  try {
    await engine.rows(`SELECT count(odd_lattice(CAST(${sql} AS VARCHAR))) FROM ${source.relation()}`);
  } catch {}
  return oddities;
}

/** The first row with a cell that is no number at all. */
async function firstWord(engine: Engine, source: Source, column: Column, i: number): Promise<number | null> {
  try {
    const row = await single<bigint | null>(
      engine,
      `SELECT min(${ROW}) FROM (SELECT *, row_number() OVER () AS ${ROW} FROM ${source.relation()}) WHERE ${column.sql} IS NOT NULL AND ${exactly(column, i)} IS NULL AND NOT ${isValue(column)}`,
    );
    return row === null ? null : Number(row);
  } catch {
    return null;
  }
}
