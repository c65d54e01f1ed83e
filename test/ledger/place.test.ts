// Where a ledger is: one file by one path, found and never silently begun; one table in a database.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { connect } from '../../src/postgres/index.js';
import { main, type Scratch, scratch } from '../scratch.js';

const root = process.getuid?.() === 0;
const old = new URL('../vectors/ledger-1/ledger.db', import.meta.url);
const init = ['ledger', 'init', '--dataset', 'd', '--epsilon', '1', '--adjacency', 'visits=5'];

function prepared(): Scratch {
  const here = scratch();
  here.write('d.csv', 'visits\n1\n2\n');
  expect(here.run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
  return here;
}
const release = (output: string, ...more: string[]) => [
  'release',
  'd.csv',
  '--column',
  'visits',
  '--mechanism',
  'm.json',
  '-o',
  output,
  ...more,
];

describe('one file, one path', () => {
  it('keeps no log beside the path, and syncs as it should', () => {
    const { run, at, names } = prepared();
    expect(run(init).code).toBe(0);
    expect(run(release('o.csv', '--dataset', 'd')).code).toBe(0);
    expect(names().filter((name) => name.startsWith('discreet-ledger'))).toEqual(['discreet-ledger.db']);
    const database = new Database(at('discreet-ledger.db'));
    expect(database.prepare('PRAGMA journal_mode').all()).toEqual([{ journal_mode: 'delete' }]);
    database.close();
  });

  it('converts a ledger that had a write-ahead log at its first entry', () => {
    const { run, json, at, names } = prepared();
    copyFileSync(old, at('old.db'));
    // The version for writing in the file's header: 2 with a log, 1 without.
    const mode = () => (readFileSync(at('old.db'))[18] === 2 ? 'wal' : 'delete');
    expect(mode()).toBe('wal');
    expect(run(['ledger', 'status', '--ledger', 'old.db']).code).toBe(0);
    expect(mode()).toBe('wal');
    json([...release('o.csv', '--dataset', 'people', '--ledger', 'old.db')]);
    expect(mode()).toBe('delete');
    expect(names().filter((name) => name.startsWith('old.db'))).toEqual(['old.db']);
    expect(run(['ledger', 'check', '--ledger', 'old.db']).code).toBe(0);
  });

  it('lets racers convert an old ledger, and none spends what another spent', async () => {
    const { json, start, at } = prepared();
    copyFileSync(old, at('old.db'));
    // ε = 9 of which 3 is spent, and a release costs 3: two fit.
    const runs = await Promise.all(
      Array.from(
        { length: 8 },
        (_, i) => start(release(`o${i}.csv`, '--dataset', 'people', '--ledger', 'old.db')).ended,
      ),
    );
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 0, 3, 3, 3, 3, 3, 3]);
    expect(json(['ledger', 'check', '--ledger', 'old.db'])).toMatchObject({ whole: true });
  });

  it('refuses a ledger with a second name, and works again when that is gone', () => {
    const { run, at, exists } = prepared();
    run(init);
    linkSync(at('discreet-ledger.db'), at('other.db'));
    for (const ledger of ['discreet-ledger.db', 'other.db'])
      expect(run(release('o.csv', '--dataset', 'd', '--ledger', ledger))).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/it has 2 names \(hard links\).*remove all but one/),
      });
    expect(exists('o.csv')).toBe(false);
    rmSync(at('other.db'));
    // A symbolic link is another name for the same path.
    symlinkSync(at('discreet-ledger.db'), at('link.db'));
    // Nothing is written over its journal, whatever the ledger is called.
    for (const ledger of ['link.db', 'discreet-ledger.db'])
      expect(
        run(
          release(
            'discreet-ledger.db-journal',
            '--output-format',
            'csv',
            '--dataset',
            'd',
            '--ledger',
            ledger,
          ),
        ),
      ).toMatchObject({ code: 2, stderr: expect.stringMatching(/this is the ledger/) });
    expect(run(release('o.csv', '--dataset', 'd', '--ledger', 'link.db')).code).toBe(0);
    expect(run(release('p.csv', '--dataset', 'd')).code).toBe(3);
  });

  it('refuses a ledger that is mounted by itself', ({ skip, onTestFinished }) => {
    const { run, at, write } = prepared();
    run(init);
    mkdirSync(at('data with blank'));
    write('data with blank/ledger.db', '');
    const target = at('data with blank/ledger.db');
    const mounted = root && spawnSync('mount', ['--bind', at('discreet-ledger.db'), target]).status === 0;
    onTestFinished(() => {
      if (mounted) spawnSync('umount', ['-l', target]);
    });
    skip(!mounted, 'a file cannot be mounted here');
    expect(run(release('o.csv', '--dataset', 'd', '--ledger', target))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/it is mounted as a single file.*mount its folder/),
    });
    // By its folder it is the same path, and the same budget.
    mkdirSync(at('folder'));
    const folder = spawnSync('mount', ['--bind', at('.'), at('folder')]).status === 0;
    onTestFinished(() => {
      if (folder) spawnSync('umount', ['-l', at('folder')]);
    });
    expect(run(release('o.csv', '--dataset', 'd', '--ledger', at('folder/discreet-ledger.db'))).code).toBe(0);
    expect(run(release('p.csv', '--dataset', 'd')).code).toBe(3);
  });

  it('refuses network file systems and warns of doubtful ones', ({ skip }) => {
    const { at, write } = prepared();
    write(
      'statfs.c',
      `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/vfs.h>
static int fake(const char *path, void *buffer, const char *name) {
  int (*real)(const char *, void *) = (int (*)(const char *, void *))dlsym(RTLD_NEXT, name);
  int result = real(path, buffer);
  ((struct statfs *)buffer)->f_type = strtoul(getenv("FAKE_TYPE"), 0, 16);
  return result;
}
int statfs(const char *path, struct statfs *buffer) { return fake(path, buffer, "statfs"); }
int statfs64(const char *path, struct statfs64 *buffer) { return fake(path, buffer, "statfs64"); }
`,
    );
    const compiled = spawnSync('cc', ['-shared', '-fPIC', '-o', at('statfs.so'), at('statfs.c'), '-ldl']);
    skip(compiled.status !== 0, 'there is no C compiler to fake a file system with');
    const on = (type: string, ...args: string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
        cwd: at('.'),
        encoding: 'utf8',
        env: { ...process.env, LD_PRELOAD: at('statfs.so'), FAKE_TYPE: type },
      });
      return { code: status, stderr };
    };
    for (const [type, name] of [
      ['6969', 'NFS'],
      ['517b', 'SMB'],
      ['ff534d42', 'SMB'],
      ['fe534d42', 'SMB'],
    ] as const)
      expect(on(type, ...init)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(new RegExp(`it is on ${name}.*PostgreSQL`)),
      });
    expect(existsSync(at('discreet-ledger.db'))).toBe(false);
    for (const [type, name] of [
      ['65735546', 'FUSE'],
      ['01021997', '9p'],
    ] as const)
      expect(on(type, ...init)).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(new RegExp(`note: ledger .*it is on ${name}`)),
      });
    expect(on('ef53', ...init)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('found, never silently begun', () => {
  it('is the nearest from the working directory upward', () => {
    const { run, at } = prepared();
    expect(run(init).stderr).toContain(`a new one is begun: ${at('discreet-ledger.db')}`);
    mkdirSync(at('a/b'), { recursive: true });
    const inside = (...args: string[]) =>
      spawnSync(process.execPath, [main, ...args], { cwd: at('a/b'), encoding: 'utf8' });
    const own = [
      'release',
      '../../d.csv',
      '--column',
      'visits',
      '--mechanism',
      '../../m.json',
      '--dataset',
      'd',
    ];
    const first = inside(...own, '-o', 'o.csv');
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('ledger     ../../discreet-ledger.db');
    expect(inside(...own, '-o', 'p.csv').status).toBe(3);
    expect(readdirSync(at('a/b')).sort()).toEqual(['o.csv', 'o.csv.mechanism.json']);
  });

  it('is not begun by what fails, and no empty file hides one', () => {
    const { run, at, exists, write } = prepared();
    mkdirSync(at('sub'));
    const inside = (...args: string[]) =>
      spawnSync(process.execPath, [main, ...args], { cwd: at('sub'), encoding: 'utf8' });
    const own = ['release', '../d.csv', '--adjacency', '5', '-o', 'o.csv'];
    const failed = inside(...own, '--column', 'nope', '--epsilon', '1');
    expect([failed.status, failed.stderr.includes('begun')]).toEqual([2, false]);
    expect(exists('sub/discreet-ledger.db')).toBe(false);
    write('sub/discreet-ledger.db', '');
    expect(run(init).code).toBe(0);
    expect(inside(...own, '--column', 'visits', '--epsilon', '50', '--dataset', 'd').status).toBe(3);
    expect(exists('sub/o.csv')).toBe(false);
  });

  it('must exist where it is named', () => {
    const { run, names, exists, write } = prepared();
    const named = (extra: string[]) => run(release('o.csv', ...extra));
    expect(named(['--ledger', 'typo.db'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /--ledger: ledger typo.db: there is none; correct the name, or name its new place if it was moved, or make it, as in: discreet ledger init --ledger typo.db --dataset/,
      ),
    });
    expect(named(['--ledger', 'typo.db', '--dry-run']).code).toBe(2);
    expect(named(['--ledger', '']).stderr).toMatch(/--ledger: expected a file or postgres/);
    process.env.DISCREET_LEDGER = 'missing.db';
    try {
      expect(named([])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/DISCREET_LEDGER: ledger missing.db: there is none/),
      });
      process.env.DISCREET_LEDGER = '';
      expect(named([])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/DISCREET_LEDGER: expected/),
      });
    } finally {
      delete process.env.DISCREET_LEDGER;
    }
    expect(exists('o.csv')).toBe(false);
    expect(names().filter((name) => name.endsWith('.db'))).toEqual([]);
    // An empty file is no ledger either.
    write('empty.db', '');
    expect(named(['--ledger', 'empty.db'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/empty.db: there is none/),
    });
    expect(run([...init, '--ledger', 'made.db']).code).toBe(0);
    expect(named(['--ledger', 'made.db', '--dataset', 'd']).code).toBe(0);
  });

  it('is named by discreet.json, by its folder', () => {
    const { run, at, write, exists } = prepared();
    mkdirSync(at('sub'));
    write('discreet.json', '{"ledger": "kept/ledger.db"}');
    expect(run(release('o.csv'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/discreet.json: ledger kept\/ledger.db: there is none/),
    });
    mkdirSync(at('kept'));
    const below = (...args: string[]) =>
      spawnSync(process.execPath, [main, ...args], { cwd: at('sub'), encoding: 'utf8' });
    expect(below(...init).status).toBe(0);
    expect(exists('kept/ledger.db')).toBe(true);
    expect(run(release('o.csv', '--dataset', 'd')).code).toBe(0);
    for (const [text, message] of [
      ['{"leger": "x"}', /unknown key "leger"; the one key is "ledger"/],
      ['{"ledger": 5}', /expected "ledger" to be a file/],
      ['{"ledger": ""}', /discreet.json: expected a file or postgres:\/\/ address, got nothing/],
      ['[]', /expected an object/],
      ['{', /expected JSON/],
    ] as const) {
      write('discreet.json', text);
      expect(run(release('p.csv', '--dataset', 'd'))).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(message),
      });
    }
  });

  it('is not looked for in a folder of another user, or one that everybody may write to', ({ skip }) => {
    const { run, at } = prepared();
    run(init);
    mkdirSync(at('open/inner'), { recursive: true });
    chmodSync(at('open'), 0o777);
    copyFileSync(at('discreet-ledger.db'), at('open/discreet-ledger.db'));
    const from = (folder: string) =>
      spawnSync(process.execPath, [main, 'ledger', 'status'], { cwd: at(folder), encoding: 'utf8' });
    expect(from('open').status).toBe(0);
    expect(from('open/inner').stderr).toMatch(/there is no ledger from here upward/);
    skip(!root, 'only root can give a folder to another user');
    mkdirSync(at('theirs/mine'), { recursive: true });
    chownSync(at('theirs'), 12_345, 12_345);
    expect(from('theirs/mine').stderr).toMatch(/there is no ledger from here upward/);
  });

  it('is no database of something else', () => {
    const { run, at } = prepared();
    const database = new Database(at('other.db'));
    database.exec('CREATE TABLE users (name TEXT)');
    database.close();
    expect(run([...init, '--ledger', 'other.db'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/a database of something else/),
    });
  });

  it('advises nobody to use another name for a dataset', () => {
    const { run } = prepared();
    run(init);
    run(release('o.csv', '--dataset', 'd'));
    const { code, stderr } = run([...init, '--per-person', '3']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/a past that was charged otherwise/)]);
    expect(stderr).not.toMatch(/another name/);
  });
});

describe('in PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  const sql = async (text: string) => {
    const client = await connect(server.address);
    await client.query(text);
    await client.end();
  };

  it('is discreet.ledger for everybody, whatever schema they have of their own', async () => {
    const here = prepared();
    await sql(
      `CREATE ROLE ann LOGIN SUPERUSER; CREATE SCHEMA ann AUTHORIZATION ann; CREATE ROLE bob LOGIN SUPERUSER; CREATE SCHEMA bob AUTHORIZATION bob`,
    );
    const [ann, bob] = ['ann', 'bob'].map((name) => server.address.replace('tester@', `${name}@`)) as [
      string,
      string,
    ];
    const made = here.json<{ ledger: string }>([...init, '--ledger', ann]);
    expect(made.ledger).toBe(`${ann} table discreet.ledger`);
    const mine = here.run(release('ann.csv', '--dataset', 'd', '--ledger', ann));
    expect([mine.code, mine.stdout]).toEqual([0, expect.stringContaining('table discreet.ledger')]);
    expect(here.run(release('bob.csv', '--dataset', 'd', '--ledger', bob))).toMatchObject({ code: 3 });
    expect(here.exists('bob.csv')).toBe(false);
    // A second one in the database is refused, both named.
    await sql('CREATE TABLE bob.discreet_ledger AS SELECT * FROM discreet.ledger');
    expect(here.run(['ledger', 'status', '--ledger', bob])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 ledgers.*bob\.discreet_ledger, discreet\.ledger/),
    });
    await sql('DROP TABLE bob.discreet_ledger; DROP SCHEMA discreet CASCADE');
  });

  it('is the older discreet_ledger where that is the only one', async () => {
    const here = prepared();
    const lines = here.run(['ledger', 'export', '--ledger', old.pathname]).stdout;
    expect(lines.trim().split('\n')).toHaveLength(10);
    await sql('CREATE SCHEMA "Team A"');
    await sql(
      'CREATE TABLE "Team A".discreet_ledger (sequence bigint PRIMARY KEY, text text NOT NULL, hash text NOT NULL UNIQUE)',
    );
    here.write('old.jsonl', lines);
    expect(here.run(['ledger', 'import', 'old.jsonl', '--ledger', server.address])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/there is one already/),
    });
    const client = await connect(server.address);
    for (const [i, text] of lines.trim().split('\n').entries())
      await client.query(
        "INSERT INTO \"Team A\".discreet_ledger VALUES ($1, $2::text, encode(sha256(convert_to($2::text, 'UTF8')), 'hex'))",
        [i + 1, text],
      );
    await client.end();
    const told = here.json<{ ledger: string }>(
      release('o.csv', '--dataset', 'people', '--ledger', server.address),
    );
    expect(told.ledger).toBe(`${server.address} table "Team A".discreet_ledger`);
    await sql('DROP SCHEMA "Team A" CASCADE');
    // Where there is none, an import makes it, and says the same.
    expect(here.run(['ledger', 'import', 'old.jsonl', '--ledger', server.address]).code).toBe(0);
    expect(here.run(['ledger', 'export', '--ledger', server.address]).stdout).toBe(lines);
  });
});
