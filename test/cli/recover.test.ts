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
  readonly shape: Answer['distribution'];
  readonly groups?: readonly (Answer & { readonly by: string })[];
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

  it('tells of wide noise as much as it lets through, and draws no more', () => {
    const wide = ['--column', 'visits', '--epsilon', '0.02', '--adjacency', '3', '--dataset', 'wide'];
    expect(run(['release', 'in.csv', ...wide, '-o', 'wide.csv']).code).toBe(0);
    const asked = ['recover', 'wide.csv', '--column', 'visits', '--range', '0,6', '--at-least', '4'];
    const found = json<Answer>([...asked, '--by', 'region', '--confidence', '0.9999']);
    for (const { atLeast, mean } of [found, ...found.groups!])
      for (const [{ estimate, usual }, truth] of [
        [atLeast['4']!, 3 / 7],
        [mean, 3],
      ] as const) {
        expect(usual[0]).toBeLessThan(truth);
        expect(usual[1]).toBeGreaterThan(truth);
        expect(usual[0] <= estimate && estimate <= usual[1]).toBe(true);
      }
    expect(found.atLeast['4']!.usual[1] - found.atLeast['4']!.usual[0]).toBeGreaterThan(0.5);
    for (const { mass, low, high } of found.shape)
      expect(high - low).toBeLessThanOrEqual(Math.max(mass, 1 / 24));
    const { stdout } = run(asked);
    expect(stdout).toMatch(/as finely as can be told, usual, 95 %\n.*100 % \(100 % to 100 %\)/);
  });

  it('says where groups are by noisy values', () => {
    write('wards.csv', `ward,visits\n${rows.map((_, i) => `${i % 2},${i % 7}`).join('\n')}\n`);
    const both = ['--column', 'visits', '--column', 'ward', '--epsilon', '2', '--adjacency', '3'];
    expect(run(['release', 'wards.csv', ...both, '--dataset', 'wards', '-o', 'noisy.csv']).code).toBe(0);
    const asked = ['recover', 'noisy.csv', '--column', 'visits', '--range', '0,6', '--by', 'ward'];
    const said = /"ward" was released with noise of its own: groups are by its noisy values/;
    expect(run(asked).stdout).toMatch(said);
    expect(json<{ warning: string }>(asked).warning).toMatch(said);
    const grouped = json<{ warning: string | null }>([
      'recover',
      'out.csv',
      '--column',
      'visits',
      '--by',
      'region',
    ]);
    expect(grouped.warning).toBeNull();
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
      /--range: if all true values lay within this range/,
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

  it('prints intervals that hold what was computed, however far from 0', () => {
    write(
      'salaries.csv',
      `id,salary\n${Array.from({ length: 4000 }, (_, i) => `${i},${52010 + (i % 7)}`).join('\n')}\n`,
    );
    const released = [
      '--column',
      'salary',
      '--epsilon',
      '4',
      '--adjacency',
      '2',
      '--dataset',
      's',
      '-o',
      's.csv',
    ];
    expect(run(['release', 'salaries.csv', ...released]).code).toBe(0);
    const args = ['recover', 's.csv', '--column', 'salary', '--range', '52000,52030'];
    const { mean } = json<Answer>(args);
    const line = run(args)
      .stdout.split('\n')
      .find((text) => text.startsWith('mean'))!;
    const [estimate, low, high, least, most] = line.match(/[0-9.]+/g)!.map(Number) as number[];
    expect(low).toBeLessThanOrEqual(mean.usual[0]);
    expect(high).toBeGreaterThanOrEqual(mean.usual[1]);
    expect(high! - low!).toBeLessThanOrEqual(1.05 * (mean.usual[1] - mean.usual[0]));
    expect(least).toBeLessThanOrEqual(mean.guaranteed![0]);
    expect(most).toBeGreaterThanOrEqual(mean.guaranteed![1]);
    expect(estimate! >= low! && estimate! <= high!).toBe(true);
  });

  it('says what to do about a range of too many values', () => {
    const { code, stderr } = run(['recover', 's.csv', '--column', 'salary', '--range', '0,6000000']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('expected at most 1000000 steps, got 6000001; name a narrower one, or none');
  });
});
