// DuckDB as the engine that reads, writes and computes. Only this file and `engine-functions.ts` know its library.

import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import type { DuckDBConnection, DuckDBScalarFunction, DuckDBVarCharVector } from '@duckdb/node-api';
import { optional } from '../error/index.js';
import { floatText } from '../rows/index.js';
import { FLOAT_TEXT } from './float-sql.js';

export interface Engine {
  /** A statement, for what it does. */
  readonly run: (sql: string) => Promise<unknown>;
  /** All rows of a query, their values in order. */
  readonly rows: (sql: string) => Promise<unknown[][]>;
  /** Rows as they come: the values of each column, and how many there are. */
  readonly chunks: (
    sql: string,
    each: (columns: readonly (readonly unknown[])[], count: number) => Promise<void>,
  ) => Promise<void>;
  /** Stop the query that runs. */
  readonly interrupt: () => void;
  /** Of the query that runs, in per cent; −1 where it does not tell. */
  readonly percentage: () => number;
}

/**
 * What lies behind an engine, and what has to be given back with it. Its types stay out of the package's, which compile without it.
 * @internal
 */
interface Machine {
  readonly api: typeof import('@duckdb/node-api');
  /** What the library itself is made of. */
  readonly raw: typeof import('@duckdb/node-bindings');
  readonly connection: DuckDBConnection;
  readonly atClose: (() => void)[];
}

const machines = new WeakMap<Engine, Machine>();

const WAITING = 4;
/** Enough for the buffers of a narrow copy; with more, the engine keeps what it has read until that is full. */
const SMALL_PER_THREAD = 128;

/** An engine of its own, in memory: nothing is downloaded, and nothing is spilled to disk where it could be left behind. */
export async function openEngine(): Promise<Engine> {
  // It is large: only those who copy rows load it; and `import` would read its hundred files twice, for the names they give.
  const load = createRequire(import.meta.url);
  const api: Machine['api'] = await optional('@duckdb/node-api', async () => load('@duckdb/node-api'));
  const raw: Machine['raw'] = await optional('@duckdb/node-bindings', async () =>
    load('@duckdb/node-bindings'),
  );
  const instance = await api.DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    temp_directory: '',
  });
  const connection = await instance.connect();
  const engine: Engine = {
    run: (sql) => connection.run(sql),
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRows(),
    chunks: (sql, each) => chunksOf(connection, sql, each),
    interrupt: () => connection.interrupt(),
    percentage: () => connection.progress.percentage,
  };
  machines.set(engine, { api, raw, connection, atClose: [() => instance.closeSync()] });
  // Some threads wait for noise while others work.
  const threads = await single<bigint>(engine, "SELECT current_setting('threads')");
  await engine.run(`SET threads = ${Number(threads) + WAITING}`);
  await limitMemory(engine, 'small');
  addFloatText(engine);
  await engine.run('SET enable_progress_bar = true');
  await engine.run('SET enable_progress_bar_print = false');
  return engine;
}

async function chunksOf(connection: DuckDBConnection, sql: string, each: Parameters<Engine['chunks']>[1]) {
  const result = await connection.stream(sql);
  try {
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return;
      await each(chunk.getColumns(), chunk.rowCount);
    }
  } catch (error) {
    // End a query whose rows nobody wants any more: its threads must not outlive the engine.
    connection.interrupt();
    try {
      while ((await result.fetchChunk())?.rowCount) {}
    } catch {}
    throw error;
  }
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
  const { connection, atClose } = machines.get(engine)!;
  connection.closeSync();
  for (const giveBack of atClose.reverse()) giveBack();
}

/** The text of a float, as `float-sql.ts` asks for it. */
function addFloatText(engine: Engine): void {
  register(engine, (api) =>
    api.DuckDBScalarFunction.create({
      name: FLOAT_TEXT,
      parameterTypes: [api.FLOAT],
      returnType: api.VARCHAR,
      mainFunction: (_info, chunk, output) => {
        const floats = chunk.getColumnVector(0);
        const texts = output as DuckDBVarCharVector;
        for (let i = 0; i < chunk.rowCount; i++) {
          const value = floats.getItem(i) as number | null;
          texts.setItem(i, value === null ? null : floatText(value));
        }
        texts.flush();
      },
    }),
  );
}

/**
 * A function of ours that its queries can call.
 * @internal
 */
export function register(
  engine: Engine,
  make: (api: Machine['api'], raw: Machine['raw']) => DuckDBScalarFunction,
): void {
  const { api, raw, connection, atClose } = machines.get(engine)!;
  const made = make(api, raw);
  connection.registerScalarFunction(made);
  atClose.push(() => made.destroySync());
}

/** The only value of a query's only row. */
export async function single<T>(engine: Engine, sql: string): Promise<T> {
  return (await engine.rows(sql))[0]?.[0] as T;
}
