// DuckDB as the engine that reads, writes and computes; the noise is a function it calls for every chunk of rows.

import { totalmem } from 'node:os';
import type { DuckDBBigIntVector, DuckDBConnection, DuckDBScalarFunction } from '@duckdb/node-api';
import type { Sampler } from '../random/index.js';
import { indexOfText, type Lattice } from './lattice.js';

/** A connection, and what has to be given back with it. */
export interface Engine extends DuckDBConnection {
  readonly api: typeof import('@duckdb/node-api');
  readonly atClose: (() => void)[];
}

const WAITING = 2;
/** Enough for the buffers of a narrow copy; with more, the engine keeps what it has read until that is full. */
const SMALL_PER_THREAD = 128;

/** An engine of its own, in memory: nothing is downloaded, and nothing is spilled to disk where it could be left behind. */
export async function openEngine(): Promise<Engine> {
  // It is large: only those who copy rows load it.
  const api = await import('@duckdb/node-api');
  const instance = await api.DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    temp_directory: '',
  });
  const engine = Object.assign(await instance.connect(), {
    api,
    atClose: [() => instance.closeSync()],
  }) as Engine;
  // Some threads wait for noise while others work.
  const threads = await single<bigint>(engine, "SELECT current_setting('threads')");
  await engine.run(`SET threads = ${Number(threads) + WAITING}`);
  await limitMemory(engine, 'small');
  await engine.run('SET enable_progress_bar = true');
  await engine.run('SET enable_progress_bar_print = false');
  return engine;
}

/** `small` keeps a copy in constant memory; `large` is for what has to remember many values, or very wide rows. */
export async function limitMemory(engine: Engine, size: 'small' | 'large'): Promise<void> {
  const threads = Number(await single<bigint>(engine, "SELECT current_setting('threads')"));
  const most = Math.floor((totalmem() / 2 ** 20) * 0.8);
  await engine.run(
    `SET memory_limit = '${size === 'small' ? Math.min(most, threads * SMALL_PER_THREAD) : most}MiB'`,
  );
}

/**
 * One row after the other, by one thread: what cannot be read again keeps its order without being kept in memory, which the
 * engine otherwise does to put the work of several threads in order.
 */
export async function oneByOne(engine: Engine): Promise<void> {
  await engine.run('SET threads = 1');
  await engine.run('SET preserve_insertion_order = false');
}

/** Give everything back: a function that is not destroyed keeps the process waiting. */
export function closeEngine(engine: Engine): void {
  engine.closeSync();
  for (const giveBack of engine.atClose.reverse()) giveBack();
}

/** A function without arguments that draws the noise of a chunk: exactly the mechanism's, one draw for every row. */
export function addNoise(
  engine: Engine,
  name: string,
  draws: Sampler,
  onRows: (count: number) => void,
): void {
  register(
    engine,
    engine.api.DuckDBScalarFunction.create({
      name,
      parameterTypes: [],
      returnType: engine.api.BIGINT,
      volatile: true,
      mainFunction: (_info, chunk, output) => {
        const vector = output as unknown as { items: BigInt64Array; flush: () => void };
        draws.fill(vector.items, 'saturate');
        vector.flush();
        onRows(chunk.rowCount);
      },
    }),
  );
}

/** The exact rule for texts that SQL does not recognise: the index, or NULL where it is no number. */
export function addLattice(engine: Engine, name: string, lattice: Lattice): void {
  register(
    engine,
    engine.api.DuckDBScalarFunction.create({
      name,
      parameterTypes: [engine.api.VARCHAR],
      returnType: engine.api.BIGINT,
      mainFunction: (_info, chunk, output) => {
        const texts = chunk.getColumnVector(0);
        const indices = output as DuckDBBigIntVector;
        for (let i = 0; i < chunk.rowCount; i++) {
          const text = texts.getItem(i) as string | null;
          indices.setItem(i, text === null ? null : indexOfText(text, lattice));
        }
        indices.flush();
      },
    }),
  );
}

function register(engine: Engine, made: DuckDBScalarFunction): void {
  engine.registerScalarFunction(made);
  engine.atClose.push(() => made.destroySync());
}

/** The only value of a query's only row. */
export async function single<T>(engine: Engine, sql: string): Promise<T> {
  const rows = (await engine.runAndReadAll(sql)).getRows();
  return rows[0]?.[0] as T;
}
