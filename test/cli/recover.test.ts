// `discreet recover`, as a reader of a release calls it.

import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';

const { run, json, write, read } = scratch();

interface Answer {
  readonly rows: number;
  readonly nulls: number;
  readonly gap: number;
  readonly distribution: readonly {
    readonly value: number;
    readonly mass: number;
    readonly low: number;
    readonly high: number;
  }[];
  readonly mean: {
    readonly estimate: number;
    readonly usual: [number, number];
    readonly guaranteed: [number, number] | null;
  };
  readonly atLeast: Readonly<Record<string, Answer['mean']>>;
  readonly quantiles: Readonly<Record<string, { readonly estimate: number }>>;
  readonly groups?: readonly { readonly by: string; readonly rows: number }[];
}

/** 3000 rows of two regions, one in ten without a value. */
const rows = Array.from(
  { length: 3000 },
  (_, i) => `${i},${i % 3 === 0 ? 'N' : 'S'},${i % 10 === 0 ? '' : i % 7}`,
);
write('in.csv', `id,region,visits\n${rows.join('\n')}\n`);
const release = (more: readonly string[], output: string) =>
  run([
    'release',
    'in.csv',
    '--column',
    'visits',
    '--epsilon',
    '2',
    '--adjacency',
    '3',
    '--dataset',
    'v',
    ...more,
    '-o',
    output,
  ]);

describe('recover', () => {
  it('finds the mechanism beside the file, keeps empty cells apart, and tells groups', () => {
    expect(release([], 'out.csv').code).toBe(0);
    const args = [
      'recover',
      'out.csv',
      '--column',
      'visits',
      '--range',
      '0,6',
      '--by',
      'region',
      '--at-least',
      '4',
    ];
    const found = json<Answer>([...args, '--csv', 'd.csv', '--svg', 'd.svg', '--confidence', '0.9999999']);
    expect(found).toMatchObject({ rows: 2700, nulls: 300 });
    expect(found.gap).toBeLessThan(1e-6);
    // The noise is fresh every time: what holds but for one in ten million.
    for (const [{ guaranteed }, truth] of [
      [found.mean, 3],
      [found.atLeast['4']!, 3 / 7],
    ] as const) {
      expect(guaranteed![0]).toBeLessThan(truth);
      expect(guaranteed![1]).toBeGreaterThan(truth);
    }
    expect(found.groups!.map(({ by, rows: n }) => [by, n])).toEqual([
      ['N', 900],
      ['S', 1800],
    ]);
    for (const { mass, low, high } of found.distribution) expect(low <= mass && mass <= high).toBe(true);
    expect(read('d.csv')).toMatch(/^by,value,mass,low,high,guaranteed_low,guaranteed_high\n"N",0,/);
    expect(read('d.svg')).toContain('visits: released, and recovered');
    const { stdout } = run(args.slice(0, -4));
    expect(stdout).toMatch(/2,700 values, 300 empty cells beside them/);
    expect(stdout).toMatch(/guaranteed, 95 %/);
  });

  it('reads a clamp from the mechanism, and Parquet', () => {
    expect(release(['--clamp', '0,6', '--allow-bias'], 'clamped.parquet').code).toBe(0);
    const { mean } = json<Answer>(['recover', 'clamped.parquet', '--column', 'visits', '--range', '0,6']);
    expect(Math.abs(mean.estimate - 3)).toBeLessThan(0.4);
  });

  it.each([
    [['in.csv', '--column', 'visits'], /there is no in\.csv\.mechanism\.json beside in\.csv/],
    [
      ['out.csv', '--column', 'region', '--mechanism', 'out.csv.mechanism.json'],
      /has "[NS]"; expected numbers/,
    ],
    [
      ['out.csv', '--column', 'visits', '--range', '40,60'],
      /--range: with this mechanism no column within this range/,
    ],
    [['nothere.csv', '--column', 'visits'], /nothere\.csv: there is no such file/],
    [['out.csv', '--column', 'nope'], /--column: "nope" is none of the columns that .* is of: visits/],
    [['out.csv', '--column', 'visits', '--quantile', '2'], /--quantile: expected a number between 0 and 1/],
    [['out.csv', '--column', 'visits', '--csv', 'out.csv', '--force'], /out\.csv: this is what is read/],
    [['out.csv', '--column', 'visits', '--range', '7'], /--range: expected low,high as in 0,77, got 7/],
    [['out.csv', '--column', 'visits', '--smooth', 'much'], /--smooth: expected none/],
  ])('%j is refused', (args, message) => {
    const { code, stderr } = run(['recover', ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
