// Step and adjacency by column, and steps that would leave next to nothing of a column that they were not meant for.

import { describe, expect, it } from 'vitest';
import { cells, scratch } from '../scratch.js';

const { write, read, run, json, exists } = scratch();

const rows = Array.from({ length: 600 }, (_, i) => [20 + (i % 60), i % 7, (i % 40) * 25.5]);
write('t.csv', `age,days,cost\n${rows.map((row) => row.join(',')).join('\n')}\n`);
write('two.csv', `age,days\n${rows.map((row) => row.slice(0, 2).join(',')).join('\n')}\n`);
write('one.csv', `age\n${rows.map(([age]) => age).join('\n')}\n`);
const all = ['--column', 'age', '--column', 'days', '--column', 'cost'];
const base = ['release', 't.csv', ...all, '--epsilon', '3', '--dataset', 't'];
const wide = ['--adjacency', '5', '--adjacency', 'cost=500'];

interface Done {
  readonly charges: readonly { readonly on: string; readonly adjacency: string }[];
}

/** The step of every column, from the values that were released. */
const stepIs = (output: string, column: number, step: number) =>
  cells(read(output))
    .slice(1)
    .every((row) => Number.isInteger(Number(row[column]) / step));

describe('a step by column', () => {
  it('is that column’s alone, and so is an adjacency', () => {
    const { charges } = json<Done>([...base, ...wide, '--step', 'cost=100', '-o', 'own.csv']);
    expect(charges.map(({ on, adjacency }) => [on, adjacency])).toEqual([
      ['age', '5'],
      ['days', '5'],
      ['cost', '500'],
    ]);
    expect(stepIs('own.csv', 2, 100)).toBe(true);
    expect(stepIs('own.csv', 0, 1)).toBe(true);
    expect(stepIs('own.csv', 0, 2)).toBe(false);
    const mean = (column: number) =>
      cells(read('own.csv'))
        .slice(1)
        .reduce((sum, row) => sum + Number(row[column]), 0) / rows.length;
    // ε = 1 for each: the mean of 600 is off by 0.3 or so.
    expect(Math.abs(mean(0) - 49.5)).toBeLessThan(3);
  });

  it('may stand beside one for all others', () => {
    json([...base, ...wide, '--step', '0.5', '--step', 'cost=25', '-o', 'both.csv']);
    expect([stepIs('both.csv', 0, 0.5), stepIs('both.csv', 0, 1), stepIs('both.csv', 2, 25)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is found by a pattern', () => {
    json([...base, ...wide, '--step', 'c*=100', '--column', 'a*', '-o', 'pattern.csv']);
    expect(stepIs('pattern.csv', 2, 100)).toBe(true);
  });

  it('has a prior on its own lattice', () => {
    const known = ['--prior', 'poisson:rate=30', '--adjacency', '2', '--step', 'age=0.5'];
    const two = [
      'release',
      'two.csv',
      '--column',
      'age',
      '--column',
      'days',
      '--epsilon',
      '2',
      '--dataset',
      'two',
    ];
    json([...two, ...known, '-o', 'prior.csv']);
    const specs = ['age', 'days'].map(
      (name) => JSON.parse(read(`prior.csv.${name}.mechanism.json`)).origin.design.prior.spec,
    );
    expect(specs).toEqual(['poisson:rate=30', 'poisson:rate=30']);
    expect(stepIs('prior.csv', 0, 0.5)).toBe(true);
  });

  it.each([
    [['--step', 'cost=100', '--step', 'cost=10'], /--step: given twice for "cost"/],
    [['--step', '10', '--step', '100'], /--step: given twice for all columns/],
    [['--step', 'costs=100'], /--step: "costs" is not released; did you mean "?cost/i],
    [['--adjacency', 'costs=100'], /--adjacency: "costs" is not released/],
    [['--step', 'cost=-1'], /--step: expected a positive decimal/],
  ])('is refused as %s', (more, words) => {
    const { code, stderr } = run([...base, ...wide, ...more, '-o', 'never.csv']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(exists('never.csv')).toBe(false);
  });

  it('does not go with a mechanism that has its own', () => {
    expect(run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
    const mixed = ['release', 't.csv', '--column', 'age=m.json', '--column', 'cost', '--epsilon', '1'];
    const { code, stderr } = run([...mixed, ...wide, '--step', 'age=2', '-o', 'never.csv']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--step: the mechanism of "age" is given/)]);
  });
});

describe('a step that leaves next to nothing', () => {
  it('is refused above the adjacency, whether it was said for all or not at all', () => {
    const entries = () => json<{ entries: unknown[] }>(['ledger', 'history']).entries.length;
    const before = entries();
    for (const [more, words] of [
      [[...wide, '--step', '100'], /--step: expected at most 5, .* in "age", got 100; .* say --step age=100/],
      [['--adjacency', '0.5', '--adjacency', 'cost=500'], /--step: expected at most 0.5, .* got 1; /],
    ] as const) {
      const { code, stderr } = run([...base, ...more, '-o', 'never.csv']);
      expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    }
    expect(exists('never.csv')).toBe(false);
    // Nothing was charged.
    expect(entries()).toBe(before);
  });

  it('is refused above the adjacency of the budget', () => {
    json(['ledger', 'init', '--ledger', 'b.db', '--dataset', 't', '--epsilon', '9', '--adjacency', 'age=10']);
    const own = [
      'release',
      't.csv',
      '--column',
      'age',
      '--epsilon',
      '1',
      '--dataset',
      't',
      '--ledger',
      'b.db',
    ];
    const { code, stderr } = run([...own, '--step', '20', '-o', 'b.csv']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--step: expected at most 10/)]);
    expect(json<Done>([...own, '--step', 'age=20', '-o', 'b.csv']).charges[0]).toMatchObject({
      adjacency: '10',
    });
  });

  it('is let for the very column it was said for', () => {
    json([...base, ...wide, '--step', 'age=100', '-o', 'meant.csv']);
    expect([stepIs('meant.csv', 0, 100), stepIs('meant.csv', 1, 100)]).toEqual([true, false]);
  });

  it('is refused where a stated range has fewer than three values', () => {
    const share = ['release', 'one.csv', '--column', 'age', '--epsilon', '1', '--adjacency', '100'];
    const ranged = [...share, '--prior-share', '0.1', '--range', '0,100', '--dataset', 'one'];
    const { code, stderr } = run([...ranged, '--step', '100', '-o', 'never.csv']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /--step: expected at least 3 values of "age" from 0 to 100, got 2 at the step 100; .*age=100/,
      ),
    ]);
    expect(run([...ranged, '--step', '50', '-o', 'three.csv', '--dry-run']).code).toBe(0);
    expect(run([...ranged, '--step', 'age=100', '-o', 'pair.csv', '--dry-run']).code).toBe(0);
  });

  it('is refused of a prior too, where it was not said', () => {
    write('share.csv', 'x\n0.2\n0.9\n');
    const prior = ['prior', 'share.csv', '--column', 'x', '--range', '0,1', '--epsilon', '1', '-o', 'p.csv'];
    const { code, stderr } = run([...prior, '--dataset', 't']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/--step: expected at least 3 .* say --step 1\n/),
    ]);
    expect(run([...prior, '--dataset', 't', '--step', '1', '--dry-run']).code).toBe(0);
    expect(run([...prior, '--dataset', 't', '--step', '0.1', '--dry-run']).code).toBe(0);
  });
});

describe('what is said of decimals', () => {
  it('names the columns that lose them, what they become, and how one would keep them', () => {
    const told = (more: readonly string[]) =>
      run([...base, ...wide, '--family', 'geometric', '--decimal', '.', ...more, '--force', '-o', 'told.csv'])
        .stdout.split(/\n(?=\S)/)
        .filter((line) => line.startsWith('rounded'))
        .join('\n')
        .replace(/\s+/g, ' ');
    const whole = told(['--step', 'cost=100']);
    expect(whole).toContain('age, days: decimals were rounded to whole numbers; --step age=0.01 keeps two');
    expect(whole).toContain('cost: decimals were rounded to multiples of 100; --step cost=0.01 keeps two');
    expect(told(['--step', '0.01'])).toBe('');
    expect(told(['--step', 'cost=0.01'])).not.toContain('cost');
  });
});
