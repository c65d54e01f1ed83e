// `discreet tradeoff` for whoever has to choose: error and best guess against ε, and the ε that a wanted error takes.

import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';

const { run, json, read } = scratch();

interface Row {
  readonly epsilon: number;
  readonly adjacency: number;
  readonly error: number;
  readonly within: number;
  readonly bestGuess: number;
}

describe('discreet tradeoff', () => {
  it('gives error and best guess over ε in a few digits, without the names of the paper', () => {
    const { code, stdout } = run(['tradeoff', '--adjacency', '5']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ε +off by +in 9 of 10 +best guess$/m);
    expect(stdout).not.toMatch(/E\|θ\||\bW\b|gaussian|laplace|stair/i);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const { rows } = json<{ rows: Row[] }>(['tradeoff', '--adjacency', '5']);
    expect(rows).toHaveLength(12);
    for (const [i, row] of rows.entries()) {
      expect(String(row.epsilon).replace(/^0\.0*|\./g, '').length).toBeLessThanOrEqual(2);
      if (i === 0) continue;
      expect(row.error).toBeLessThan(rows[i - 1]!.error);
      expect(row.bestGuess).toBeGreaterThan(rows[i - 1]!.bestGuess - 0.01);
    }
  });

  it('tells what a release tells', () => {
    const { rows } = json<{ rows: Row[] }>([
      'tradeoff',
      '--adjacency',
      '5',
      '--epsilon',
      '1..2',
      '--points',
      '2',
    ]);
    const trial = (epsilon: number) =>
      json<{ error: { meanAbs: number; bestGuess: number }[] }>(
        [
          'release',
          '-',
          '--input-format',
          'csv',
          '--column',
          'v',
          '--epsilon',
          String(epsilon),
          '--adjacency',
          '5',
          '-o',
          'o.csv',
          '--dataset',
          'd',
          '--dry-run',
        ],
        'v\n1\n',
      ).error[0]!;
    for (const { epsilon, error, bestGuess } of rows) {
      expect(trial(epsilon).meanAbs).toBe(error);
      expect(trial(epsilon).bestGuess).toBe(bestGuess);
    }
  });

  it('writes curves as CSV and draws them', () => {
    const args = ['tradeoff', '--epsilon', '1', '--adjacency', '1..9', '--points', '3'];
    expect(run([...args, '--csv', 'c.csv', '--svg', 'c.svg']).code).toBe(0);
    const lines = read('c.csv').trim().split('\n');
    expect(lines[0]).toBe('epsilon,adjacency,mean_error,error_9_of_10,best_guess');
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['1', '5', '9']);
    expect(read('c.svg')).toMatch(/How far a released value is off[\s\S]*How often the best guess is right/);
  });

  it('finds the least ε for a wanted error, of several columns at once, which a release then keeps', () => {
    const args = [
      '--adjacency',
      'visits=5',
      '--adjacency',
      'age=10',
      '--target-error',
      'visits=2',
      '--target-error',
      'age=8',
    ];
    const found = json<{ columns: (Row & { column: string; epsilon: string })[]; epsilon: string }>([
      'tradeoff',
      ...args,
    ]);
    expect(found.columns.map(({ column }) => column)).toEqual(['visits', 'age']);
    for (const [i, most] of [2, 8].entries()) {
      const { adjacency, epsilon, error } = found.columns[i]!;
      expect(error).toBeLessThanOrEqual(most);
      // One less in the last digit is not enough.
      const less = (Number(epsilon) - 0.01).toFixed(2);
      const before = [
        'tradeoff',
        '--adjacency',
        String(adjacency),
        '--epsilon',
        `${less}..${epsilon}`,
        '--points',
        '2',
      ];
      expect(json<{ rows: Row[] }>(before).rows[0]!.error).toBeGreaterThan(most);
    }
    expect(Number(found.epsilon)).toBeCloseTo(
      found.columns.reduce((sum, own) => sum + Number(own.epsilon), 0),
      12,
    );
    const shown = run(['tradeoff', ...args, '--per-person', '2']).stdout;
    const [, flags] = /^ {2}(--epsilon visits=\S+ --epsilon age=\S+) --per-person 2$/m.exec(shown)!;
    const trial = json<{ error: { meanAbs: number }[]; cost: { epsilon: string } }>(
      [
        'release',
        '-',
        '--input-format',
        'csv',
        '--column',
        'visits',
        '--column',
        'age',
        ...flags!.split(' '),
        '--adjacency',
        '5',
        '--per-person',
        '2',
        '-o',
        'o.csv',
        '--dataset',
        'd',
        '--dry-run',
      ],
      'visits,age\n1,2\n',
    );
    expect(trial.error[0]!.meanAbs).toBeCloseTo(found.columns[0]!.error, 9);
  });

  it('divides δ as a release does', () => {
    const args = [
      'tradeoff',
      '--adjacency',
      'v=5',
      '--adjacency',
      'w=5',
      '--target-error',
      '20',
      '--delta',
      '0.01',
      '--per-person',
      '5',
    ];
    const [, flags] = /^ {2}(--epsilon v=.*)$/m.exec(run(args).stdout)!;
    const own = json<{ columns: Row[] }>(args).columns[0]!;
    const columns = [
      '--column',
      'v',
      '--column',
      'w',
      '--adjacency',
      '5',
      '--dataset',
      'd',
      '--dry-run',
      '-o',
      'o.csv',
    ];
    const trial = json<{ error: { meanAbs: number }[] }>(
      ['release', '-', '--input-format', 'csv', ...columns, ...flags!.split(' ')],
      'v,w\n1,2\n',
    );
    expect(trial.error[0]!.meanAbs).toBeCloseTo(own.error, 6);
  });

  it.each([
    [['--adjacency', '5', '--target-error', '1e-60'], /no ε below 100 is enough/],
    [['--adjacency', 'a=5', '--adjacency', 'b=5', '--target-error', 'a=2'], /expected one for "b" too/],
    [['--adjacency', 'a=5', '--target-error', 'b=2'], /expected one for "a" too/],
    [['--adjacency', '5', '--target-error', '2', '--csv', 'x.csv'], /--csv: --target-error gives one ε/],
    [['--adjacency', '5', '--adjacency', '6'], /given twice|expected one/],
    [['--adjacency', '5', '--per-person', '2'], /--per-person: it is for --target-error/],
    [['--adjacency', '5', '--epsilon', '1'], /expected a range/],
    [['--adjacency', '5', '--target-error', '0'], /--target-error: expected a value above 0/],
  ])('refuses %j with the fix', (args, words) => {
    const { code, stderr } = run(['tradeoff', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});
