// Rows that an engine has counted: what says how many there are is not protected, before or after, and no error tells of a cell.

import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { type Content, nextRow, type Row } from '../../src/ledger/index.js';
import { hashOf } from '../ledger/wish.js';
import { cells, type Scratch, scratch } from '../scratch.js';

const counting = (column: string, more: readonly string[] = []) => [
  ...['count', 'd.csv', '--by', 'region', '--domain', 'region=N,S', '--counted', column],
  ...['--epsilon', '30', '--dataset', 'd', '-o', 'o.csv', '--force', ...more],
];

function folderWith(...adjacency: string[]): Scratch {
  const folder = scratch();
  folder.write('d.csv', 'id,region,visits,n\n1,N,500,3\n2,N,1000,4\n3,S,7,5\n');
  folder.json([
    ...['ledger', 'init', '--dataset', 'd', '--epsilon', '900'],
    ...adjacency.flatMap((own) => ['--adjacency', own]),
  ]);
  return folder;
}

const releases = ({ json }: Scratch) =>
  json<{ entries: { kind: string; counted?: string | null }[] }>(['ledger', 'history']).entries.filter(
    ({ kind }) => kind === 'release',
  );

describe('a column that says how many rows there are', () => {
  it('is recorded, and so is that there is none', () => {
    const folder = folderWith();
    folder.json(counting('n'));
    folder.json(counting('n').filter((_, i) => i !== 6 && i !== 7));
    expect(releases(folder).map(({ counted }) => counted)).toEqual(['n', null]);
  });

  it.each(['visits', 'VISITS', 'vis\u200bits'])('is none that the budget protects: %j', (name) => {
    const folder = folderWith('visits=5');
    folder.write('d.csv', `id,region,${name},n\n1,N,500,3\n`);
    expect(folder.run(counting(name))).toMatchObject({ code: 2, stderr: expect.stringMatching(/protected/) });
    expect(folder.run(counting(name, ['--dry-run'])).code).toBe(2);
    expect(releases(folder)).toEqual([]);
  });

  it('tells no cells, parts or persons apart beside', () => {
    const folder = folderWith();
    const args = counting('n').map((word) =>
      word.startsWith('region') ? word.replace('region', 'n') : word,
    );
    expect(folder.run(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(/tell cells/) });
  });

  it('cannot be protected afterwards: by a budget, a release or a prior', () => {
    const folder = folderWith();
    folder.json(counting('n'));
    const init = (column: string) =>
      folder.run([
        'ledger',
        'init',
        '--dataset',
        'd',
        '--epsilon',
        '900',
        '--adjacency',
        `${column}=5`,
        '--change',
      ]);
    expect(init('N')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/entry 2 counted rows by what N says/),
    });
    expect(init('visits').code).toBe(0);

    const bare = scratch();
    bare.write('d.csv', folder.read('d.csv'));
    bare.json(counting('n'));
    const made = ['--dataset', 'd', '--epsilon', '1', '-o', 'p.csv'];
    for (const act of [
      ['release', 'd.csv', '--column', 'n', '--adjacency', '5', ...made],
      ['prior', 'd.csv', '--column', 'n', '--range', '0,9', ...made],
    ])
      expect(bare.run(act)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/"n" cannot be protected any more: entry 1 of the ledger counted rows/),
      });
    expect(bare.run(['release', 'd.csv', '--column', 'visits', '--adjacency', '5', ...made]).code).toBe(0);
  });

  it('may have been any in entries of older versions: what was not protected then cannot be any more', () => {
    const made = folderWith('visits=5');
    made.json(counting('n'));
    const lines = made.run(['ledger', 'export']).stdout.trim().split('\n');
    let last: Row | undefined;
    const old = lines.map((line) => {
      const entry = JSON.parse(line);
      if (entry.kind === 'mechanism') return line;
      const { format, sequence, previous, time, who, counted, ...content } = entry;
      last = nextRow(last, content as Content, who, new Date(time), hashOf);
      return last.text;
    });
    const { write, run } = scratch();
    write('old.jsonl', `${old.join('\n')}\n`);
    expect(run(['ledger', 'import', 'old.jsonl', '--ledger', 'l.db']).code).toBe(0);
    const init = (...columns: string[]) =>
      run([
        ...['ledger', 'init', '--ledger', 'l.db', '--dataset', 'd', '--epsilon', '900', '--change'],
        ...columns.flatMap((column) => ['--adjacency', column]),
      ]);
    expect(init('visits=5').code).toBe(0);
    expect(init('visits=5', 'id=1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/entry 2 may have counted rows by what id says/),
    });
  });
});

describe('cells that say how many rows there are', () => {
  it.each([
    ['7.4', 7],
    ['7.5', 8],
    ['-7', 0],
    ['', 0],
    ['many', 0],
    ['85+', 0],
    ['1e3', 1000],
    ['0x5', 0],
    ['99999999999999999999999999999999', 2 ** 53],
  ])('are the nearest whole number from 0 on, and refused never: %j', (cell, truth) => {
    const { write, json, read } = scratch();
    write('d.csv', `region,n\nN,${cell}\nS,3\n`);
    expect(json(counting('n'))).toMatchObject({ rows: 2 });
    const [, north, south] = cells(read('o.csv'));
    // ε = 30: another value has a probability of e^−30.
    expect([Number(north![1]), Number(south![1])]).toEqual([truth, 3]);
  });

  it('have sums that end at 2^53 instead of an error', () => {
    const { write, json, read } = scratch();
    write('d.csv', `region,n\n${'N,9007199254740992\n'.repeat(3000)}`);
    json(counting('n'));
    expect(Number(cells(read('o.csv'))[1]![1])).toBe(2 ** 53);
  });

  it('are the same in JSON lines', () => {
    const { write, json, read } = scratch();
    write(
      'd.jsonl',
      '{"region":"N","n":7.5}\n{"region":"S","n":"x"}\n{"region":"S","n":null}\n{"region":"N"}\n',
    );
    json(counting('n').map((word) => (word === 'd.csv' ? 'd.jsonl' : word)));
    expect(cells(read('o.csv')).slice(1)).toEqual([
      ['N', '8'],
      ['S', '0'],
    ]);
  });

  it('are refused by their type, from the header alone', async () => {
    const { at, run, json, read } = scratch();
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(
      `COPY (SELECT 'N' AS region, DATE '2024-01-01' AS day, 7.5::DOUBLE AS n) TO '${at('d.parquet')}' (FORMAT parquet)`,
    );
    connection.closeSync();
    const of = (column: string) => counting(column).map((word) => (word === 'd.csv' ? 'd.parquet' : word));
    expect(run(of('day'))).toMatchObject({ code: 2, stderr: expect.stringMatching(/is of type/) });
    json(of('n'));
    expect(cells(read('o.csv'))[1]).toEqual(['N', '8']);
  });
});

describe('a choice', () => {
  const choose = (file: string) => ['choose', file, '--epsilon', '1', '--sensitivity', '1', '--dataset', 'd'];

  it('has neither candidates nor scores that are protected', () => {
    const folder = scratch();
    for (const column of ['candidate', 'Score']) {
      folder.json([
        ...['ledger', 'init', '--ledger', `${column}.db`, '--dataset', 'd', '--epsilon', '9'],
        ...['--adjacency', `${column}=5`],
      ]);
      folder.write('s.csv', 'candidate,score\na,1\n');
      expect(folder.run([...choose('s.csv'), '--ledger', `${column}.db`])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/protected itself/),
      });
    }
  });

  it('of a part is refused where two columns read like the part’s, as a release is', () => {
    const folder = scratch();
    folder.json([
      ...['ledger', 'init', '--dataset', 'd', '--epsilon', '9', '--adjacency', 'visits=5'],
      ...['--partition', 'region=N,S'],
    ]);
    folder.write('s.csv', 'candidate,score,region,Region\na,1,N,S\n');
    expect(folder.run([...choose('s.csv'), '--part', 'N'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 columns that read like "region"/),
    });
  });

  it('does not show a header that is none', () => {
    const folder = scratch();
    folder.write('s.csv', 'Bob;$4711\nEve;$12\n');
    const { code, stderr } = folder.run(choose('s.csv'));
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/Bob|4711/);
  });
});
