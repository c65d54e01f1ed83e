// From a file, a pipe or a table to a file, a pipe or a table: DuckDB reads and writes, and calls for noise.

import { randomBytes } from 'node:crypto';
import { quote } from '../error/index.js';
import { type Lattice, remembered } from '../mechanism/index.js';
import type { Pmf } from '../pmf/index.js';
import { sampler } from '../random/index.js';
import { findPart, noNumber, oddTexts, otherPart, withoutDropped } from '../rows/index.js';
import { checkLeaving, checkOwnColumn, guardedBy, InDoubt, type Outcome } from '../terms/index.js';
import { checkId, checkNumber, checkPeople, findIn, readOnce } from './checks.js';
import { exactly, isValue, ROW, selectSql } from './copy-sql.js';
import type { CopyEffects } from './effects.js';
import { closeEngine, type Engine, limitMemory, oneByOne, openEngine, single } from './engine.js';
import { addCounter, addKeyedNoise, addLattice, addNoise, addRowIdentities } from './engine-functions.js';
import { failureOf, isOutOfMemory, noId } from './failure.js';
import { fedTo } from './fed-to.js';
import { rowIdentities } from './identities.js';
import type { Copy, Job } from './job.js';
import { keyedSamplerOf } from './keys.js';
import { typeSql } from './lattice-sql.js';
import type { HeldTable } from './output-table.js';
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
      // Of a partition the columns were listed before.
      await job.input.open(
        { engine, delimiter: job.delimiter, guarded: guardedBy(job), withRows: !job.known },
        effects,
      ),
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
      checkNumber(column, shown);
      if (job.input.kind === 'table') checkOwnColumn(column, 'columns', shown);
    }
    if (job.person) {
      checkOwnColumn(findIn(source, job.person.column, 'person'), 'person', shown);
      if (!source.crowded) throw readOnce();
    }
    if (job.keyed) checkId(job.keyed, source.columns, shown);
    if (job.part) checkOwnColumn(findPart(source.columns, job.part, shown), 'part', shown);
    for (const name of job.dropped ?? []) findIn(source, name, 'drop');
    const unchanged = checkLeaving(
      job,
      withoutDropped(source.columns, job.dropped, shown),
      shown,
      source.named,
    );
    await job.output.checkOutput(job);
    let held: HeldTable | null = null;
    const hold = async () => {
      held = await job.output.hold(tableColumns(job, source), job, effects);
      return held;
    };
    return {
      unchanged,
      hold: async () => void (await hold()),
      run: async () => ({ ...(await run(job, engine, source, protectedAt, held, hold, effects)), unchanged }),
      close: async () => {
        await held?.release();
        await close();
      },
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
  output: HeldTable | null,
  hold: () => Promise<HeldTable | null>,
  effects: CopyEffects,
): Promise<Omit<Outcome, 'unchanged'>> {
  const { signal, progress } = effects;
  // In messages of ours that come back through the engine, whose own messages quote cells.
  const mark = `discreet ${randomBytes(16).toString('hex')}`;
  /** Draws that were handed out, and cells in which there is no value. */
  const drawn = job.columns.map(() => 0);
  const empty = job.columns.map(() => 0);
  let rows = 0;
  const samplerOf = remembered((pmf: Pmf) => sampler(pmf, effects.entropy));
  const odd = oddTexts(job.columns, job.reading);
  const emptied = job.columns.map(() => 0);
  const { keyed } = job;
  if (keyed && 'partition' in keyed.by)
    addRowIdentities(engine, 'row_identity', rowIdentities(keyed, keyed.by.partition));
  job.columns.forEach(({ name, mechanism, lattice }, i) => {
    const counted = (count: number) => {
      drawn[i]! += count;
    };
    addCounter(engine, `empty_${i}`, (count) => {
      empty[i]! += count;
    });
    if (keyed) addKeyedNoise(engine, `noise_${i}`, keyedSamplerOf(keyed, name, mechanism.pmf), counted);
    else addNoise(engine, `noise_${i}`, samplerOf(mechanism.pmf), counted);
    addLattice(engine, `lattice_${i}`, lattice);
    addLattice(engine, `held_lattice_${i}`, lattice, {
      value: (text) => odd.add(i, text),
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
    const done = Math.max(...drawn, 0);
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
    const write = (table: HeldTable | null) =>
      fedTo(source, job, effects, (beforePublish) =>
        job.output.write(
          engine,
          sql,
          {
            force: job.force,
            delimiter: source.delimiter,
            held: table,
            check: source.check,
            beforePublish: async () => {
              odd.check(source.shown);
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
      for (const counts of [drawn, empty]) counts.fill(0);
      emptied.fill(0);
      return write(await hold());
    };
    rows = await write(output).catch(again);
    for (const [i, { name }] of job.columns.entries())
      if (job.skipInvalid) tellEmptied(emptied[i]!, name, effects);
  } catch (error) {
    if (error instanceof InDoubt) throw error;
    signal.throwIfAborted();
    if (broken) throw broken;
    // Whatever else failed, a file that was changed explains it.
    source.check();
    throw await explained(error, job, engine, source, protectedAt, shownOutput, mark);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
  return { rows, values: empty.map((count) => rows - count) };
}

/** How many cells are no numbers is protected by nothing: it is told to whoever releases, and written nowhere. */
export function tellEmptied(cells: number, column: string, { note }: Pick<CopyEffects, 'note'>): void {
  if (cells > 0)
    note(
      `${quote(column)}: ${cells === 1 ? '1 cell was no number, and is' : `${cells} cells were no numbers, and are`} empty now; how many is not protected by noise, and is told here only`,
    );
}

function tableColumns(job: Job, source: Source): TableColumn[] {
  return withoutDropped(source.columns, job.dropped, source.shown).map(({ name, type, cast }) => {
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
  // Where a source can be read again, text that stands for a value is told first, wherever it is; else it is told last.
  if (source.rereadable) {
    const odd = oddTexts(job.columns, job.reading);
    for (const [k, { lattice }] of job.columns.entries())
      await findOdd(engine, source, protectedAt[k]!, lattice, `odd_lattice_${k}`, (text) => odd.add(k, text));
    odd.check(source.shown);
  }
  const { name } = job.columns[i]!;
  const row = found === '' ? await firstWord(engine, source, protectedAt[i]!, i) : Number(found);
  return noNumber(source.shown, name, row, job.reading);
}

/** Tells of text in a column that stands for values. */
async function findOdd(
  engine: Engine,
  source: Source,
  { sql }: Column,
  lattice: Lattice,
  name: string,
  value: (text: string) => void,
) {
  addLattice(engine, name, lattice, { value });
  try {
    await engine.rows(`SELECT count(${name}(CAST(${sql} AS VARCHAR))) FROM ${source.relation()}`);
  } catch {}
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
