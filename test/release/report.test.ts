import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/index.js';
import { cells, scratch, visits } from '../scratch.js';

const { run, read, json } = scratch();
let report: Report;
let released: { head: string };

beforeAll(() => {
  json([
    'ledger',
    'init',
    '--dataset',
    'visits',
    '--epsilon',
    '30',
    '--delta',
    '0.1',
    '--adjacency',
    'visits=5',
  ]);
  released = json([
    'release',
    visits,
    '--column',
    'visits',
    '--epsilon',
    '1',
    '-o',
    'out.csv',
    '--dataset',
    'visits',
    '--report',
    'r.html',
    '--clamp',
    '0,200',
  ]);
  report = JSON.parse(read('r.json')) as Report;
});

describe('the report', () => {
  it('says what is protected and what is not', () => {
    expect(report.guarantee.sentence).toMatch(/“visits” by up to 5.*2\.719 times as likely.*ε = 1\)/);
    expect(report.notProtected.join(' ')).toMatch(
      /Whether a record is in the data.*order.*empty \(NULL\).*other columns/,
    );
    expect(report.unchanged).toEqual(['record', 'health', 'limitation']);
    expect(report.notes.join(' ')).toMatch(/for one row; rows per person were not stated/);
    expect(report.columns[0]!.afterwards).toEqual(['moved into 0 … 200']);
    const page = read('r.html');
    for (const text of [
      'What is guaranteed',
      'What is not protected',
      'How to verify',
      released.head,
      '<svg',
      report.columns[0]!.mechanism,
    ])
      expect(page).toContain(text);
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  });

  it('tells what can still be learned up to and beyond the adjacency, never too little', () => {
    const { learnable } = report.columns[0]!;
    expect(learnable.map(({ distance }) => distance)).toEqual(['1', '3', '5', '10', '25']);
    const own = learnable.find(({ distance }) => distance === '5')!;
    expect(Number(own.epsilon)).toBeCloseTo(1, 6);
    // e / (1 + e) is the most that any noise with ε = 1 lets somebody guess.
    expect(own.guess).toBeLessThanOrEqual(Math.E / (1 + Math.E) + 1e-12);
    expect(own.guess).toBeGreaterThan(0.6);
    const guesses = learnable.map(({ guess }) => guess);
    expect([...guesses].sort((a, b) => a - b)).toEqual(guesses);
    expect(Number(learnable.at(-1)!.epsilon)).toBeCloseTo(5, 5);
  });

  it('gives the error of records, sum and mean from the noise alone', () => {
    const [column] = report.columns;
    expect(column!.values).toBe(20_190);
    // Of what is published: in the middle of the bounds the noise is as it is, at their ends half of it is gone.
    expect(column!.sum.std).toBeCloseTo(column!.published!.greatestStd * Math.sqrt(20_190), 6);
    expect(column!.mean.std).toBeCloseTo(column!.published!.greatestStd / Math.sqrt(20_190), 9);
    expect(column!.published!.greatestStd).toBeCloseTo(column!.noise.std, 3);
    expect(column!.noise.meanAbsolute).toBeCloseTo(4.786, 2);
  });

  it('takes its quantiles from the released values', () => {
    const values = cells(read('out.csv'))
      .slice(1)
      .map((row) => Number(row[3]))
      .sort((a, b) => a - b);
    for (const { share, value } of report.columns[0]!.quantiles!)
      expect(Number(value)).toBe(values[Math.max(0, Math.ceil(share * values.length) - 1)]);
  });

  it('draws any noise, in a page that can be sent', () => {
    for (const [i, more] of [
      ['--family', 'gaussian', '--epsilon', '1', '--delta', '1e-6'],
      ['--family', 'geometric', '--epsilon', '0.00001'],
      ['--epsilon', '1', '--delta', '1e-6'],
    ].entries()) {
      const { code, stderr } = run([
        'release',
        visits,
        '--column',
        'visits',
        '--adjacency',
        '5',
        ...more,
        '--dataset',
        'visits',
        '-o',
        `n${i}.csv`,
        '--report',
        `n${i}.html`,
      ]);
      expect([code, stderr.replace(/solved.*/, '').trim()]).toEqual([0, '']);
      expect(read(`n${i}.html`).length).toBeLessThan(1_000_000);
      expect(read(`n${i}.html`)).toContain('<path');
    }
  });

  it('can be verified with the commands it prints', () => {
    expect(report.verify).toHaveLength(2);
    for (const command of report.verify) expect(run(command.split(' ').slice(1)).code).toBe(0);
    expect(report.ledger).toMatchObject({ entry: 2, head: released.head, budget: { epsilon: '30' } });
  });
});
