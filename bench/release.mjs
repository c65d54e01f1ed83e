// A release against the same copy without noise: by plain DuckDB for files, by COPY piped into COPY for PostgreSQL. Runs of both
// alternate; each figure is the median of five.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { openLedger, readMechanism, release } from '../dist/index.js';
import { startServer } from '../scripts/postgres.mjs';
import { save } from './_report.mjs';

const ROWS = 10_000_000;
const RUNS = 5;
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const plainCopy = fileURLToPath(new URL('./peers/plain-copy.mjs', import.meta.url));

/** Two integer columns, a text and a double. */
const data = (rows) =>
  `SELECT range::INTEGER AS id, (hash(range) % 78)::INTEGER AS visits, 'region-' || (hash(range + 7) % 50) AS region, (hash(range + 3) % 1000000) / 1000.0::DOUBLE AS score FROM range(${rows})`;

async function duckdb(sql) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
}

/** Seconds, and the most memory in MB, of a process. */
function timed(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    let memory = 0;
    const timer = setInterval(() => {
      try {
        const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
        memory = Math.max(memory, Number(kilobytes ?? 0) / 1024);
      } catch {}
    }, 20);
    child.once('exit', (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`${args.join(' ')}: exit code ${code}`));
      else resolve({ seconds: (performance.now() - started) / 1000, memory });
    });
  });
}

async function inProcess(work) {
  const started = performance.now();
  await work();
  return { seconds: (performance.now() - started) / 1000, memory: 0 };
}

/** The works in turn, again and again: medians of time, largest memory. */
async function alternating(works) {
  const found = works.map(() => []);
  for (let run = 0; run < RUNS; run++)
    for (const [i, work] of works.entries()) {
      // What the last one left to be written must not slow the next one down.
      spawnSync('sync');
      found[i].push(await work());
    }
  return found.map((runs) => ({
    seconds: runs.map(({ seconds }) => seconds).sort((a, b) => a - b)[Math.floor(RUNS / 2)],
    memory: Math.max(...runs.map(({ memory }) => memory)),
  }));
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-bench-'));
  try {
    const rows = [];
    execFileSync(
      process.execPath,
      [main, 'design', '--epsilon', '1', '--adjacency', '5', '-o', join(folder, 'm.json')],
      {
        stdio: 'ignore',
      },
    );
    for (const format of ['csv', 'parquet']) rows.push(...(await files(folder, format)));
    rows.push(...(await postgres(folder)));
    save(
      'release',
      'A release against the same copy without noise',
      [
        '10 M rows of four columns',
        'plain copy',
        'release',
        'ratio',
        'rows/s',
        'memory plain',
        'memory release',
      ],
      rows,
      [
        `Medians of ${RUNS} runs that alternate, the disk synced in between. The release reads, checks every value against the lattice, draws exact noise, writes, syncs the file and keeps its ledger. "Command" is the whole program with its start; "call" is the library's \`release\` beside the same engine's copy, in one process.`,
        'The plain CSV copy is `COPY (FROM in.csv) TO out.csv`, which finds out types; "as text" tells DuckDB that every column is text, which is faster and what the release itself does with the columns it does not protect.',
        'Memory is the peak of the process, for 10 M rows and for three times as many.',
      ],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function files(folder, format) {
  const at = (name) => join(folder, name);
  await duckdb(`COPY (${data(ROWS)}) TO '${at(`in.${format}`)}'`);
  await duckdb(`COPY (${data(3 * ROWS)}) TO '${at(`large.${format}`)}'`);
  const command = (input) => () =>
    timed(
      process.execPath,
      [
        main,
        'release',
        input,
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'bench',
        '-o',
        `out.${format}`,
        '--force',
      ],
      folder,
    );
  const plain = (how) => () =>
    timed(process.execPath, [plainCopy, at(`in.${format}`), at(`plain.${format}`), how], folder);
  const call = callOf(folder, format);
  const [ours, theirs, text, callOurs, callTheirs] = await alternating([
    command(`in.${format}`),
    plain('types'),
    plain(format === 'csv' ? 'text' : 'types'),
    () => inProcess(call),
    () => inProcess(() => duckdb(`COPY (FROM '${at(`in.${format}`)}') TO '${at(`plain.${format}`)}'`)),
  ]);
  const large = await command(`large.${format}`)();
  rmSync(at(`large.${format}`));
  const name = format === 'csv' ? 'CSV' : 'Parquet';
  const memory = (mb) => (mb === 0 ? '–' : `${mb.toFixed(0)} MB`);
  const row = (title, a, b) => [
    title,
    `${b.seconds.toFixed(2)} s`,
    `${a.seconds.toFixed(2)} s`,
    `**${(a.seconds / b.seconds).toFixed(2)}**`,
    `${(ROWS / a.seconds / 1e6).toFixed(1)} M`,
    memory(b.memory),
    a.memory === 0 ? '–' : `${memory(a.memory)} (30 M rows: ${memory(large.memory)})`,
  ];
  return [
    row(
      `${name} to ${name}, command (${(statSync(at(`in.${format}`)).size / 1e6).toFixed(0)} MB)`,
      ours,
      theirs,
    ),
    ...(format === 'csv' ? [row('CSV to CSV, command, plain copy as text', ours, text)] : []),
    row(`${name} to ${name}, call`, callOurs, callTheirs),
  ];
}

/** The library's release, ledger included. */
function callOf(folder, format) {
  const mechanism = readMechanism(readFileSync(join(folder, 'm.json'), 'utf8'));
  return async () => {
    const ledger = await openLedger(join(folder, 'call.db'), 'existing or new');
    await release({
      input: join(folder, `in.${format}`),
      output: join(folder, `call.${format}`),
      columns: ['visits'],
      mechanism,
      dataset: 'bench',
      ledger,
      force: true,
    });
    await ledger.close();
  };
}

async function postgres(folder) {
  const server = await startServer({ max_wal_size: '8GB', shared_buffers: '512MB' });
  try {
    const psql = (sql) =>
      execFileSync('psql', [server.address, '-qc', sql], { stdio: ['ignore', 'ignore', 'inherit'] });
    psql('CREATE TABLE trips (id int, visits int, region text, score float8)');
    writeFileSync(join(folder, 'load.sql'), `\\copy trips from '${join(folder, 'in.csv')}' csv header\n`);
    spawnSync('psql', [server.address, '-qf', join(folder, 'load.sql')], { stdio: 'inherit' });
    psql('CHECKPOINT');
    const pipe = `set -e; psql ${server.address} -qc 'DROP TABLE IF EXISTS plain' -c 'CREATE TABLE plain (LIKE trips)' 2>/dev/null; psql ${server.address} -qc 'COPY trips TO STDOUT (FORMAT binary)' | psql ${server.address} -qc 'COPY plain FROM STDIN (FORMAT binary)'`;
    const [ours, theirs] = await alternating([
      () =>
        timed(
          process.execPath,
          [
            main,
            'release',
            server.address,
            '--table',
            'trips',
            '--column',
            'visits',
            '--mechanism',
            'm.json',
            '--dataset',
            'bench',
            '-o',
            server.address,
            '--output-table',
            'released',
            '--force',
          ],
          folder,
        ),
      () => timed('sh', ['-c', pipe], folder),
    ]);
    return [
      [
        'PostgreSQL to PostgreSQL, command, against `COPY … TO` piped to `COPY … FROM`',
        `${theirs.seconds.toFixed(2)} s`,
        `${ours.seconds.toFixed(2)} s`,
        `**${(ours.seconds / theirs.seconds).toFixed(2)}**`,
        `${(ROWS / ours.seconds / 1e6).toFixed(1)} M`,
        '–',
        `${ours.memory.toFixed(0)} MB`,
      ],
    ];
  } finally {
    await server.stop();
  }
}
