// Several files as one input, and columns by pattern. With ε = 200 for a step the noise is 0 but for a chance of 10^−86, so that what
// was read can be seen.

import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { patternOf } from '../../src/release/places/index.js';
import { scratch } from '../scratch.js';

const here = scratch();
const { run, write, read, at } = here;
const plainly = ['--epsilon', '200', '--adjacency', '1'];

describe('several files', () => {
  const part = (from: number, rows: number) =>
    `id,visits\n${Array.from({ length: rows }, (_, i) => `${from + i},${(from + i) % 9}\n`).join('')}`;
  const whole = `id,visits\n${Array.from({ length: 30_000 }, (_, i) => `${i},${i % 9}\n`).join('')}`;

  it('are one input, by folder and by pattern, in the order of their names', () => {
    mkdirSync(at('parts'));
    for (let i = 0; i < 3; i++) write(`parts/part-${i}.csv`, part(10_000 * i, 10_000));
    write('parts/_SUCCESS', '');
    write('parts/.hidden.csv', 'nonsense');
    for (const input of ['parts', 'parts/', 'parts/part-*.csv', '*/part-[012].csv', '**/part-?.csv']) {
      const args = [
        'release',
        input,
        '--column',
        'visits',
        ...plainly,
        '-o',
        'all.csv',
        '--force',
        '--dataset',
        'd',
      ];
      const { code, stderr } = run(args);
      expect({ input, code, stderr: stderr.replace(/note:.*\n/g, '') }).toEqual({
        input,
        code: 0,
        stderr: '',
      });
      expect(read('all.csv')).toBe(whole);
    }
    // What is released can be read back so.
    mkdirSync(at('packed'));
    for (let i = 0; i < 3; i++) write(`packed/part-${i}.csv.gz`, gzipSync(part(10_000 * i, 10_000)));
    const args = ['--column', 'visits', ...plainly, '--dataset', 'd'];
    expect(run(['release', 'packed', ...args, '-o', 'all.parquet']).code).toBe(0);
    expect(run(['release', 'all.parquet', ...args, '-o', 'unpacked.csv']).code).toBe(0);
    expect(read('unpacked.csv')).toBe(whole);
    mkdirSync(at('out'));
    for (const name of ['a', 'b'])
      expect(
        run([
          'release',
          'parts',
          '--column',
          'visits',
          '--epsilon',
          '1',
          '--adjacency',
          '1',
          '-o',
          `out/${name}.csv`,
          '--dataset',
          'd',
        ]).code,
      ).toBe(0);
    const recovered = run([
      'recover',
      'out/*.csv',
      '--column',
      'visits',
      '--mechanism',
      'out/a.csv.mechanism.json',
      '--json',
    ]);
    expect(recovered.stderr).toBe('');
    expect(JSON.stringify(JSON.parse(recovered.stdout))).toContain('60000');
  }, 60_000);

  it('must be alike, and be there', () => {
    mkdirSync(at('odd'));
    write('odd/a.csv', 'id,visits\n1,2\n');
    write('odd/b.csv', 'visits,id\n1,2\n');
    const refused = (input: string) =>
      run(['release', input, '--column', 'visits', ...plainly, '-o', 'never.csv', '--dataset', 'd']).stderr;
    expect(refused('odd')).toMatch(/b\.csv: its columns are not those of a\.csv/);
    write('odd/b.csv', '');
    expect(refused('odd')).toMatch(/b\.csv: the file is empty/);
    write('odd/b.tsv', 'id\tvisits\n');
    expect(refused('odd/*')).toMatch(/a\.csv is csv, and b\.tsv is tsv/);
    expect(refused('nothing-*.csv')).toMatch(/no file has such a name/);
    mkdirSync(at('hollow'));
    expect(refused('hollow')).toMatch(/no files in this folder/);
    mkdirSync(at('laid/region=N'), { recursive: true });
    write('laid/region=N/a.csv', 'id,visits\n1,2\n');
    expect(refused('laid')).toMatch(/there are folders in it/);
    expect(refused('laid/*/a.csv')).toMatch(/named like a column and its value/);
    expect(refused('odd/*.nothing')).toMatch(/no file/);
    // None of them is overwritten.
    write('odd/b.csv', 'id,visits\n1,2\n');
    expect(
      run([
        'release',
        'odd/*.csv',
        '--column',
        'visits',
        ...plainly,
        '-o',
        'odd/a.csv',
        '--force',
        '--dataset',
        'd',
      ]).stderr,
    ).toMatch(/the output is the input/);
    expect(here.exists('never.csv')).toBe(false);
  });
});

describe('several packed files', () => {
  it('go through one pipe, however many they are, and are told by name', () => {
    mkdirSync(at('six'));
    const part = (i: number) => `\ufeffid,v\r\n${i},"a\nb"\r\n${i + 10},4${i % 2 ? '' : '\r\n'}`;
    for (let i = 0; i < 6; i++) write(`six/${i}.csv.gz`, gzipSync(part(i).replace('"a\nb"', '3')));
    const args = ['six', '--column', 'v', ...plainly, '--dataset', 'd'];
    expect(run(['release', ...args, '-o', 'six.csv']).code).toBe(0);
    const rows = Array.from({ length: 6 }, (_, i) => `${i},3\n${i + 10},4\n`);
    expect(read('six.csv')).toBe(`id,v\n${rows.join('')}`);
    expect(run(['release', ...args, '-o', 'six2.csv', '--person', 'id', '--per-person', '1']).code).toBe(0);
    const count = ['count', 'six', '--by', 'v', '--domain', 'v=3..4', '--epsilon', '200', '--dataset', 'd'];
    expect(run([...count, '-o', 'sixes.csv']).code).toBe(0);
    expect(read('sixes.csv')).toBe('v,count\n3,6\n4,6\n');
    mkdirSync(at('latin'));
    for (let i = 0; i < 6; i++) write(`latin/${i}.csv`, Buffer.from(`é,v\n${i},3\n`, 'latin1'));
    expect(run(['release', 'latin', ...args.slice(1), '--encoding', 'latin1', '-o', 'l6.csv']).code).toBe(0);
    expect(read('l6.csv')).toBe(`é,v\n${[0, 1, 2, 3, 4, 5].map((i) => `${i},3\n`).join('')}`);
    const refused = () => run(['release', ...args, '-o', 'never.csv']).stderr;
    write('six/4.csv.gz', gzipSync('v,id\n1,2\n'));
    expect(refused()).toMatch(/4\.csv\.gz: its columns are not those of 0\.csv\.gz/);
    write('six/4.csv.gz', gzipSync('id,v\n1,"2\n'));
    expect(refused()).toMatch(/^error: six: not valid CSV: a quote is not closed/m);
    write('six/4.csv.gz', gzipSync(''));
    expect(refused()).toMatch(/4\.csv\.gz: the file is empty/);
    write('six/4.csv.gz', 'nonsense');
    expect(refused()).toMatch(/4\.csv\.gz: not a gzip file/);
    expect(here.exists('never.csv')).toBe(false);
  }, 60_000);

  it('have no rows but their own, where one is a header alone', () => {
    for (const [folder, text] of [
      ['x', 'v\n3'],
      ['y', 'v'],
      ['z', 'v\n4\n'],
    ] as const) {
      mkdirSync(at(`heads/${folder}`), { recursive: true });
      write(`heads/${folder}/a.csv.gz`, gzipSync(text));
    }
    const args = ['release', 'heads/*/a.csv.gz', '--column', 'v', ...plainly, '--dataset', 'd'];
    expect(run([...args, '-o', 'heads.csv']).code).toBe(0);
    expect(read('heads.csv')).toBe('v\n3\n4\n');
    symlinkSync('nowhere', at('heads/x/b.csv.gz'));
    expect(run(['release', 'heads/x', ...args.slice(2), '-o', 'never.csv']).stderr).toMatch(/no such file/);
  });

  it('are each there once, and not where the output goes', () => {
    mkdirSync(at('links'));
    write('links/a.csv', 'id,visits\n1,2\n');
    symlinkSync('a.csv', at('links/b.csv'));
    const args = ['--column', 'visits', ...plainly, '--dataset', 'd'];
    expect(run(['release', 'links', ...args, '-o', 'never.csv']).stderr).toMatch(/once more/);
    rmSync(at('links/b.csv'));
    expect(run(['release', 'links', ...args, '-o', 'links/c.csv']).stderr).toMatch(/the output is the input/);
    symlinkSync('nowhere', at('links/dangling.csv'));
    symlinkSync('.', at('links/loop'));
    expect(run(['release', 'links/**/*.csv', ...args, '-o', 'linked.csv']).code).toBe(0);
    expect(read('linked.csv')).toBe('id,visits\n1,2\n');
    expect(run(['release', 'links/[z-a].csv', ...args, '-o', 'never.csv']).stderr).toMatch(
      /expected a pattern/,
    );
  });
});

describe('columns by pattern', () => {
  it('are written out from the header: one line, one file, one section', () => {
    const weeks = Array.from({ length: 12 }, (_, i) => `2024-W${String(i + 1).padStart(2, '0')}`);
    write('weeks.csv', `id,${weeks.join(',')}\n${['a', ...weeks.map(() => 5)].join(',')}\n`);
    const args = [
      'release',
      'weeks.csv',
      '--column',
      '2024-W*',
      '--clamp',
      '2024-W0*=0,9',
      '--epsilon',
      '2400',
    ];
    const { code, stdout, stderr } = run([
      ...args,
      '--adjacency',
      '1',
      '-o',
      'clamped.csv',
      '--dataset',
      'w',
      '--report',
      'w.html',
    ]);
    expect({ code, stderr: stderr.replace(/^note:.*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    expect(read('clamped.csv')).toBe(read('weeks.csv'));
    // Two groups: nine are clamped.
    expect(stdout.match(/^noise/gm)).toHaveLength(2);
    expect(stdout).not.toContain('2024-W05');
    const plain = ['release', 'weeks.csv', '--column', '2024-W*', ...plainly, '--dataset', 'w'];
    const one = run([...plain, '-o', 'v.csv', '--report', 'v.html']).stdout;
    expect(one).toMatch(/: 2024-W01 … 2024-W12 \(12 columns\) protected/);
    expect(one.match(/^noise/gm)).toHaveLength(1);
    expect(one.match(/^mechanism/gm)).toHaveLength(1);
    expect(here.names().filter((name) => name.startsWith('v.csv.'))).toEqual(['v.csv.mechanism.json']);
    const sections = (page: string) => read(page).match(/<h2>\d+ columns with the same noise/g)?.length;
    expect([sections('v.html'), sections('w.html')]).toEqual([1, 2]);
    const refused = run([
      ...args.slice(0, 2),
      '--column',
      'x*',
      '--epsilon',
      '1',
      '--adjacency',
      '1',
      '-o',
      'n.csv',
    ]);
    expect(refused.stderr).toMatch(/no column has a name like "x\*", but 13 others/);
    const piped = run([
      'release',
      '-',
      '--input-format',
      'csv',
      '--column',
      'x*',
      '--epsilon',
      '1',
      '--adjacency',
      '1',
      '-o',
      'n.csv',
    ]);
    expect(piped.stderr).toMatch(/name every column/);
  });

  it('stand for characters of one name', () => {
    expect(patternOf('2024-W*').test('2024-W01')).toBe(true);
    expect(patternOf('a.b').test('axb')).toBe(false);
    expect(patternOf('a[0-9]').test('a7')).toBe(true);
    expect(patternOf('a[!0-9]').test('a7')).toBe(false);
    expect(patternOf('a[').test('a[')).toBe(true);
    expect(patternOf('(x)*').test('(x) y')).toBe(true);
  });
});
