// The driver of a release that others carry out: charged once, before anything is done, and settled by how it ends.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { cells, main, scratch } from '../scratch.js';

const { folder, at, read, run, json, exists, names } = scratch();
const discreet = `"${process.execPath}" "${main}"`;
let made = 0;

/** Three files of a hundred rows, in a folder of their own; every row has an id. */
function parts(name: string, id = (part: number, i: number) => `${100 * part + i}`): string[] {
  mkdirSync(at(name));
  return ['a', 'b', 'c'].map((file, part) => {
    const rows = Array.from({ length: 100 }, (_, i) => `${id(part, i)},${i % 7}`);
    writeFileSync(join(folder, name, `${file}.csv`), `id,visits\n${rows.join('\n')}\n`);
    return `${name}/${file}.csv`;
  });
}

const base = ['--column', 'visits', '--dataset', 'd', '--ledger', 'l.db'];
const own = [...base, '--epsilon', '1'];
/** Runs a shell command as the job. */
const drive = (files: readonly string[], command: string, more: readonly string[] = ['--id', 'id']) =>
  run([
    ...['pipe', '--drive', ...files, ...(more.includes('--epsilon') ? base : own), ...more],
    ...['-o', `out-${made++}`, '--', 'sh', '-c', command],
  ]);
const each = (to: string, more = '', from = 'in') =>
  `mkdir -p ${to}; for f in a b c; do ${discreet} pipe --key-fd 3 --input-format csv ${more} -o ${to}/$f.csv < ${from}/$f.csv || exit 9; done`;

interface Entry {
  readonly kind: string;
  readonly state?: string;
  readonly keyed?: { readonly id: string | null; readonly pinned: string };
  readonly reason?: string;
}
const entries = () =>
  json<{ entries: Entry[] }>(['ledger', 'history', '--ledger', 'l.db']).entries.filter(
    ({ kind }) => kind === 'release',
  );

let files: string[] = [];
beforeAll(() => {
  json([
    ...['ledger', 'init', '--ledger', 'l.db', '--dataset', 'd', '--epsilon', '50'],
    ...['--adjacency', 'visits=5'],
  ]);
  files = parts('in');
});

describe('a driver with a command', () => {
  it('charges once, hands on job and key, and settles; partitions may be run again', () => {
    const before = entries().length;
    const { code, stderr } = drive(
      files,
      `${each('o1')}; ${each('o2')}; env > env; cat /proc/*/environ /proc/*/cmdline > proc 2>/dev/null; cp "$DISCREET_JOB" job.json; head -c 32 <&3 > key`,
    );
    expect(stderr).toContain('300 rows released');
    expect(code).toBe(0);
    const found = entries();
    expect(found).toHaveLength(before + 1);
    expect(found.at(-1)).toMatchObject({ state: 'complete', keyed: { id: 'id' } });
    expect(found.at(-1)!.keyed!.pinned).toMatch(/^3 files, compared by digest before and after$/);
    let moved = 0;
    for (const file of ['a', 'b', 'c']) {
      expect(read(`o1/${file}.csv`)).toBe(read(`o2/${file}.csv`));
      const [now, then] = [cells(read(`o1/${file}.csv`)), cells(read(`in/${file}.csv`))];
      expect(now.map(([id]) => id)).toEqual(then.map(([id]) => id));
      moved += now.filter(([, visits], i) => visits !== then[i]![1]).length;
    }
    expect(moved).toBeGreaterThan(150);
    expect(exists(`out-${made - 1}.mechanism.json`)).toBe(true);
    // The key is in no argument, no environment and no job, in whatever writing.
    const key = readFileSync(at('key'));
    for (const place of ['env', 'proc', 'job.json'])
      for (const form of [key, key.toString('hex'), key.toString('base64')])
        expect(readFileSync(at(place)).includes(form)).toBe(false);
    const { keyMark } = JSON.parse(read('job.json')) as { keyMark: string };
    expect(createHash('sha256').update('discreet key\0').update(key).digest('hex')).toBe(keyMark);
  });

  it('makes another noise for another release', () => {
    expect(drive(files, each('o3')).code).toBe(0);
    expect(read('o3/a.csv')).not.toBe(read('o1/a.csv'));
  });

  it('hands every one of many its own copy of the key', () => {
    const { code } = drive(
      files,
      `${each('o4')}; seq 300 | xargs -P 8 -I{} sh -c 'dd bs=32 count=1 <&3 2>/dev/null | sha256sum >> o4/sums'`,
    );
    expect(code).toBe(0);
    const sums = read('o4/sums').trim().split('\n');
    expect([sums.length, new Set(sums).size]).toEqual([300, 1]);
  });

  it('tells rows without an id apart by their partition', () => {
    parts('same', () => 'x');
    const same = ['same/a.csv', 'same/b.csv', 'same/c.csv'];
    const { code, stderr } = drive(same, each('o5', '--partition $f.csv', 'same'), []);
    expect([code, stderr]).toEqual([0, expect.stringContaining('300 rows')]);
    const two = each('o6', '--partition $f.csv', 'same').replace('a b c', 'a b');
    expect(drive(same, two, []).stderr).toContain('c.csv went through no pipe');
    const values = ['a', 'b', 'c'].map((file) => read(`o5/${file}.csv`));
    expect(new Set(values).size).toBe(3);
  });

  it('refuses what the budget does not cover, before anything is read or run', () => {
    const { code, stderr } = drive(['nothere.csv'], 'touch ran', ['--id', 'id', '--epsilon', '60']);
    expect([code, exists('ran')]).toEqual([3, false]);
    expect(stderr).toContain('beyond its budget');
  });

  it('overwrites what is there where the driver was told to, and only then', () => {
    mkdirSync(at('again'));
    for (const file of ['a', 'b', 'c']) writeFileSync(at(`again/${file}.csv`), 'old');
    const args = (more: string[]) => [
      ...['pipe', '--drive', ...files, ...own, '--id', 'id', '-o', 'again', ...more],
      ...['--', 'sh', '-c', each('again')],
    ];
    const before = entries().length;
    expect(run(args([])).stderr).toContain('--force');
    expect(entries()).toHaveLength(before);
    expect(run(args(['--force'])).code).toBe(0);
    expect(read('again/a.csv')).not.toBe('old');
  });

  it('is not complete where a pipe was fed something else, though the command ends well', () => {
    writeFileSync(at('other.csv'), 'id,visits\n1,1000\n2,1000\n');
    const stray = `${each('stray')}; ${discreet} pipe --key-fd 3 --input-format csv < other.csv > stray/x; true`;
    const { code, stderr } = drive(files, stray);
    expect([code, stderr]).toEqual([2, expect.stringContaining('none of the inputs, and noise of it')]);
    expect(entries().at(-1)).toMatchObject({ state: 'abort' });
  });

  it('is not complete where a pipe to standard output was stopped, for nobody knows what it was fed', () => {
    mkdirSync(at('lines'));
    writeFileSync(at('lines/a.jsonl'), '{"id":"x1","visits":2}\n');
    const pipe = `${discreet} pipe --key-fd 3 --input-format jsonl`;
    const fed = '(cat lines/a.jsonl; sleep 9)';
    const job = `mkdir -p cut; ${fed} | timeout -s KILL 8 ${pipe} > cut/x; ${pipe} -o cut/a.jsonl < lines/a.jsonl`;
    const { code, stderr } = drive(['lines/a.jsonl'], job);
    expect([code, stderr]).toEqual([2, expect.stringContaining('nobody knows what it was fed')]);
    expect(entries().at(-1)).toMatchObject({ state: 'abort' });
    const whole = `mkdir -p all; ${pipe} < lines/a.jsonl > all/a.jsonl`;
    expect(drive(['lines/a.jsonl'], whole).code).toBe(0);
  });

  it('begins no ledger', () => {
    const { run: elsewhere, write, names: found } = scratch();
    write('p.csv', 'id,visits\n1,2\n');
    for (const more of [['--dry-run'], []]) {
      const { code, stderr } = elsewhere([
        ...['pipe', '--drive', 'p.csv', '--column', 'visits', '--epsilon', '1', '--adjacency', '5'],
        ...['--id', 'id', '--dataset', 'd', '-o', 'out', ...more, '--', 'true'],
      ]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/no ledger from here upward.*ledger init --dataset/),
      ]);
    }
    expect(found()).toEqual(['p.csv']);
  });

  it('leaves nothing behind', () => {
    expect(names().filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('what a driver looks at before it charges', () => {
  it.each([
    [
      'ids that are there twice, in two files',
      (p: number, i: number) => (p === 2 && i === 50 ? '150' : `${100 * p + i}`),
      /"id" is there twice/,
    ],
    [
      'ids that are missing',
      (p: number, i: number) => (p === 2 && i === 50 ? '' : `${p}-${i}`),
      /has no "id"/,
    ],
  ])('%s', (name, id, message) => {
    const before = entries().length;
    const { code, stderr } = drive(parts(name, id), 'touch ran');
    expect([code, exists('ran'), entries().length]).toEqual([2, false, before]);
    expect(stderr).toMatch(message);
  });

  it('columns: those of the budget do not leave, and all files have the same', () => {
    writeFileSync(at('other.csv'), 'id,visits,Visits \n1,2,2\n');
    writeFileSync(at('more.csv'), 'id,visits,age\n7777,2,3\n');
    const spelt = drive(['other.csv'], 'true');
    expect([spelt.code, spelt.stderr]).toEqual([3, expect.stringContaining('the budget protects "visits"')]);
    const { code, stderr } = drive([...files, 'more.csv'], 'true');
    expect([code, stderr]).toEqual([2, expect.stringContaining('other columns')]);
  });

  it('that there is something to pin, a command, and a place to write to', () => {
    const missing = run(['pipe', '--drive', ...files, ...own, '--id', 'id', '--', 'no-such-thing']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no such program')]);
    mkdirSync(at('full'));
    writeFileSync(at('full/x'), '');
    expect(
      run(['pipe', '--drive', ...files, ...own, '--id', 'id', '-o', 'full', '--', 'true']).stderr,
    ).toContain('full is there already');
    const bare = ['pipe', '--drive', ...own, '--id', 'id'];
    expect(run([...bare, '--', 'true']).stderr).toContain('--pinned');
    expect(run(['pipe', '--drive', ...files, ...own, '--id', 'id']).stderr).toContain('expected a command');
    expect(drive(files, 'true', ['--id', 'id', '--prior-share', '0.1', '--range', '0,7']).stderr).toContain(
      '--prior-share',
    );
  });

  it('in a trial: what it would cost, and nothing is charged', () => {
    const before = entries().length;
    const trial = json<{ dryRun: boolean; unchanged: string[] }>([
      ...['pipe', '--drive', ...files, ...own, '--id', 'id', '--dry-run'],
    ]);
    expect(trial).toMatchObject({ dryRun: true, unchanged: ['id'] });
    expect(entries().length).toBe(before);
  });
});

describe('what fails afterwards stays charged', () => {
  it.each([
    ['a command that fails', () => 'exit 7', /exit code 7/],
    [
      'one that has not done all',
      () => `${each('part').replace('a b c', 'a b')}`,
      /c\.csv went through no pipe/,
    ],
    [
      'an input that is none of those',
      () => `printf 'id,visits\\n1,2\\n' | ${discreet} pipe --key-fd 3 --input-format csv -o none.csv`,
      /none of the inputs/,
    ],
    [
      'half an input',
      () => `head -c 300 in/a.csv | head -n -1 | ${discreet} pipe --key-fd 3 --input-format csv -o none.csv`,
      /none of the inputs/,
    ],
    [
      'an input that is changed',
      () => `${each('o9', '', 'changing')}; echo 9999,1 >> changing/b.csv`,
      /b\.csv was changed while/,
    ],
    [
      'another key',
      () => `${discreet} pipe --key-fd 3 --input-format csv -o none.csv < in/a.csv 3< /dev/urandom`,
      /not the key of the job/,
    ],
    [
      'a job that is changed',
      () =>
        `sed 's/"low":"-/"low":"-1/; s/"hash":"./"hash":"0/' "$DISCREET_JOB" > j; ${discreet} pipe --job j --key-fd 3 --input-format csv -o none.csv < in/a.csv`,
      /not the one that was charged/,
    ],
    [
      'another version',
      () =>
        `sed 's/"version":"[^"]*"/"version":"9.9.9"/' "$DISCREET_JOB" > j; ${discreet} pipe --job j --key-fd 3 --input-format csv -o none.csv < in/a.csv`,
      /one version on all machines/,
    ],
    [
      'columns of one’s own beside the job',
      () => `${discreet} pipe --column visits --key-fd 3 --input-format csv -o none.csv < in/a.csv`,
      /the job says what is protected/,
    ],
  ])('%s', (name, command, message) => {
    const before = entries().length;
    const from = name === 'an input that is changed' ? parts('changing') : files;
    const { code, stderr } = drive(from, command());
    expect(stderr).toMatch(message);
    expect(stderr).toContain('stays charged, as entry');
    expect([code, exists('none.csv'), entries().length]).toEqual([2, false, before + 1]);
    expect(entries().at(-1)!.state).toBe('abort');
  });

  it('a driver that is killed', async () => {
    const before = entries().length;
    const args = ['pipe', '--drive', ...files, ...own, '--id', 'id', '-o', 'killed'];
    const child = spawn(process.execPath, [main, ...args, '--', 'sh', '-c', 'touch started; sleep 60'], {
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    });
    while (!exists('started')) await new Promise((done) => setTimeout(done, 50));
    process.kill(-child.pid!, 'SIGKILL');
    await new Promise((done) => child.once('close', done));
    expect(entries().length).toBe(before + 1);
    expect(entries().at(-1)!.state).toBe('open');
  });

  it('one that is interrupted, with its command', async () => {
    const args = ['pipe', '--drive', ...files, ...own, '--id', 'id', '-o', 'interrupted'];
    const child = spawn(process.execPath, [main, ...args, '--', 'sh', '-c', 'touch begun; exec sleep 60'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr!.on('data', (bytes) => {
      said += bytes;
    });
    while (!exists('begun')) await new Promise((done) => setTimeout(done, 50));
    child.kill('SIGINT');
    expect(await new Promise((done) => child.once('close', done))).toBe(130);
    expect(said).toContain('counts as spent');
    expect(entries().at(-1)!.state).toBe('abort');
  });
});

describe('a driver with a caller', () => {
  const schema = JSON.stringify([{ name: 'id' }, { name: 'visits' }, { name: 'more', inside: [] }]);

  /** A program that drives a release by lines. */
  function session(...more: string[]) {
    const args = ['pipe', '--drive', '--key-fd', '3', '--json', ...own, '--id', 'id', ...more];
    const child = spawn(process.execPath, [main, ...args], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr!.on('data', (bytes) => {
      said += bytes;
    });
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const key = new Promise<Buffer>((done) => (child.stdio[3] as NodeJS.ReadableStream).once('data', done));
    const ended = new Promise<number | null>((done) => child.once('close', done));
    return {
      key,
      said: () => said,
      ended,
      tell: (line: object) => child.stdin!.write(`${JSON.stringify(line)}\n`),
      end: () => child.stdin!.end(),
      hear: async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>,
      rest: async () => {
        let text = '';
        for await (const line of { [Symbol.asyncIterator]: () => lines }) text += line;
        return JSON.parse(text) as Record<string, unknown>;
      },
    };
  }

  it('waits until it is ready, and settles when it says so', async () => {
    const before = entries().length;
    const caller = session('--pinned', 'version 7', '--schema', schema, '-o', 'by-lines');
    expect(await caller.hear()).toMatchObject({ ready: true, protected: ['visits'] });
    expect(entries().length).toBe(before);
    caller.tell({ go: true });
    const { ticket, entry } = (await caller.hear()) as { ticket: { keyMark: string }; entry: number };
    expect(
      createHash('sha256')
        .update('discreet key\0')
        .update(await caller.key)
        .digest('hex'),
    ).toBe(ticket.keyMark);
    expect(entries().at(-1)).toMatchObject({ state: 'open', keyed: { pinned: 'version 7' } });
    caller.tell({ complete: true, rows: 12 });
    expect(await caller.rest()).toMatchObject({ rows: 12, entry, unchanged: ['id', 'more'] });
    expect(await caller.ended).toBe(0);
    expect(entries().at(-1)!.state).toBe('complete');
  });

  it('refuses a part that is no column of its own', () => {
    const split = ['ledger', 'init', '--ledger', 'l.db', '--dataset', 'split', '--epsilon', '5'];
    json([...split, '--adjacency', 'visits=5', '--partition', 'region=N,S']);
    for (const odd of [{ computed: true }, { of: 'zone' }]) {
      const { code, stderr } = run([
        ...['pipe', '--drive', '--dry-run', '--column', 'visits', '--epsilon', '1', '--id', 'id'],
        ...['--dataset', 'split', '--ledger', 'l.db', '--part', 'S', '--pinned', 'v', '--pass', 'region'],
        ...['--schema', JSON.stringify([{ name: 'id' }, { name: 'visits' }, { name: 'region', ...odd }])],
      ]);
      expect([code, stderr]).toEqual([3, expect.stringContaining('--part')]);
    }
  });

  it('charges nothing where it is never ready', async () => {
    const before = entries().length;
    const caller = session('--pinned', 'v', '--schema', schema, '-o', 'never');
    await caller.hear();
    caller.end();
    expect(await caller.ended).toBe(2);
    expect(entries().length).toBe(before);
  });

  it('keeps what fails or is left spent', async () => {
    for (const end of ['fail', 'leave']) {
      const caller = session('--pinned', 'v', '--schema', schema, '-o', `left-${end}`);
      await caller.hear();
      caller.tell({ go: true });
      await caller.hear();
      if (end === 'fail') caller.tell({ complete: false, reason: 'a task failed' });
      else caller.end();
      expect(await caller.ended).toBe(2);
      expect(caller.said()).toContain(end === 'fail' ? 'a task failed' : 'without a word');
      expect(entries().at(-1)!.state).toBe('abort');
    }
  });

  it.each([
    [['--pinned', 'v'], /--schema/],
    [['--pinned', 'v', '--schema', '{'], /--schema: expected JSON/],
    [['--pinned', 'v', '--schema', '[{"name":"id"},{"name":"id"}]'], /--schema: expected JSON/],
    [['--pinned', 'v', '--schema', '[{"name":"id"},{"name":"visits","computed":true}]'], /no plain column/],
    [
      ['--pinned', 'v', '--schema', '[{"name":"id"},{"name":"visits"},{"name":"x","of":"visits"}]'],
      /protects "visits"/,
    ],
    [['--pinned', 'v', '--schema', '[{"name":"id"}]'], /no column "visits"/],
    [
      ['--pinned', 'v', '--schema', '[{"name":"id"},{"name":"visits"},{"name":"n","inside":["x"]}]'],
      /is nested/,
    ],
  ])('refuses %j', async (more, message) => {
    const caller = session(...more);
    expect(await caller.ended).toBeGreaterThan(1);
    expect(caller.said()).toMatch(message);
  });
});

describe('a key', () => {
  it('goes to no file, and to nothing of this program', () => {
    for (const fd of ['0', '1', '24', '99']) {
      const { code, stderr } = run([
        ...[
          'pipe',
          '--drive',
          '--key-fd',
          fd,
          '--pinned',
          'v',
          '--schema',
          '[{"name":"id"},{"name":"visits"}]',
        ],
        ...[...own, '--id', 'id', '-o', 'never-there'],
      ]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('expected a pipe')]);
    }
  });
});

describe('nothing of a release', () => {
  it('is left in the folder but what was asked for', () => {
    expect(readdirSync(folder).filter((name) => /partial|tmp/.test(name))).toEqual([]);
  });
});
