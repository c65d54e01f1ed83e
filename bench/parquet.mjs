// Where the time of a Parquet release goes, and the ways to hand noise to the engine that were tried. All of them add noise to one
// column of the same copy; runs alternate, and each figure is the median of eleven, ratios those to the plain copy of the same round.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BIGINT, DuckDBDataChunk, DuckDBInstance, DuckDBScalarFunction } from '@duckdb/node-api';
import raw from '@duckdb/node-bindings';
import { design, openLedger, release } from '../dist/index.js';
import { entropySource, sampler } from '../dist/random/index.js';
import { save } from './_report.mjs';

const ROWS = 10_000_000;
const RUNS = 11;
const CHUNK = 2048;
const AHEAD = 16 * 8192;
const CORES = availableParallelism();
/** As in src/release/engine.ts. */
const WAITING = 4;
const DATA = `SELECT range::INTEGER AS id, (hash(range) % 78)::INTEGER AS visits, 'region-' || (hash(range + 7) % 50) AS region, (hash(range + 3) % 1000000) / 1000.0::DOUBLE AS score FROM range(${ROWS})`;
/** The columns of the copy with the protected one as given. */
const columns = (visits) => `id, ${visits} AS visits, region, score`;
/** As `release` has it: what keeps the sum within 2^53 steps. */
const held = (noise) =>
  `CAST(visits::BIGINT + greatest(-9007199254740992 - visits::BIGINT, least(9007199254740992 - visits::BIGINT, ${noise})) AS BIGINT)`;

async function within(threads, work) {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  try {
    await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** `noise()` as the library's own wrapper has it, drawn when it is called for. */
async function wrapped(connection, draws, work) {
  const made = DuckDBScalarFunction.create({
    name: 'noise',
    parameterTypes: [],
    returnType: BIGINT,
    volatile: true,
    mainFunction: (_info, _chunk, output) => {
      draws.fill(output.items, 'saturate');
      output.flush();
    },
  });
  connection.registerScalarFunction(made);
  await work();
  made.destroySync();
}

/** `noise()` on the bare binding: no objects for a chunk, and noise that was drawn many chunks ahead. */
async function bare(connection, draws, work) {
  const ahead = new BigInt64Array(AHEAD);
  const bytes = ahead.buffer;
  let at = AHEAD;
  const made = raw.create_scalar_function();
  raw.scalar_function_set_name(made, 'noise');
  raw.scalar_function_set_return_type(made, BIGINT.toLogicalType().logical_type);
  raw.scalar_function_set_volatile(made);
  raw.scalar_function_set_function(made, (_info, input, output) => {
    const rows = raw.data_chunk_get_size(input);
    if (at + rows > AHEAD) {
      draws.fill(ahead, 'saturate');
      at = 0;
    }
    raw.copy_data_to_vector(output, 0, bytes, at * 8, rows * 8);
    at += rows;
  });
  raw.register_scalar_function(connection.connection, made);
  await work();
  raw.destroy_scalar_function_sync(made);
}

/** Noise as a table that is there before the copy begins, put beside the rows by their place. */
async function tabled(connection, draws, work) {
  await connection.run('CREATE TABLE noise (noise BIGINT)');
  const appender = await connection.createAppender('noise');
  const chunk = DuckDBDataChunk.create([BIGINT], CHUNK);
  for (let done = 0; done < ROWS; done += CHUNK) {
    const vector = chunk.getColumnVector(0);
    draws.fill(vector.items, 'saturate');
    vector.flush();
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  await work();
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-bench-'));
  const at = (name) => join(folder, name);
  const copy = (select) => `COPY (${select}) TO '${at('out.parquet')}'`;
  const from = `FROM '${at('in.parquet')}'`;
  try {
    await within(CORES, (connection) => connection.run(`COPY (${DATA}) TO '${at('in.parquet')}'`));
    const { mechanism } = design({ epsilon: 1, adjacency: 5 });
    const draws = sampler(mechanism.pmf, entropySource(globalThis.crypto));
    const released = async () => {
      const ledger = await openLedger(at('ledger.db'), 'existing or new');
      await release({
        input: at('in.parquet'),
        output: at('released.parquet'),
        columns: ['visits'],
        mechanism,
        dataset: 'bench',
        ledger,
        force: true,
      });
      await ledger.close();
    };
    await released();
    const plain = (select) => () => within(CORES, (connection) => connection.run(copy(select)));
    const called = (way, threads, value) => () =>
      within(threads, (connection) =>
        way(connection, draws, () => connection.run(copy(`SELECT ${columns(value)} ${from}`))),
      );
    const inSql = '(hash(id) % 41)::BIGINT - 20';
    const ways = [
      ['plain copy', plain(from)],
      [
        'plain copy of the released file: what noise costs the writer',
        plain(`FROM '${at('released.parquet')}'`),
      ],
      [
        'noise that SQL makes up, no JavaScript',
        plain(`SELECT ${columns(`visits::BIGINT + ${inSql}`)} ${from}`),
      ],
      ['the same, held within bounds', plain(`SELECT ${columns(held(inSql))} ${from}`)],
      [`noise(), ${CORES} threads`, called(wrapped, CORES, 'visits::BIGINT + noise()')],
      [`noise(), ${CORES + WAITING} threads`, called(wrapped, CORES + WAITING, 'visits::BIGINT + noise()')],
      [`bare binding, drawn ahead, ${CORES} threads`, called(bare, CORES, 'visits::BIGINT + noise()')],
      [
        `bare binding, drawn ahead, ${CORES + WAITING} threads`,
        called(bare, CORES + WAITING, 'visits::BIGINT + noise()'),
      ],
      [
        'a table of noise, positional join',
        () =>
          within(CORES, (connection) =>
            tabled(connection, draws, () =>
              connection.run(
                copy(
                  `SELECT ${columns('visits::BIGINT + noise')} FROM (${from}) POSITIONAL JOIN (FROM noise)`,
                ),
              ),
            ),
          ),
      ],
      [
        `bare binding, held within bounds, ${CORES + WAITING} threads`,
        called(bare, CORES + WAITING, held('noise()')),
      ],
      ['the whole release, with its ledger', released],
    ];
    const times = ways.map(() => []);
    for (let run = 0; run < RUNS; run++)
      for (const [i, [, work]] of ways.entries()) {
        spawnSync('sync');
        const started = performance.now();
        await work();
        times[i].push((performance.now() - started) / 1000);
      }
    const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(RUNS / 2)];
    const ratio = (list) => median(list.map((time, run) => time / times[0][run]));
    save(
      'parquet',
      'Where the time of a Parquet release goes',
      ['10 M rows of four columns, one protected', 'time', 'of the plain copy'],
      ways.map(([name], i) => [
        name,
        `${median(times[i]).toFixed(2)} s`,
        `**${ratio(times[i]).toFixed(2)}**`,
      ]),
      [
        `Medians of ${RUNS} runs that alternate, ratios those to the plain copy of the same round, the disk synced in between. A release has ${CORES + WAITING} threads: some wait for noise while others work. Noise of a table is all in memory before the copy begins; the others are constant in memory.`,
      ],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
