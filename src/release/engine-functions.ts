// Functions that the engine calls for every chunk of rows: noise, counts, and our own rule of what is a number.

import type { DuckDBBigIntVector, DuckDBVarCharVector } from '@duckdb/node-api';
import { holdsDigit, indexOfText, type Lattice } from '../mechanism/index.js';
import type { KeyedSampler, Sampler } from '../random/index.js';
import { type Engine, register } from './engine.js';
import { joined, type RowIdentities } from './identities.js';

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
  const ahead = new BigInt64Array(AHEAD);
  let used = AHEAD;
  register(engine, (api, raw) => {
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

/** A function without arguments that is 0, and tells how many rows it was asked for. */
export function addCounter(engine: Engine, name: string, onRows: (count: number) => void): void {
  let zeros = new BigInt64Array(2048);
  register(engine, (api, raw) => {
    const made = new api.DuckDBScalarFunction();
    made.setName(name);
    made.setReturnType(api.BIGINT);
    made.setVolatile();
    raw.scalar_function_set_function(made.scalar_function, (_info, input, output) => {
      const rows = raw.data_chunk_get_size(input);
      if (rows > zeros.length) zeros = new BigInt64Array(rows);
      raw.copy_data_to_vector(output, 0, zeros.buffer, 0, 8 * rows);
      onRows(rows);
    });
    return made;
  });
}

/** Values as they are, each told on its way: `name(value)`. */
export function addSeen(engine: Engine, name: string, see: (value: bigint) => void): void {
  register(engine, (api) =>
    api.DuckDBScalarFunction.create({
      name,
      parameterTypes: [api.BIGINT],
      returnType: api.BIGINT,
      volatile: true,
      mainFunction: (_info, chunk, output) => {
        const values = chunk.getColumnVector(0);
        for (let i = 0; i < chunk.rowCount; i++) {
          const value = values.getItem(i) as bigint;
          see(value);
          (output as DuckDBBigIntVector).setItem(i, value);
        }
        output.flush();
      },
    }),
  );
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
