// What a report says of the values is true of what was published: after clamping and rounding, column by column, without empty cells.

import { describe, expect, it } from 'vitest';
import { readMechanism } from '../../src/mechanism/index.js';
import { lastIndex, probabilities } from '../../src/pmf/index.js';
import type { Report } from '../../src/report/index.js';
import { cells, scratch } from '../scratch.js';

const { run, json, read, write } = scratch();
const ROWS = 3000;
write('zeros.csv', `a,b\n${'0,6\n'.repeat(ROWS)}`);
const release = (name: string, ...more: string[]) => [
  ...['release', 'zeros.csv', '--epsilon', '1', '--adjacency', '5', '-o', `${name}.csv`, '--dataset', name],
  ...['--pass', more.includes('a') ? 'b' : 'a', '--report', `${name}.html`, ...more],
];
const summaryOf = (name: string) =>
  /<ul class="summary">(.*?)<\/ul>/.exec(read(`${name}.html`).replaceAll('\u00a0', ' '))![1]!;
const reportOf = (name: string) => JSON.parse(read(`${name}.json`)) as Report;
const columnOf = (name: string, at: number) =>
  cells(read(`${name}.csv`))
    .slice(1)
    .map((row) => Number(row[at]));
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe('the summary', () => {
  it('tells what a clamp makes of values and of their mean', () => {
    const { code, stdout } = run(release('clamped', '--column', 'a', '--clamp', '0,30'));
    expect(code).toBe(0);
    const [, least, most, low, high] =
      /Off by ([\d.]+) to ([\d.]+) on average.*mean of all 3,000 values by −([\d.]+) to ([\d.]+) \(for values that are truly within 0 … 30;/.exec(
        summaryOf('clamped'),
      )!;
    expect([least, low]).toEqual([high, high]);
    expect(Number(most)).toBeGreaterThan(Number(least));
    // All are truly 0: their mean is off by the greatest bias, give or take.
    const { mean: told } = reportOf('clamped').columns[0]!;
    const off = mean(columnOf('clamped', 0));
    expect(Math.abs(off - told.greatestBias)).toBeLessThan(6 * told.std);
    expect(stdout).toMatch(/^noise {6}a: the noise moves a value by 4\.78628 on average/m);
    expect(stdout).toMatch(
      /^published {2}a: afterwards a value truly within 0 … 30 is off by 2\.38721 to 4\.54799 on average, and comes out from 2\.38721 too low to 2\.38721 too high/m,
    );
  });

  it('tells what rounding makes of them', () => {
    run(release('rounded', '--column', 'b', '--round-to', '10'));
    const [, least, most] = /Off by ([\d.]+) to ([\d.]+) on average.*depending on what it truly is/.exec(
      summaryOf('rounded'),
    )!;
    const found = mean(columnOf('rounded', 1).map((value) => Math.abs(value - 6)));
    expect(found).toBeGreaterThan(Number(least) - 0.5);
    expect(found).toBeLessThan(Number(most) + 0.5);
    const { published, noise } = reportOf('rounded').columns[0]!;
    expect(published!.greatestError).toBeGreaterThan(noise.meanAbsolute + 1);
  });

  it('stays as it was where nothing is done afterwards', () => {
    run(release('plain', '--column', 'a'));
    expect(summaryOf('plain')).toMatch(
      /Off by 4\.786 on average.*one value of “a”; the mean of all 3,000 values by about 0\.1268/,
    );
  });
});

it('warns of a clamp that is narrow beside the noise, which leaves of a yes or no next to nothing', () => {
  write(
    'yes.csv',
    `patient,readmitted\n${Array.from({ length: 300 }, (_, i) => `${i},${i % 17 < 2 ? 'yes' : 'no'}\n`).join('')}`,
  );
  const args = ['release', 'yes.csv', '--column', 'readmitted', '--map', 'yes=1,no=0', '--adjacency', '1'];
  const out = ['-o', 'yes-out.csv', '--dataset', 'yes', '--report', 'yes.html'];
  const { code, stdout } = run([...args, '--epsilon', '0.1', '--clamp', 'readmitted=0,1', ...out]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^warning {4}readmitted: clamping moves averages: a true value of 0 comes out 0\.4\d+ too high/m,
  );
  expect(read('yes.html')).toMatch(/<b>Mind:<\/b> clamping moves averages/);
});

it('names the bounds of each column', () => {
  const bounds = ['--clamp', 'a=0,30', '--clamp', 'b=-5,500'];
  const columns = ['--column', 'a', '--column', 'b', '--dataset', 'both'];
  const args = ['--epsilon', '1', '--adjacency', '5', '-o', 'both.csv', '--report', 'both.html'];
  expect(run(['release', 'zeros.csv', ...columns, ...bounds, ...args]).code).toBe(0);
  const page = read('both.html');
  expect(page).toContain('Values of “a” were moved into 0 … 30 after noise was added');
  expect(page).toContain('Values of “b” were moved into -5 … 500 after noise was added');
});

describe('a bias', () => {
  it('far from a bound is what the noise gives, however little that is', () => {
    run(release('far', '--column', 'a', '--clamp', '0,400'));
    const { at } = reportOf('far').columns[0]!.published!;
    const { pmf } = readMechanism(read('far.csv.mechanism.json'));
    const first = Math.min(pmf.from, -3000);
    const { p } = probabilities(pmf, first, Math.max(3000, lastIndex(pmf)));
    const small = at.filter(({ value }) => value > 60 && value <= 110);
    expect(small.length).toBeGreaterThan(3);
    for (const { value, bias } of small) {
      // What is moved up to 0, less what is moved down to 400.
      let exact = 0;
      for (let i = 0; i < p.length; i++) {
        const sum = value + first + i;
        exact += p[i]! * (sum < 0 ? -sum : sum > 400 ? 400 - sum : 0);
      }
      expect(exact).toBeGreaterThan(1e-9);
      expect(bias / exact).toBeCloseTo(1, 5);
    }
  });

  it('that is nothing but what integers leave is 0', () => {
    expect(run(['analyze', 'discrete-gaussian:sigma=3', '--adjacency', '5']).stdout).toMatch(
      /mean 0, E\|θ\|/,
    );
    const family = ['--family', 'discrete-gaussian', '--delta', '1e-6', '--column', 'a'];
    const { error } = json<{ error: { bias: number }[] }>(release('family', ...family));
    expect(error[0]!.bias).toBe(0);
    const { noise, sum } = reportOf('family').columns[0]!;
    expect([noise.bias, sum.leastBias]).toEqual([0, 0]);
    expect(/mean of the noise ([^,]*),/.exec(read('family.html'))![1]).toBe('0');
  });
});

it.each(['csv', 'parquet', 'jsonl'])('values are those that are there, in %s', (format) => {
  const rows = Array.from(
    { length: 40_000 },
    (_, i) => `${i},${i % 48 === 7 && i < 48 * 829 ? '' : i % 9},${i % 5}\n`,
  );
  const empty = rows.filter((row) => row.includes(',,')).length;
  expect(empty).toBe(829);
  write('some.csv', `id,v,w\n${rows.join('')}`);
  const args = [
    'release',
    'some.csv',
    '--column',
    'v',
    '--column',
    'w',
    '--epsilon',
    '1',
    '--adjacency',
    '5',
  ];
  const { columns } = json<{ columns: { name: string; values: number }[] }>([
    ...[...args, '-o', `out.${format}`, '--report', `${format}.html`, '--dataset', format],
    ...(format === 'parquet' ? ['--round-to', 'w=10'] : []),
  ]);
  expect(columns).toEqual([
    { name: 'v', values: 39_171 },
    { name: 'w', values: 40_000 },
  ]);
  expect(reportOf(format).columns.map(({ values }) => values)).toEqual([39_171, 40_000]);
  const page = read(`${format}.html`);
  expect(page).toContain('39,171');
});
