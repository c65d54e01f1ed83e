// Domains that are stated: ranges of all kinds, values that are hardly meant to be cells of their own, names with an equals sign;
// and what is said of counts that lie near 0.

import { describe, expect, it } from 'vitest';
import { cells, scratch } from '../scratch.js';

const { write, read, run, json, exists } = scratch();

write('months.csv', `month\n${'2026-01\n'.repeat(300)}${'2026-03\n'.repeat(500)}`);
const by = (column: string, domain: string, ...more: string[]) => [
  ...['count', 'months.csv', '--by', column, '--domain', `${column}=${domain}`],
  ...['--epsilon', '1', '--dataset', 'd', '--force', '-o', 'c.csv', ...more],
];
const values = (column: string, domain: string) => {
  write('months.csv', read('months.csv').replace(/^.*\n/, `${column}\n`));
  json(by(column, domain));
  return cells(read('c.csv'))
    .slice(1)
    .map(([value]) => value);
};

describe('values that look like groups of others', () => {
  const notes = (domain: string, ...more: string[]) => {
    write('months.csv', read('months.csv').replace(/^.*\n/, 'v\n'));
    const { code, stderr } = run(by('v', domain, ...more));
    expect(code).toBe(0);
    return stderr;
  };

  it('are told as texts before anything is charged, from the domain alone', () => {
    const said =
      /^note: values of "v" that were stated look like ranges of numbers.*"0-17"; "18-64"; "65\+"; each/m;
    expect(notes('0-17,18-64,65+', '--dry-run')).toMatch(said);
    expect(notes('0-17,18-64,65+')).toMatch(said);
    expect(notes('2025-Q1..2025-Q4', '--dry-run')).toMatch(
      /look like quarters or weeks, and no day or month/,
    );
  });

  it.each(['2026-01..2026-12', '2024-01-01..2024-01-05', '0..120', 'N-E,S-W', '20-10'])(
    '%s are none',
    (domain) => {
      expect(notes(domain, '--dry-run')).not.toContain('look like');
    },
  );
});

describe('a range', () => {
  it('of months is one cell for each, in which its rows are counted', () => {
    const months = values('month', '2025-11..2026-03');
    expect(months).toEqual(['2025-11', '2025-12', '2026-01', '2026-02', '2026-03']);
    // ε = 1: beyond 60 with a probability of e^−60.
    [0, 0, 300, 0, 500].forEach((truth, i) => {
      expect(Math.abs(Number(cells(read('c.csv'))[i + 1]![1]) - truth)).toBeLessThan(60);
    });
  });

  it.each([
    ['2026-Q3..2027-Q2', ['2026-Q3', '2026-Q4', '2027-Q1', '2027-Q2']],
    ['2026Q4..2027Q1', ['2026Q4', '2027Q1']],
    ['2026-W52..2027-W02', ['2026-W52', '2026-W53', '2027-W01', '2027-W02']],
    ['2025W51..2026W01', ['2025W51', '2025W52', '2026W01']],
    ['2024-02-27..2024-03-01', ['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01']],
    ['08..11', ['08', '09', '10', '11']],
    ['-1..2', ['-1', '0', '1', '2']],
    ['2026-05..2026-05', ['2026-05']],
    ['"a..b",c', ['a..b', 'c']],
  ])('%s is %s', (domain, expected) => {
    expect(values('v', domain)).toEqual(expected);
  });

  it('of a year of weeks and of days has all of them', () => {
    expect(values('v', '2026-W01..2026-W53')).toHaveLength(53);
    expect(values('v', '2024-01-01..2024-12-31')).toHaveLength(366);
    expect(values('v', '2026-01..2026-12')).toHaveLength(12);
  });

  it.each([
    ['2026-01..2026-13', /--domain v: expected a range of whole numbers .*months/],
    ['2026-01..2026-12-31', /expected a range of/],
    ['a..c', /expected a range of/],
    ['1.5..2.5', /expected a range of/],
    ['2026-Q1..2026Q4', /expected a range of/],
    ['1..012', /expected a range of/],
    ['1..', /expected a range of/],
    ['2026-02-01..2026-02-30', /days and weeks that there are, got 2026-02-30/],
    ['2025-W01..2025-W53', /days and weeks that there are, got 2025-W53/],
    ['2026-12..2026-01', /a range upward/],
    ['0..99999999', /at most 10000000 values/],
    ['2019..2021,2024', /expected one range, or values between commas/],
  ])('%s is refused, and costs nothing', (domain, words) => {
    write('v.csv', 'v\n1\n');
    const { code, stderr } = run([
      ...['count', 'v.csv', '--by', 'v', '--domain', `v=${domain}`, '--epsilon', '1', '--dataset', 'd'],
      ...['-o', 'never.csv', '--ledger', 'none.db'],
    ]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    expect([exists('never.csv'), exists('none.db')]).toEqual([false, false]);
  });
});

describe('values that differ in little', () => {
  it.each([
    ['N,S,n', '"N" and "n"'],
    ['New York,NewYork', '"New York" and "NewYork"'],
    ['1,01,2', '"1" and "01"'],
    ['W01,w1', '"W01" and "w1"'],
  ])('%s are named, whatever the data hold', (domain, named) => {
    for (const data of ['v\n', 'v\nN\n01\n']) {
      write('v.csv', data);
      const { code, stderr } = run([
        ...['count', 'v.csv', '--by', 'v', '--domain', `v=${domain}`, '--epsilon', '1', '--dataset', 'd'],
        ...['--force', '-o', 'v-out.csv'],
      ]);
      expect(code).toBe(0);
      expect(stderr).toContain(`alone: ${named};`);
    }
  });

  it('are not others', () => {
    const { code, stderr } = run([
      ...['count', 'v.csv', '--by', 'v', '--domain', 'v=1.05,1.5,10,100,N,S', '--epsilon', '1'],
      ...['--dataset', 'd', '--force', '-o', 'v-out.csv'],
    ]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('leading zeros')]);
  });

  it('and a blank at either end is named', () => {
    const { stderr } = run([
      ...['count', 'v.csv', '--by', 'v', '--domain', 'v=N, S', '--epsilon', '1', '--dataset', 'd'],
      ...['--force', '-o', 'v-out.csv'],
    ]);
    expect(stderr).toContain('begin or end with a blank: " S"');
  });
});

describe('counts near 0', () => {
  const told = (rows: string, domain: string, ...more: string[]) => {
    write('near.csv', `v\n${rows}`);
    const args = ['count', 'near.csv', '--by', 'v', '--domain', `v=${domain}`, '--epsilon', '1'];
    return run([...args, '--dataset', 'd', '--force', '-o', 'near-out.csv', ...more]);
  };

  it('are told where they are half of them or more, from what was published alone', () => {
    const { stderr } = told('a\n'.repeat(900), 'A,B,C,D,E,F,G,H,I,J,K,L,M,N,O,P', '--report', 'r.html');
    const near = cells(read('near-out.csv'))
      .slice(1)
      .filter(([, count]) => Math.abs(Number(count)) <= 2).length;
    expect(near).toBeGreaterThan(8);
    const words = `${near} of the 16 published counts are at most 2 from 0`;
    expect(stderr).toContain(words);
    expect(read('r.html')).toContain(words);
    expect(JSON.parse(read('r.json')).warnings.join()).toContain(words);
    const asJson = JSON.parse(told('a\n'.repeat(900), 'A,B,C,D', '--json').stdout);
    const again = cells(read('near-out.csv'))
      .slice(1)
      .filter(([, count]) => Math.abs(Number(count)) <= 2).length;
    expect(asJson.nearZero).toEqual({ within: '2', cells: again });
  });

  it('are told where the counts themselves go to standard output', () => {
    write('near.csv', 'v\n');
    const args = ['count', 'near.csv', '--by', 'v', '--domain', 'v=1..40', '--epsilon', '1'];
    const { stdout, stderr } = run([...args, '--dataset', 'd', '-o', '-', '--force']);
    const near = cells(stdout)
      .slice(1)
      .filter(([, count]) => Math.abs(Number(count)) <= 2).length;
    expect(stderr.replace(/\s+/g, ' ')).toContain(`${near} of the 40 published counts`);
  });

  it('are not told where they are few', () => {
    const { stderr } = told(`${'a\n'.repeat(900)}${'b\n'.repeat(900)}${'c\n'.repeat(900)}`, 'a,b,c,d');
    expect(stderr).toBe('');
  });
});

describe('a name with an equals sign', () => {
  it('can be counted by, beside one that it begins like', () => {
    write('eq.csv', `a,a=b\n${'x,1=2\n'.repeat(400)}`);
    json([
      ...['count', 'eq.csv', '--by', 'a=b,a', '--domain', 'a=b=1=2,3', '--domain', 'a=x,y', '--epsilon', '1'],
      ...['--dataset', 'd', '-o', 'eq-out.csv'],
    ]);
    const [header, first] = cells(read('eq-out.csv'));
    expect([header, first!.slice(0, 2)]).toEqual([
      ['a=b', 'a', 'count'],
      ['1=2', 'x'],
    ]);
    expect(Math.abs(Number(first![2]) - 400)).toBeLessThan(60);
  });

  it.each([
    [['--domain', 'a=b=1', '--domain', 'a=b=2'], /--domain: given twice for "a=b"/],
    [['--domain', 'c=1'], /--domain: "c" is not counted by/],
    [['--domain', 'c'], /--domain: expected column=values/],
    [[], /--domain/],
  ])('is not confused: %s', (more, words) => {
    const { code, stderr } = run([
      ...['count', 'eq.csv', '--by', 'a=b', '--epsilon', '1', '--dataset', 'd', '-o', 'n.csv', ...more],
    ]);
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(words)]);
  });
});
