// The report of a count says what was counted: by which columns, of which domain, and what became of other rows.

import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/index.js';
import { scratch } from '../scratch.js';

const { run, read, write } = scratch();
write(
  'v.csv',
  `region,year,n\n${Array.from({ length: 90 }, (_, i) => `${'NSE'[i % 3]},${2019 + (i % 4)},2`).join('\n')}\n`,
);
const count = (name: string, ...more: string[]) => {
  const args = ['count', 'v.csv', '--epsilon', '1', '-o', `${name}.csv`, '--dataset', name];
  expect(run([...args, '--report', `${name}.html`, ...more]).code).toBe(0);
  return {
    page: read(`${name}.html`).replaceAll('\u00a0', ' '),
    report: JSON.parse(read(`${name}.json`)) as Report,
  };
};
const sectionOf = (page: string) => /<h2>What was counted<\/h2>([\s\S]*?)<h2>/.exec(page)![1]!;

describe('what was counted', () => {
  it('names columns, domains and rows that are counted nowhere, on the page and in its figures', () => {
    const by = ['--by', 'region,year', '--domain', 'region=N,S', '--domain', 'year=1900..2024'];
    const { page, report } = count('two', ...by);
    const section = sectionOf(page);
    expect(section).toMatch(/by <b>region<\/b>, <b>year<\/b>: a noisy count for each of 250 cells/);
    expect(section).toContain('<tr><th>region</th><td>2 values: N, S</td></tr>');
    expect(section).toMatch(/125 values: 1900, 1901, .*, 1999 … 2024</);
    expect(section).toContain('Rows with other values, or none, are counted nowhere');
    expect(report.counted).toMatchObject({
      by: [
        { column: 'region', cells: 2, values: ['N', 'S'], other: null },
        { column: 'year', cells: 125, last: '2024' },
      ],
      rowsBy: null,
      othersNowhere: true,
    });
  });

  it('tells the cell of all others, and by which column rows were counted already', () => {
    const by = ['--by', 'region', '--domain', 'region=N,S', '--other', 'elsewhere', '--trim'];
    const { page } = count('others', ...by, '--counted', 'n');
    const section = sectionOf(page);
    expect(section).toContain('3 values: N, S, elsewhere; “elsewhere” stands for all others');
    expect(section).toContain('Rows, each as many times as its “n” says');
    expect(section).toContain('but for spaces around it');
    expect(section).not.toContain('nowhere');
  });

  it('is of cells, and added up by group in the lines for readers', () => {
    const { page } = count('lines', '--by', 'region', '--domain', 'region=N,S,E');
    expect(page).toContain('in 9 of 10 cells');
    expect(page).not.toContain('9 of 10 rows');
    expect(page).toContain('data.groupby(&quot;region&quot;)[&quot;count&quot;].sum()');
    expect(page).toContain('tapply(data[[&quot;count&quot;]], data[[&quot;region&quot;]], sum)');
    expect(page).not.toContain('.mean()');
  });

  it('is not said of a release', () => {
    const args = ['release', 'v.csv', '--column', 'n', '--epsilon', '1', '--adjacency', '1', '-o', 'r.csv'];
    expect(run([...args, '--dataset', 'r', '--report', 'r.html']).code).toBe(0);
    expect(read('r.html')).not.toContain('What was counted');
    expect((JSON.parse(read('r.json')) as Report).counted).toBeNull();
    expect(read('r.html')).toContain('in 9 of 10 rows');
  });
});
