// What is left when things go wrong: an output that is whole or absent, and a ledger that never says too little.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { connect } from '../../src/postgres/index.js';
import { cells, main, scratch, visits } from '../scratch.js';

const root = process.getuid?.() === 0;
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface History {
  readonly entries: {
    sequence: number;
    kind: string;
    state?: string;
    output?: string;
    epsilon?: string;
    release?: number;
    reason?: string;
  }[];
}

const releasesOf = (history: History) => history.entries.filter(({ kind }) => kind === 'release');

describe('a process that is killed', () => {
  it('leaves a whole output or none, and a ledger that covers it, at a hundred random moments', async () => {
    const { run, start, json, exists, read, names } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    json(['ledger', 'init', '--dataset', 'd', '--epsilon', '1000', '--adjacency', 'visits=5']);
    const args = (i: number) => [
      'release',
      visits,
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '-o',
      `out-${i}.csv`,
    ];
    const started = performance.now();
    expect(run(args(0)).code).toBe(0);
    const span = 1.6 * (performance.now() - started);
    let next = 1;
    // Four at a time, so that they also meet at the ledger.
    const worker = async () => {
      while (next <= 100) {
        const { child, ended } = start(args(next++));
        const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * 2 * span);
        await ended;
        clearTimeout(timer);
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(run(['ledger', 'check'])).toMatchObject({ code: 0 });
    const releases = releasesOf(json<History>(['ledger', 'history']));
    const left = Array.from({ length: 101 }, (_, i) => `out-${i}.csv`).filter(exists);
    for (const name of left) {
      expect(cells(read(name))).toHaveLength(20_191);
      expect(releases.find(({ output }) => output === name)?.state).toMatch(/complete|open/);
    }
    // Whoever has a complete entry has its output, and nothing was voided.
    for (const { output, state } of releases) {
      if (state === 'complete') expect(exists(output!)).toBe(true);
      expect(state).not.toBe('void');
    }
    const { datasets } = json<{ datasets: { spent: { epsilon: string } }[] }>(['ledger', 'status']);
    expect(Number(datasets[0]!.spent.epsilon)).toBeCloseTo(releases.length, 6);
    expect(left.length).toBeLessThanOrEqual(releases.length);
    // The moments were spread: some before the entry, some between entry and output, some after.
    expect(left.length).toBeGreaterThan(5);
    expect(left.length).toBeLessThan(95);
    // What a killed process leaves of an output is gone with the next release to that name.
    const partial = names().find((name) => name.endsWith('.partial'));
    if (partial) {
      const name = partial.replace(/^\.(.*)\.[0-9a-f]+-\d+-[0-9a-f]+\.partial$/, '$1');
      expect(run([...args(0).slice(0, -1), name, '--force']).code).toBe(0);
      expect(names().filter((other) => other.startsWith(`.${name}.`))).toEqual([]);
    }
  }, 300_000);

  it('is interrupted while it waits for a pipe', async () => {
    const { run, start, exists } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    for (const [format, output] of [
      ['csv', 'o.csv'],
      ['jsonl', 'o.csv'],
      ['jsonl', 'o.jsonl'],
    ] as const) {
      const { child, ended } = start([
        'release',
        '-',
        '--input-format',
        format,
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'd',
        '-o',
        output,
      ]);
      await new Promise((done) => setTimeout(done, 3000));
      child.kill('SIGINT');
      expect(await ended).toMatchObject({
        code: 130,
        // JSON lines have no header to wait for: their entry is there when the waiting begins.
        stderr: expect.stringMatching(
          output === 'o.jsonl'
            ? /entry 1 of the ledger is marked aborted/
            : /nothing was released or charged/,
        ),
      });
    }
    expect(exists('o.csv') || exists('o.jsonl')).toBe(false);
  });

  it('is interrupted in an orderly way by Ctrl-C and SIGTERM', async () => {
    const { run, start, json, write, names } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    write(
      'big.csv',
      `id,visits\n${Array.from({ length: 3_000_000 }, (_, i) => `${i},${i % 50}`).join('\n')}\n`,
    );
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const { child, ended } = start([
        'release',
        'big.csv',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'out.csv',
      ]);
      // As soon as the entry is there, before three million rows can be.
      for (;;) {
        await new Promise((done) => setTimeout(done, 20));
        if (names().some((name) => name.startsWith('.out.csv'))) break;
        if (child.exitCode !== null) break;
      }
      child.kill(signal);
      const { code: found, stderr } = await ended;
      expect([found, stderr]).toEqual([
        code,
        expect.stringMatching(/entry \d+ of the ledger is marked aborted and counts as spent/),
      ]);
      expect(names().filter((name) => name.includes('out.csv'))).toEqual([]);
      expect(releasesOf(json<History>(['ledger', 'history'])).at(-1)!.state).toBe('abort');
    }
    const { datasets } = json<{ datasets: { spent: { epsilon: string } }[] }>(['ledger', 'status']);
    expect(Number(datasets[0]!.spent.epsilon)).toBeCloseTo(2, 6);
  });
});

describe('fifty processes that race for a budget of seven', () => {
  const race = async (ledger: string) => {
    const { run, start, write, json, exists } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    write('d.csv', 'visits\n1\n2\n');
    json([
      'ledger',
      'init',
      '--dataset',
      'd',
      '--epsilon',
      '7',
      '--adjacency',
      'visits=5',
      '--ledger',
      ledger,
    ]);
    const runs = await Promise.all(
      Array.from(
        { length: 50 },
        (_, i) =>
          start([
            'release',
            'd.csv',
            '--column',
            'visits',
            '--mechanism',
            'm.json',
            '--dataset',
            'd',
            '--ledger',
            ledger,
            '-o',
            `o-${i}.csv`,
          ]).ended,
      ),
    );
    const codes = runs.map(({ code }) => code);
    expect([codes.filter((code) => code === 0).length, codes.filter((code) => code === 3).length]).toEqual([
      7, 43,
    ]);
    expect(runs.map((_, i) => exists(`o-${i}.csv`)).filter(Boolean)).toHaveLength(7);
    expect(runs.every(({ code }, i) => (code === 0) === exists(`o-${i}.csv`))).toBe(true);
    expect(run(['ledger', 'check', '--ledger', ledger]).code).toBe(0);
    expect(
      releasesOf(json<History>(['ledger', 'history', '--ledger', ledger])).map(({ state }) => state),
    ).toEqual(Array(7).fill('complete'));
  };
  it('exactly seven succeed, in a file', () => race('race.db'), 240_000);
  it('exactly seven succeed, in PostgreSQL', () => race(server.address), 240_000);
});

describe('a ledger that cannot be written', () => {
  it('stops the release: read-only', () => {
    const folder = mkdtempSync(join(tmpdir(), 'discreet-test-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const { run, write, at } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    write('d.csv', 'visits\n1\n');
    run([
      'ledger',
      'init',
      '--dataset',
      'd',
      '--epsilon',
      '7',
      '--adjacency',
      'visits=5',
      '--ledger',
      join(folder, 'l.db'),
    ]);
    chmodSync(join(folder, 'l.db'), 0o444);
    chmodSync(folder, 0o555);
    chmodSync(at('.'), 0o777);
    // Root may write anything: somebody else is asked then.
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        main,
        'release',
        'd.csv',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'd',
        '--ledger',
        join(folder, 'l.db'),
        '-o',
        'x.csv',
      ],
      {
        cwd: at('.'),
        encoding: 'utf8',
        ...(root ? { uid: 65_534, gid: 65_534 } : {}),
      },
    );
    expect([status, stderr]).toEqual([2, expect.stringMatching(/ledger .*: it cannot be (written|opened)/)]);
    expect(existsSync(at('x.csv'))).toBe(false);
    chmodSync(folder, 0o755);
    expect(run(['ledger', 'history', '--ledger', join(folder, 'l.db')]).stdout).not.toMatch(/release/);
  });

  it('stops the release: locked by another process', () => {
    const { run, write, at, exists } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    write('d.csv', 'visits\n1\n');
    run(['ledger', 'init', '--dataset', 'd', '--epsilon', '7', '--adjacency', 'visits=5']);
    const other = new Database(at('discreet-ledger.db'));
    other.exec('BEGIN IMMEDIATE');
    const { code, stderr } = run([
      'release',
      'd.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '-o',
      'x.csv',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/another process has held it for 10 s/)]);
    expect(exists('x.csv')).toBe(false);
    other.exec('ROLLBACK');
    other.close();
  });

  it('stops the release: no ledger, or one that was tampered with', () => {
    const { run, write, exists } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    write('d.csv', 'visits\n1\n');
    write('junk.db', 'this is not a database, and it is long enough to be looked at by SQLite');
    for (const ledger of ['junk.db', 'no/folder/l.db', '/proc/l.db'])
      expect(
        run([
          'release',
          'd.csv',
          '--column',
          'visits',
          '--mechanism',
          'm.json',
          '-o',
          'x.csv',
          '--ledger',
          ledger,
        ]),
      ).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: (?:--ledger: )?ledger/) });
    expect(exists('x.csv')).toBe(false);
  });
});

describe('a disk that is full', () => {
  it('leaves nothing, says so, and counts as spent', ({ skip, onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), 'discreet-full-'));
    onTestFinished(() => {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    });
    const mounted =
      root && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
    skip(!mounted, 'a small file system cannot be mounted here');
    const { run, json, write, at } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    write(
      'big.csv',
      `id,visits,note\n${Array.from({ length: 200_000 }, (_, i) => `${i},${i % 50},${Math.random()}${Math.random()}`).join('\n')}\n`,
    );
    write(
      'big.jsonl',
      Array.from({ length: 50_000 }, (_, i) => `{"visits":${i},"note":"some text that takes room"}\n`).join(
        '',
      ),
    );
    for (const [input, output] of [
      ['big.csv', 'x.csv'],
      ['big.csv', 'x.parquet'],
      ['big.jsonl', 'x.jsonl'],
    ] as const) {
      const { code, stderr } = run([
        'release',
        input,
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'd',
        '-o',
        join(folder, output),
      ]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/no space left.*stays charged, as entry \d+/),
      ]);
      expect(readdirSync(folder)).toEqual([]);
    }
    expect(releasesOf(json<History>(['ledger', 'history'])).map(({ state }) => state)).toEqual([
      'abort',
      'abort',
      'abort',
    ]);
    // A ledger on a full disk: nothing is released.
    run([
      'ledger',
      'init',
      '--dataset',
      'd',
      '--epsilon',
      '9',
      '--adjacency',
      'visits=5',
      '--ledger',
      join(folder, 'l.db'),
    ]);
    for (let piece = 1 << 18; piece >= 512; ) {
      try {
        writeFileSync(join(folder, 'fill'), Buffer.alloc(piece), { flag: 'a' });
      } catch {
        piece /= 2;
      }
    }
    const { code, stderr } = run([
      'release',
      visits,
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '-o',
      'y.csv',
      '--ledger',
      join(folder, 'l.db'),
    ]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/ledger .*(no space left|disk failed|cannot be)/),
    ]);
    expect(existsSync(at('y.csv'))).toBe(false);
  });

  it('is told on standard output too', () => {
    const { at, run, json } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    const { status, stderr } = spawnSync(
      'sh',
      [
        '-c',
        `"${process.execPath}" "${main}" release "${visits}" --column visits --mechanism m.json -o - > /dev/full`,
      ],
      { cwd: at('.'), encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(
        /error: standard output: cannot be written: no space left on the device\. The attempt stays charged, as entry 1/,
      ),
    ]);
    expect(releasesOf(json<History>(['ledger', 'history']))[0]!.state).toBe('abort');
  });
});

describe('a server that stops in the middle', () => {
  // Rows that take their time, so that the middle lasts.
  const slow = 'SELECT id, visits, note FROM trips WHERE pg_sleep(0.00002) IS NOT NULL';
  const table =
    "CREATE TABLE trips AS SELECT g AS id, g % 10 AS visits, repeat('x', 100) AS note FROM generate_series(1, 1000000) g";

  it.each([
    ['to another table', (address: string) => ['-o', address, '--output-table', 'out']],
    ['to a file', () => ['-o', 'out.csv']],
    ['to Parquet', () => ['-o', 'out.parquet']],
  ])('%s: a clear error, nothing half-written, an entry that is aborted', async (_name, output) => {
    const own = await startServer();
    const { run, start, json, names } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    const watcher = await connect(own.address);
    await watcher.query(table);
    const { ended } = start([
      'release',
      own.address,
      '--query',
      slow,
      '--rows-once',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      ...output(server.address),
    ]);
    for (;;) {
      const { rows } = await watcher.query(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'discreet' AND query LIKE 'COPY%' AND pid <> pg_backend_pid()",
      );
      if (rows.length > 0) break;
      await new Promise((done) => setTimeout(done, 50));
    }
    await new Promise((done) => setTimeout(done, 1000));
    await watcher.end().catch(() => undefined);
    own.crash();
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/the server (closed the connection|was shut down|refused).*stays charged/),
    ]);
    expect(names().filter((name) => name.includes('out'))).toEqual([]);
    const check = await connect(server.address);
    expect((await check.query("SELECT to_regclass('out') AS t")).rows[0].t).toBeNull();
    await check.end();
    expect(releasesOf(json<History>(['ledger', 'history']))[0]!.state).toBe('abort');
    await own.stop();
  });

  it('as the output: the same', async () => {
    const own = await startServer();
    const { run, start, json, write } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    write(
      'big.csv',
      `id,visits\n${Array.from({ length: 2_000_000 }, (_, i) => `${i},${i % 50}`).join('\n')}\n`,
    );
    const { ended } = start([
      'release',
      'big.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      own.address,
      '--output-table',
      'out',
    ]);
    const watcher = await connect(own.address);
    for (;;) {
      const { rows } = await watcher.query(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'COPY%' AND pid <> pg_backend_pid()",
      );
      if (rows.length > 0) break;
      await new Promise((done) => setTimeout(done, 20));
    }
    await watcher.end().catch(() => undefined);
    own.crash();
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/the server.*stays charged/)]);
    expect(releasesOf(json<History>(['ledger', 'history']))[0]!.state).toBe('abort');
    await own.stop();
  });

  it('where the input is replaced by the output: refused under every name', async () => {
    const client = await connect(server.address);
    await client.query('DROP TABLE IF EXISTS own; CREATE TABLE own AS SELECT 1 AS visits');
    const { run } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    const localhost = server.address.replace('127.0.0.1', 'localhost').replace('postgres:', 'postgresql:');
    for (const [table, address] of [
      ['own', server.address],
      ['public.own', server.address],
      ['own', localhost],
    ] as const)
      expect(
        run([
          'release',
          server.address,
          '--table',
          'own',
          '--column',
          'visits',
          '--mechanism',
          'm.json',
          '--dataset',
          'd',
          '-o',
          address,
          '--output-table',
          table,
          '--force',
        ]),
      ).toMatchObject({ code: 2, stderr: expect.stringMatching(/the output is the input/) });
    // A query too, as far as its columns tell where they come from.
    const { code, stderr } = run([
      'release',
      server.address,
      '--query',
      'SELECT * FROM own',
      '--rows-once',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '-o',
      server.address,
      '--output-table',
      'own',
      '--force',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/the output is the input/)]);
    expect((await client.query('SELECT visits FROM own')).rows).toEqual([{ visits: 1 }]);
    await client.end();
  });
});

describe('what fails after the release', () => {
  it('does not look like a release that failed', () => {
    const { run, json, exists, at } = scratch();
    mkdirSync(at('closed'));
    if (root) chownSync(at('closed'), 0, 0);
    const report = root ? '/proc/report.html' : join(at('closed'), 'report.html');
    if (!root) chmodSync(at('closed'), 0o555);
    const { code, stderr } = run([
      'release',
      visits,
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '-o',
      'out.csv',
      '--report',
      report,
    ]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/released all the same, to out.csv, and charged as entry 1/),
    ]);
    expect(exists('out.csv') && exists('out.csv.mechanism.json')).toBe(true);
    expect(releasesOf(json<History>(['ledger', 'history']))[0]!.state).toBe('complete');
  });

  it('leaves the mechanism of an earlier release alone where the new one fails', () => {
    const { run, read, write } = scratch();
    write('good.csv', 'visits\n1\n');
    write('bad.csv', 'visits\nx\n');
    expect(
      run(['release', 'good.csv', '--column', 'visits', '--epsilon', '1', '--adjacency', '5', '-o', 'o.csv'])
        .code,
    ).toBe(0);
    const before = [read('o.csv'), read('o.csv.mechanism.json')];
    expect(
      run([
        'release',
        'bad.csv',
        '--column',
        'visits',
        '--epsilon',
        '2',
        '--adjacency',
        '5',
        '-o',
        'o.csv',
        '--force',
      ]).code,
    ).toBe(2);
    expect([read('o.csv'), read('o.csv.mechanism.json')]).toEqual(before);
  });
});

describe('files that are not the output', () => {
  it('are never overwritten, not even with --force', () => {
    const { run, read, write, at } = scratch();
    run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
    write('x.json', 'visits\n1\n');
    run([
      'ledger',
      'init',
      '--dataset',
      'd',
      '--epsilon',
      '9',
      '--adjacency',
      'visits=5',
      '--ledger',
      'l.json',
    ]);
    const ledger = readFileSync(at('l.json'));
    const base = [
      'release',
      'x.json',
      '--input-format',
      'csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '--ledger',
      'l.json',
      '--output-format',
      'csv',
      '--force',
    ];
    for (const more of [
      ['-o', 'l.json'],
      ['-o', 'o.csv', '--report', 'l.html'],
      ['-o', 'o.csv', '--report', 'x.html'],
      ['-o', 'o.csv', '--report', 'm.html'],
      ['-o', 'r.json', '--report', 'r.html'],
      ['-o', 'm.json'],
    ])
      expect([more, run([...base, ...more])]).toMatchObject([
        more,
        { code: 2, stderr: expect.stringMatching(/choose another/) },
      ]);
    symlinkSync(at('l.json'), at('link.json'));
    for (const name of ['l.json', 'link.json'])
      expect(run(['ledger', 'export', '--ledger', 'l.json', '-o', name, '--force']).code).toBe(2);
    expect(readFileSync(at('l.json'))).toEqual(ledger);
    expect(read('x.json')).toBe('visits\n1\n');
    expect(run(['verify', 'm.json']).code).toBe(0);
  });
});
