// DuckDB as the engine that reads, writes and computes; the noise is a function it calls for every chunk of rows. Only this file
// knows its library.

import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import type {
  DuckDBBigIntVector,
  DuckDBConnection,
  DuckDBScalarFunction,
  DuckDBVarCharVector,
} from '@duckdb/node-api';
import { optional } from '../error/index.js';
import { holdsDigit, indexOfText, type Lattice } from '../mechanism/index.js';
import type { KeyedSampler, Sampler } from '../random/index.js';
import { joined, type RowIdentities } from './identities.js';

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

/** What lies behind an engine, and what has to be given back with it. */
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

/** Draws made ahead: a chunk is then copied, and nothing else. */
const AHEAD = 131_072;

/**
 * A function without arguments that hands out the noise of a chunk: exactly the mechanism's, one draw for every row. On the bare
 * binding, for the library's objects take as long as the rest of the way (bench/results/parquet.md).
 */
export function addNoise(
  engine: Engine,
  name: string,
  draws: Sampler,
  onRows: (count: number) => void,
): void {
  const { raw } = machines.get(engine)!;
  const ahead = new BigInt64Array(AHEAD);
  let used = AHEAD;
  register(engine, (api) => {
    const made = new api.DuckDBScalarFunction();
    made.setName(name);
    made.setReturnType(api.BIGINT);
    made.setVolatile();
    raw.scalar_function_set_function(made.scalar_function, (_info, input, output) => {
      const rows = raw.data_chunk_get_size(input);
      if (used + rows > AHEAD) {
        draws.fill(ahead, 'saturate');
        used = 0;
      }
      raw.copy_data_to_vector(output, 0, ahead.buffer, 8 * used, 8 * rows);
      used += rows;
      onRows(rows);
    });
    return made;
  });
}

/** Noise as a function of what a row is and of the index of its value: `name(identity, index)`. */
export function addKeyedNoise(
  engine: Engine,
  name: string,
  draws: KeyedSampler,
  onRows: (count: number) => void,
): void {
  register(engine, (api) =>
    api.DuckDBScalarFunction.create({
      name,
      parameterTypes: [api.VARCHAR, api.BIGINT],
      returnType: api.BIGINT,
      mainFunction: (_info, chunk, output) => {
        const [texts, values] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
        const count = chunk.rowCount;
        const identities = Array.from({ length: count }, (_, i) => (texts.getItem(i) as string | null) ?? '');
        const indices = BigInt64Array.from(identities, (_, i) => (values.getItem(i) as bigint | null) ?? 0n);
        const noise = draws.noise({ identities: joined(identities), indices });
        const sums = output as DuckDBBigIntVector;
        for (let i = 0; i < count; i++) sums.setItem(i, noise[i]!);
        sums.flush();
        onRows(count);
      },
    }),
  );
}

/** What a row is, from all that it holds: `name(text)`, called once for each, in their order. */
export function addRowIdentities(engine: Engine, name: string, identities: RowIdentities): void {
  register(engine, (api) =>
    api.DuckDBScalarFunction.create({
      name,
      parameterTypes: [api.VARCHAR],
      returnType: api.VARCHAR,
      volatile: true,
      mainFunction: (_info, chunk, output) => {
        const texts = chunk.getColumnVector(0);
        const rows = Array.from({ length: chunk.rowCount }, (_, i) => texts.getItem(i) as string);
        identities(rows).forEach((identity, i) => {
          (output as DuckDBVarCharVector).setItem(i, identity);
        });
        output.flush();
      },
    }),
  );
}

/** Who is told of texts that are no numbers. */
interface Odd {
  /** Of one that stands for a value all the same. */
  readonly value?: (text: string) => void;
  /** Of one that does not. */
  readonly word?: () => void;
}

/**
 * The exact rule for texts that SQL does not recognise: the index, or NULL where it is no number. Where `value` is given it is told
 * of text that stands for a value all the same, which then counts as 0, so that nothing shows where it is.
 */
export function addLattice(engine: Engine, name: string, lattice: Lattice, on: Odd = {}): void {
  register(engine, (api) =>
    api.DuckDBScalarFunction.create({
      name,
      parameterTypes: [api.VARCHAR],
      returnType: api.BIGINT,
      mainFunction: (_info, chunk, output) => {
        const texts = chunk.getColumnVector(0);
        const indices = output as DuckDBBigIntVector;
        for (let i = 0; i < chunk.rowCount; i++) {
          const text = texts.getItem(i) as string | null;
          const index = text === null ? null : indexOfText(text, lattice);
          const odd = index === null && text !== null;
          const held = odd && on.value !== undefined && holdsDigit(text);
          if (held) on.value!(text);
          else if (odd) on.word?.();
          indices.setItem(i, held ? 0n : index);
        }
        indices.flush();
      },
    }),
  );
}

function register(engine: Engine, make: (api: Machine['api']) => DuckDBScalarFunction): void {
  const { api, connection, atClose } = machines.get(engine)!;
  const made = make(api);
  connection.registerScalarFunction(made);
  atClose.push(() => made.destroySync());
}

/** The only value of a query's only row. */
export async function single<T>(engine: Engine, sql: string): Promise<T> {
  return (await engine.rows(sql))[0]?.[0] as T;
}
