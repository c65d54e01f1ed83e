// One opening of the input, and outputs that nobody sees before they are whole.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { main, type Scratch, scratch } from '../scratch.js';

const rows = (count: number, start: number) =>
  `id,visits\n${Array.from({ length: count }, (_, i) => `${i},${start + (i % 7)}`).join('\n')}\n`;

function prepared(): Scratch {
  const here = scratch();
  expect(here.run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
  return here;
}

/** Does something as soon as a hidden file is there. */
async function whileWriting(here: Scratch, args: string[], act: () => void) {
  const { child, ended } = here.start(args);
  for (;;) {
    await new Promise((done) => setTimeout(done, 2));
    if (here.names().some((name) => name.endsWith('.partial')) || child.exitCode !== null) break;
  }
  act();
  return ended;
}

/** Does something after the header was read and before the entry is written: the ledger is held meanwhile. */
async function whileWaiting(here: Scratch, args: string[], act: () => void) {
  here.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '9', '--adjacency', 'visits=5']);
  const held = new Database(here.at('discreet-ledger.db'));
  // Reading goes on; the entry waits.
  held.exec('BEGIN IMMEDIATE');
  const { ended } = here.start([
    'release',
    ...args,
    '--column',
    'visits',
    '--mechanism',
    'm.json',
    '--dataset',
    'd',
  ]);
  await new Promise((done) => setTimeout(done, 2000));
  act();
  held.exec('ROLLBACK');
  return ended;
}

describe('an input that changes while it is read', () => {
  it.each([
    ['replaced by another', (at: (name: string) => string) => renameSync(at('other.csv'), at('in.csv'))],
    ['appended to', (at: (name: string) => string) => appendFileSync(at('in.csv'), '5,5\n')],
    [
      'rewritten with the same size and time',
      (at: (name: string) => string) => {
        const { atime, mtime } = statSync(at('in.csv'));
        const text = readFileSync(at('in.csv'));
        text[text.length - 2] = 0x39;
        writeFileSync(at('in.csv'), text);
        utimesSync(at('in.csv'), atime, mtime);
      },
    ],
  ])('%s: nothing is published, nothing is spent', async (_, change) => {
    const here = prepared();
    here.write('in.csv', rows(1_500_000, 10));
    here.write('other.csv', rows(1_500_000, 777_000));
    const { code, stderr } = await whileWriting(
      here,
      ['release', 'in.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'out.csv'],
      () => change(here.at),
    );
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/changed, moved or replaced while it was read.*Nothing was released or charged/s),
    ]);
    expect(here.names().filter((name) => name.includes('out.csv'))).toEqual([]);
    expect(here.json(['ledger', 'status']).datasets).toMatchObject([{ spent: { epsilon: '0' } }]);
  });

  it.each(['csv', 'jsonl'])(
    'rewritten while the ledger is waited for: nothing of it leaves by a pipe (%s)',
    async (format) => {
      const here = prepared();
      const swapped = (first: boolean) =>
        format === 'csv'
          ? `${first ? 'id,visits' : 'visits,id'}\n${Array.from({ length: 9 }, (_, i) => (first ? `${i},90000${i}` : `90000${i},${i}`)).join('\n')}\n`
          : Array.from(
              { length: 9 },
              (_, i) => `{"id":${first ? i : 900_000 + i},"visits":${first ? 900_000 + i : i}}\n`,
            ).join('');
      here.write(`in.${format}`, swapped(true));
      const { code, stdout, stderr } = await whileWaiting(here, [`in.${format}`, '-o', '-'], () =>
        writeFileSync(here.at(`in.${format}`), swapped(false)),
      );
      expect([code, stderr]).toEqual([2, expect.stringMatching(/changed, moved or replaced/)]);
      expect(stdout).not.toMatch(/90000\d/);
    },
  );

  it('cannot be swapped between its header and its rows', async () => {
    // The columns of the one and the rows of the other: true values would leave under another name.
    const here = prepared();
    here.write('in.csv', 'visits,public\n3,1\n');
    here.write('other.csv', 'public,visits\n1,777001\n');
    const { code, stderr } = await whileWaiting(here, ['in.csv', '-o', 'o.csv'], () =>
      renameSync(here.at('other.csv'), here.at('in.csv')),
    );
    expect([code, stderr]).toEqual([2, expect.stringMatching(/changed, moved or replaced/)]);
    expect(here.names().filter((name) => name.includes('o.csv'))).toEqual([]);
  });
});

describe('a hidden file', () => {
  it('is readable by nobody else and cannot be guessed, and gets its mode with its name', async () => {
    const here = prepared();
    here.write('in.csv', rows(1_500_000, 10));
    here.write('in.jsonl', Array.from({ length: 400_000 }, (_, i) => `{"visits":${i % 9}}\n`).join(''));
    for (const [input, output] of [
      ['in.csv', 'out.csv'],
      ['in.csv', 'out.parquet'],
      ['in.jsonl', 'out.jsonl'],
    ] as const) {
      let seen: { name: string; mode: number } | undefined;
      const { code } = await whileWriting(
        here,
        ['release', input, '--column', 'visits', '--mechanism', 'm.json', '-o', output],
        () => {
          const name = here.names().find((other) => other.endsWith('.partial'));
          if (name) seen = { name, mode: statSync(here.at(name)).mode & 0o777 };
        },
      );
      expect(code).toBe(0);
      expect(seen?.mode).toBe(0o600);
      expect(seen?.name).toMatch(new RegExp(`^\\.${output}\\.[0-9a-f]{12}-\\d+-[0-9a-f]{32}\\.partial$`));
      expect(statSync(here.at(output)).mode & 0o777).toBe(0o666 & ~process.umask());
      chmodSync(here.at(output), 0o640);
      expect(
        here.run(['release', input, '--column', 'visits', '--mechanism', 'm.json', '-o', output, '--force'])
          .code,
      ).toBe(0);
      expect(statSync(here.at(output)).mode & 0o777).toBe(0o640);
    }
    const strict = spawnSync(
      'sh',
      [
        '-c',
        `umask 077; "${process.execPath}" "${main}" release in.jsonl --column visits --mechanism m.json -o private.jsonl`,
      ],
      { cwd: here.folder },
    );
    expect([strict.status, statSync(here.at('private.jsonl')).mode & 0o777]).toEqual([0, 0o600]);
  });

  it('that a dead process has left is removed, and one of somebody else is named', () => {
    const here = prepared();
    here.write('in.csv', rows(10, 1));
    const first = here.run([
      'release',
      'in.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'out.csv',
    ]);
    expect(first.code).toBe(0);
    // Of another process space, of the old form, and of another output.
    here.write('.out.csv.0123456789ab-1-00000000000000000000000000000000.partial', '1');
    here.write('.out.csv.4242.partial', '2');
    here.write('.out.csv.gz.4242.partial', '3');
    const again = here.run([
      'release',
      'in.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'out.csv',
      '--force',
    ]);
    expect(again.code).toBe(0);
    expect(
      again.stderr.match(/note: .*half an output that another process is writing or has left/g),
    ).toHaveLength(2);
    expect(again.stderr).toContain('.out.csv.4242.partial');
    expect(here.names().filter((name) => name.endsWith('.partial'))).toHaveLength(3);
  });

  it('of a killed process is removed by the next one, not by one of another PID namespace', async ({
    skip,
  }) => {
    const here = prepared();
    here.write('in.csv', rows(1_500_000, 1));
    const args = ['release', 'in.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'out.csv'];
    const { child, ended } = here.start(args);
    while (!here.names().some((name) => name.endsWith('.partial')))
      await new Promise((done) => setTimeout(done, 2));
    child.kill('SIGKILL');
    await ended;
    const left = here.names().filter((name) => name.endsWith('.partial'));
    expect(left).toHaveLength(1);
    here.write('small.csv', rows(5, 1));
    const small = args.map((word) => (word === 'in.csv' ? 'small.csv' : word));
    const other = spawnSync(
      'unshare',
      ['--pid', '--fork', '--mount-proc', process.execPath, main, ...small],
      { cwd: here.folder, encoding: 'utf8' },
    );
    if (other.status === 0) {
      expect(other.stderr).toContain(left[0]);
      expect(here.names()).toContain(left[0]);
    }
    expect(here.run([...small, '--force']).code).toBe(0);
    expect(here.names().filter((name) => name.endsWith('.partial'))).toEqual([]);
    skip(other.status !== 0, 'a PID namespace cannot be made here');
  });

  it('is not published where it is not the one that was made', async () => {
    const here = prepared();
    here.write('in.csv', rows(1_500_000, 1));
    const { code, stderr } = await whileWriting(
      here,
      ['release', 'in.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'out.csv'],
      () => {
        const name = readdirSync(here.folder).find((other) => other.endsWith('.partial'));
        if (name) {
          writeFileSync(here.at('planted'), 'half a file');
          renameSync(here.at('planted'), here.at(name));
        }
      },
    );
    expect([code, stderr]).toEqual([2, expect.stringMatching(/removed or replaced what was written/)]);
    expect(existsSync(here.at('out.csv'))).toBe(false);
  });

  it('does not touch the mechanism of a release that was published meanwhile', async () => {
    const here = prepared();
    here.write('big.jsonl', Array.from({ length: 600_000 }, (_, i) => `{"visits":${i % 9}}\n`).join(''));
    here.write('small.jsonl', '{"visits":1}\n');
    const made = (input: string, epsilon: string) => [
      'release',
      input,
      '--column',
      'visits',
      '--epsilon',
      epsilon,
      '--adjacency',
      '5',
      '-o',
      'out.jsonl',
      '--dataset',
      'd',
    ];
    let second = -1;
    const { code, stderr } = await whileWriting(here, made('big.jsonl', '1'), () => {
      second = here.run(made('small.jsonl', '2')).code;
    });
    expect([second, code, stderr]).toEqual([0, 2, expect.stringMatching(/exists/)]);
    expect(JSON.parse(here.read('out.jsonl.mechanism.json')).claim.epsilon).toBe('2');
  });

  it('has a name of its own where the output has a long one', () => {
    const here = prepared();
    here.write('in.csv', rows(5, 1));
    const name = `${'x'.repeat(220)}.csv`;
    const { code, stderr } = here.run([
      'release',
      'in.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      name,
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/a new one is begun/)]);
    const longer = `${'x'.repeat(245)}.csv`;
    expect(
      here.run(['release', 'in.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', longer]),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the name is too long/),
    });
  });
});
