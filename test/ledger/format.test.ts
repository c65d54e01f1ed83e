// Entries of both formats in one chain, exports and imports, and budgets over a past.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type Content,
  importLedger,
  nextRow,
  openLedger,
  type Row,
  readChain,
} from '../../src/ledger/index.js';
import { readMechanism } from '../../src/mechanism/index.js';
import { scratch } from '../scratch.js';
import { hashOf } from './wish.js';

const first = (name: string) => fileURLToPath(new URL(`../vectors/ledger-1/${name}`, import.meta.url));
const python = (...args: string[]) =>
  spawnSync('python3', [fileURLToPath(new URL('../../docs/verify-ledger.py', import.meta.url)), ...args], {
    encoding: 'utf8',
  });
const budget = {
  dataset: 'd',
  epsilon: '3',
  delta: '0',
  adjacency: { visits: '5' },
  perPerson: null,
  partition: null,
};

describe('a ledger of the first format', () => {
  it('opens, is whole, and goes on in the second', () => {
    const { json, run, at, write } = scratch();
    copyFileSync(first('ledger.db'), at('l.db'));
    const own = ['--ledger', 'l.db'];
    expect(json(['ledger', 'check', ...own])).toMatchObject({ whole: true, entries: 10 });
    write('people.csv', 'visits\n1\n');
    json([
      'release',
      'people.csv',
      '--column',
      'visits',
      '--epsilon',
      '0.5',
      '--dataset',
      'people',
      '-o',
      'o.csv',
      ...own,
    ]);
    const lines = run(['ledger', 'export', ...own])
      .stdout.trim()
      .split('\n');
    expect(lines.slice(0, 10).join('\n')).toBe(readFileSync(first('entries.jsonl'), 'utf8').trim());
    expect(lines.map((line) => JSON.parse(line).format)).toEqual([
      ...Array(10).fill('discreet/ledger@1'),
      ...Array(3).fill('discreet/ledger@2'),
    ]);
    // What was released since has its mechanism before its entry.
    expect(lines.slice(10).map((line) => JSON.parse(line).kind)).toEqual([
      'mechanism',
      'release',
      'complete',
    ]);
    // Both programs read both.
    write('both.jsonl', `${lines.join('\n')}\n`);
    const { head, datasets } = json<{
      head: string;
      datasets: { dataset: string; spent: { epsilon: string } }[];
    }>(['ledger', 'status', ...own]);
    const told = python(at('both.jsonl'), head);
    expect(told.status).toBe(0);
    for (const { dataset, spent } of datasets)
      expect(told.stdout).toContain(`${dataset}: epsilon ${spent.epsilon}, `);
  });

  it('shows rows per person that were one as not stated, and still charges for one', () => {
    const { json, run, at } = scratch();
    copyFileSync(first('ledger.db'), at('l.db'));
    const { entries } = json<{ entries: { sequence: number; perPerson?: number | null }[] }>([
      'ledger',
      'history',
      '--ledger',
      'l.db',
    ]);
    expect(
      entries.filter(({ sequence }) => [1, 2, 4, 5, 9].includes(sequence)).map(({ perPerson }) => perPerson),
    ).toEqual([null, null, 3, 3, null]);
    expect(entries[1]).toMatchObject({ unit: 'for one row; rows per person were not stated' });
    expect(run(['ledger', 'history', '--ledger', 'l.db']).stdout).toMatch(
      /north\.csv → o1\.csv, for one row; rows per person were not stated/,
    );
    expect(run(['ledger', 'status', '--ledger', 'l.db']).stdout).toMatch(
      /trips: .*for one row; rows per person were not stated/,
    );
    const terms = ['--adjacency', 'visits=5', '--adjacency', 'trips=3', '--partition', 'region=north,south'];
    const again = ['ledger', 'init', '--dataset', 'trips', '--epsilon', '20', '--delta', '0.001', ...terms];
    expect(run([...again, '--per-person', '2', '--ledger', 'l.db'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/entry 2 was for one row; rows per person were not stated/),
    });
    expect(run([...again, '--ledger', 'l.db']).code).toBe(0);
  });

  it('has mechanism files that still open', () => {
    expect(readMechanism(readFileSync(first('visits.mechanism.json'), 'utf8')).adjacency).toBe(5);
  });
});

describe('a chain', () => {
  const chain = (...contents: (Content & { extra?: unknown })[]): Row[] => {
    const rows: Row[] = [];
    for (const content of contents) rows.push(nextRow(rows.at(-1), content, 'me', new Date(0), hashOf));
    return rows;
  };

  it('may hold fields that are not known', () => {
    const rows = chain({ kind: 'budget', ...budget, extra: { of: 'tomorrow' } });
    expect(rows[0]!.text).toContain('tomorrow');
    expect(readChain(rows, hashOf).broken).toBeNull();
  });

  it('of a newer format is refused, with what to do', () => {
    const [row] = chain({ kind: 'budget', ...budget });
    const text = row!.text.replace('ledger@2', 'ledger@3');
    expect(readChain([{ sequence: 1, text, hash: hashOf(text) }], hashOf).broken).toMatch(
      /format is discreet\/ledger@3.*newer/,
    );
    const other = row!.text.replace('"kind":"budget"', '"kind":"grant"');
    expect(readChain([{ sequence: 1, text: other, hash: hashOf(other) }], hashOf).broken).toMatch(
      /kind is "grant"; use a newer program/,
    );
  });

  it('with a budget that adds releases up otherwise is not charged against', async () => {
    const { at } = scratch();
    const rows = chain({ kind: 'budget', ...budget, filter: 'renyi' });
    await importLedger(
      chain({ kind: 'budget', ...budget, filter: 'basic' }).map(({ text }) => text),
      at('basic.db'),
      null,
    );
    const found = await importLedger(
      rows.map(({ text }) => text),
      at('renyi.db'),
      null,
    );
    expect(found.problems.join()).toMatch(/adds releases up by "renyi".*newer/);
    expect(existsSync(at('renyi.db'))).toBe(false);
    const basic = await openLedger(at('basic.db'), 'existing');
    expect((await basic.check(null)).problems).toEqual([]);
    await basic.close();
  });
});

describe('an import', () => {
  it('is the inverse of an export, and refuses a ledger that is there', () => {
    const { run, json, read, at } = scratch();
    copyFileSync(first('ledger.db'), at('l.db'));
    run(['ledger', 'export', '--ledger', 'l.db', '-o', 'e.jsonl']);
    expect(json(['ledger', 'import', 'e.jsonl', '--ledger', 'new.db'])).toMatchObject({
      whole: true,
      entries: 10,
    });
    run(['ledger', 'export', '--ledger', 'new.db', '-o', 'again.jsonl']);
    expect(read('again.jsonl')).toBe(read('e.jsonl'));
    for (const ledger of ['new.db', 'l.db'])
      expect(run(['ledger', 'import', 'e.jsonl', '--ledger', ledger])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/there is one already/),
      });
    expect(run(['ledger', 'import', 'e.jsonl']).stderr).toMatch(/--ledger: expected/);
    expect(run(['ledger', 'import', '-', '--ledger', 'piped.db'], read('e.jsonl')).code).toBe(0);
  });

  it('is checked in full: nothing is made of what was edited, cut off, or overspent', () => {
    const { run, write, exists } = scratch();
    const text = readFileSync(first('entries.jsonl'), 'utf8');
    const lines = text.trimEnd().split('\n');
    const head = 'f'.repeat(64);
    for (const [name, content, more, message] of [
      ['edited', text.replace('"epsilon":"9"', '"epsilon":"90"'), [], /entry 2: it does not follow/],
      ['removed', `${lines.filter((_, i) => i !== 4).join('\n')}\n`, [], /entry 5: its text says number 6/],
      ['open', text.trimEnd(), [], /the last line does not end/],
      ['empty', '', [], /there is no entry/],
      ['blank', `${text}\n`, [], /entry 11: its text is not an entry/],
      ['head', text, ['--head', head], /no entry has the hash/],
      ['crlf', text.replaceAll('\n', '\r\n'), [], /entry 2: it does not follow/],
    ] as const) {
      write(`${name}.jsonl`, content);
      const { code, stdout, stderr } = run([
        'ledger',
        'import',
        `${name}.jsonl`,
        '--ledger',
        `${name}.db`,
        ...more,
      ]);
      expect([name, code === 0, stdout + stderr]).toEqual([name, false, expect.stringMatching(message)]);
      expect(exists(`${name}.db`)).toBe(false);
    }
  });
});

describe('entries that no ledger of ours has', () => {
  const spending = {
    kind: 'release' as const,
    act: 'release' as const,
    dataset: 'd',
    part: null,
    input: 'a',
    output: 'b',
    query: null,
    charges: [],
    passed: [],
    by: [],
    byProtected: [],
    perPerson: null,
    perPersonEnforced: false,
    epsilon: '1',
    delta: '0',
  };
  const file = (...contents: object[]) => {
    const rows: Row[] = [];
    for (const content of contents)
      rows.push(nextRow(rows.at(-1), content as Content, 'me', new Date(0), hashOf));
    return `${rows.map(({ text }) => text).join('\n')}\n`;
  };

  it.each([
    ['a negative cost', { ...spending, epsilon: '-5' }, /entry 2: its epsilon/],
    ['a cost that is no text', { ...spending, epsilon: 1 }, /entry 2: its epsilon/],
    ['no cost', { ...spending, epsilon: undefined }, /entry 2: its epsilon/],
    ['no charges', { ...spending, charges: undefined }, /entry 2: its charges/],
    ['a charge without a column', { ...spending, charges: [{}] }, /entry 2: its charges/],
    ['a dataset that is no name', { ...spending, dataset: 5 }, /entry 2: its dataset/],
    ['no rows for a person', { ...spending, perPerson: 0 }, /entry 2: its perPerson/],
    [
      'a part that was never declared',
      { ...spending, part: 'north' },
      /entry 2: no partition of d has been declared/,
    ],
    [
      'a budget without adjacencies',
      { kind: 'budget', ...budget, adjacency: undefined },
      /entry 2: its adjacency/,
    ],
    ['a settlement of nothing', { kind: 'void', release: 1, reason: '' }, /settles entry 1/],
  ])('%s: neither imported nor released against', (_, content, message) => {
    const { run, write, exists, at } = scratch();
    write('e.jsonl', file({ kind: 'budget', ...budget }, content));
    expect(run(['ledger', 'import', 'e.jsonl', '--ledger', 'n.db'])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(message),
    });
    expect(exists('n.db')).toBe(false);
    if (/cost that|negative|part|nothing/.test(_)) expect(python(at('e.jsonl')).status).not.toBe(0);
  });
});

describe('a budget over a past', () => {
  it('can be raised after a release that did not use all its columns, and still guards new ones', () => {
    const { run, json, write } = scratch();
    write('d.csv', 'visits\n1\n');
    const init = (epsilon: string, ...columns: string[]) =>
      run([
        'ledger',
        'init',
        '--dataset',
        'd',
        '--epsilon',
        epsilon,
        ...columns.flatMap((column) => ['--adjacency', column]),
      ]);
    expect(init('1', 'visits=5', 'trips=3').code).toBe(0);
    json(['release', 'd.csv', '--column', 'visits', '--epsilon', '1', '--dataset', 'd', '-o', 'o.csv']);
    expect(init('2', 'visits=5', 'trips=3')).toMatchObject({ code: 0 });
    expect(
      json(['ledger', 'init', '--dataset', 'fresh', '--epsilon', '1', '--adjacency', 'a=1']),
    ).toMatchObject({
      before: null,
    });
    expect(
      run(['ledger', 'init', '--dataset', 'fresh', '--epsilon', '2', '--per-person', '2', '--change']).stdout,
    ).toMatch(/^before: ε = 1, δ = 0; protects one row, which may differ in a by up to 1/m);
    // A column that was never in a release may get another adjacency.
    expect(init('2', 'visits=5', 'Trips=9')).toMatchObject({ code: 0 });
    expect(init('3', 'visits=5', 'trips=3', 'days=1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/entry 2 did not protect days/),
    });
  });

  it('belongs to one dataset, however it is spelt', () => {
    const { run, json, write } = scratch();
    write('d.csv', 'visits\n1\n');
    const init = (dataset: string) => [
      'ledger',
      'init',
      '--dataset',
      dataset,
      '--epsilon',
      '1',
      '--adjacency',
      'visits=5',
    ];
    json(init('Doctor visits'));
    expect(json(init(' doctor  VISITS\u200b'))).toMatchObject({ dataset: 'Doctor visits' });
    const release = (dataset: string, output: string) =>
      run(['release', 'd.csv', '--column', 'visits', '--epsilon', '1', '--dataset', dataset, '-o', output]);
    expect(release('doctor visits', 'a.csv').code).toBe(0);
    expect(release('DOCTOR VISITS', 'b.csv').code).toBe(3);
    expect(json(['ledger', 'status']).datasets).toHaveLength(1);
    expect(
      run(['ledger', 'init', '--dataset', 'e', '--epsilon', '1', '--adjacency', 'a=1', '--adjacency', 'A =2'])
        .stderr,
    ).toMatch(/given twice/);
    expect(
      run([
        'ledger',
        'init',
        '--dataset',
        'e',
        '--epsilon',
        '1',
        '--adjacency',
        'Region=1',
        '--partition',
        'region=a,b',
      ]).stderr,
    ).toMatch(/"region" is protected/);
    expect(
      run(['ledger', 'init', '--dataset', 'e', '--epsilon', '1', '--partition', 'region=a,A']).stderr,
    ).toMatch(/each part once/);
  });
});
