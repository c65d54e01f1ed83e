// A rule of one act is one of every act: text that is not UTF-8, rows of other lengths, cells that are lists, names that nobody typed.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';

const { run, json, write, exists, read } = scratch();
run([
  'ledger',
  'init',
  '--dataset',
  'v',
  '--epsilon',
  '1000',
  '--adjacency',
  'visits=5',
  '--adjacency',
  'pay=5',
]);

const spent = () =>
  json<{ datasets: { spent: { epsilon: string } }[] }>(['ledger', 'status', '--dataset', 'v']).datasets[0]!
    .spent.epsilon;
const acts = (input: string): readonly (readonly string[])[] => [
  ['release', input, '--column', 'visits', '-o', 'out.csv'],
  ['prior', input, '--column', 'visits', '--range', '0,9', '-o', 'out.csv'],
  ['count', input, '--by', 'visits', '--domain', 'visits=1..4', '-o', 'out.csv'],
  ['count', input, '--by', 'region', '--domain', 'region=N,S', '-o', 'out.csv'],
];

describe('text that is not UTF-8', () => {
  const bad: readonly (readonly [string, string, string])[] = [
    ['a protected cell', 'a.csv', 'id,region,visits\n1,N,5\n2,S,\xff\n3,N,5\n'],
    ['another cell', 'b.csv', 'id,region,visits\n1,N,5\n2,\xfc,5\n3,N,5\n'],
    ['a character that is cut off at the end', 'c.csv', 'id,visits,region\n1,5,N\n2,5,\xc3'],
  ];
  it.each(bad)('in %s is refused by every act, in the same words and free of charge', (_, name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    write(name, bytes);
    write(`${name}.gz`, gzipSync(bytes));
    const before = spent();
    for (const input of [name, `${name}.gz`])
      for (const args of acts(input)) {
        const { code, stderr } = run([...args, '--dataset', 'v', '--epsilon', '1']);
        expect([args[0], input, code, stderr]).toEqual([
          ...[args[0], input, 2],
          expect.stringMatching(/the text is not UTF-8; say what it is, as in --encoding windows-1252/),
        ]);
        expect(exists('out.csv')).toBe(false);
      }
    expect(spent()).toBe(before);
  });

  it('may have characters of every length where the file is read in pieces', () => {
    const row = '1,é€😀,5\n';
    write('long.csv', `id,region,visits\n${row.repeat(400_000)}`);
    const { code } = run([...acts('long.csv')[3]!, '--dataset', 'v', '--epsilon', '1', '--force']);
    expect(code).toBe(0);
  });
});

describe('scores', () => {
  it('of rows with other lengths, or with none, are refused without their row', () => {
    for (const [name, text, message] of [
      ['long.csv', 'candidate,score\na,3,1\nb,5\n', /more or fewer cells than the header/],
      ['short.csv', 'candidate,score\na\nb,5\n', /more or fewer cells than the header/],
      ['empty.csv', 'candidate,score\na,\nb,5\n', /expected a score such as 12 or 0.5 in every row/],
    ] as const) {
      write(name, text);
      const { code, stderr } = run([
        'choose',
        name,
        '--dataset',
        'v',
        '--epsilon',
        '1',
        '--sensitivity',
        '1',
      ]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect(stderr).not.toMatch(/row \d/);
    }
  });
});

describe('a count of what a column says', () => {
  it('takes a list in a cell for text, as it does words', () => {
    write(
      'lists.jsonl',
      '{"r":"N","c":3}\n{"r":"N","c":[700]}\n{"r":"N","c":{"d":700}}\n{"r":"N","c":"x"}\n',
    );
    const args = ['count', 'lists.jsonl', '--by', 'r', '--domain', 'r=N', '--counted', 'c', '--dataset', 'v'];
    expect(run([...args, '--epsilon', '60', '-o', 'lists.csv']).code).toBe(0);
    expect(Number(read('lists.csv').split('\n')[1]!.split(',')[1])).toBe(3);
  });
});

describe('a column that a pattern found', () => {
  it('is named in no refusal, for of a file without a header line it is a cell', () => {
    write('bare.csv', 'Ann 4711 EUR,x1\nBob 12 EUR,x2\n');
    for (const pattern of ['*EUR', 'A*']) {
      const args = [
        'release',
        'bare.csv',
        '--column',
        pattern,
        '--dataset',
        'v',
        '--epsilon',
        '1',
        '-o',
        'bare-out.csv',
      ];
      for (const more of [[], ['--json']]) {
        const { code, stdout, stderr } = run([...args, ...more]);
        expect(code).not.toBe(0);
        expect(stdout + stderr).not.toMatch(/Ann|4711|Bob/);
      }
    }
  });

  it('is named where all went well', () => {
    write('weeks.csv', 'id,visits-1,visits-2\n1,5,6\n2,7,8\n');
    const budget = ['--adjacency', 'visits-1=5', '--adjacency', 'visits-2=5'];
    run(['ledger', 'init', '--dataset', 'w', '--epsilon', '9', ...budget]);
    const args = ['release', 'weeks.csv', '--column', 'visits-*', '--dataset', 'w', '--epsilon', '1'];
    expect(run([...args, '-o', 'weeks-out.csv']).stdout).toMatch(/visits-1, visits-2 protected/);
  });
});
