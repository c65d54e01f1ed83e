import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cells, instead } from '../scratch.js';
import { discreet, discreetJson } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'discreet-reproduce-'));

describe('discreet reproduce', () => {
  it('writes a page, pictures, tables and JSON, the same each time', () => {
    const [first, second] = [join(folder, 'a'), join(folder, 'b')];
    for (const out of [first, second])
      expect(discreet(['reproduce', '--only', 'fig1,fig6,fig7', '-o', out]).code).toBe(0);
    const files = readdirSync(first);
    expect(files).toEqual(
      expect.arrayContaining([
        'report.html',
        'report.json',
        'fig6.svg',
        'fig7-gaussian.csv',
        'fig7-values.csv',
      ]),
    );
    for (const file of files)
      expect(readFileSync(join(first, file), 'utf8')).toBe(readFileSync(join(second, file), 'utf8'));
    const { sections } = JSON.parse(readFileSync(join(first, 'report.json'), 'utf8')) as {
      sections: { id: string; tables: Record<string, { rows: unknown[][] }> }[];
    };
    const values = sections.find(({ id }) => id === 'fig7')!.tables['fig7-values']!.rows;
    expect(values[0]![1]).toBeCloseTo(2.7983, 5);
    expect(values[1]![1]).toBeCloseTo(4.98544, 5);
    const html = readFileSync(join(first, 'report.html'), 'utf8');
    expect(html).toContain('<svg');
    expect(html).not.toMatch(/NaN|undefined<|src="http|href="http/);
    for (const file of files.filter((name) => name.endsWith('.svg')))
      expect(readFileSync(join(first, file), 'utf8')).not.toMatch(/NaN/);
  });

  it('writes each table and figure as LaTeX, in letters that every LaTeX reads', () => {
    const out = join(folder, 'latex');
    expect(discreet(['reproduce', '--only', 'fig7,table5,claims', '--latex', '-o', out]).code).toBe(0);
    const tex = (name: string) => readFileSync(join(out, `${name}.tex`), 'utf8');
    const names = readdirSync(out).filter((name) => name.endsWith('.csv'));
    for (const name of names) {
      const text = tex(name.replace('.csv', ''));
      expect([name, text.match(/[^\n -~]/g)]).toEqual([name, null]);
      const opened = [...text.matchAll(/\\(begin|end)\{(\w+)\}/g)].map(([, what, kind]) => `${what} ${kind}`);
      expect(opened).toEqual(
        text.includes('tikzpicture')
          ? ['begin tikzpicture', 'begin axis', 'end axis', 'end tikzpicture']
          : ['begin tabular', 'end tabular'],
      );
    }
    // As many cells as columns, and the numbers of the CSV.
    const rows = tex('table5')
      .split('\n')
      .filter((line) => line.endsWith('\\\\'));
    expect(rows.length).toBe(24);
    for (const row of rows) expect(row.split(/(?<!\\)&/).length).toBe(10);
    expect(rows[0]).toContain('\\ensuremath{3.483\\cdot10^{-7}}');
    const points = cells(readFileSync(join(out, 'fig7-gaussian.csv'), 'utf8')).slice(1);
    const drawn = tex('fig7-gaussian')
      .split('\n')
      .filter((line) => /^-?\d+ /.test(line));
    expect(drawn).toEqual(points.map(([, x, y]) => `${x} ${y}`));
  });

  it('judges the claims on Figure 10 by runs, of the seed that is given', () => {
    const out = join(folder, 'seed');
    expect(discreet(['reproduce', '--only', 'fig10', '--seed', '2', '-o', out]).code).toBe(0);
    const read = (name: string) => readFileSync(join(out, name), 'utf8');
    expect(read('report.html')).toContain('Seed 2.');
    const claims = read('fig10-claims.csv');
    expect(claims).toMatch(/similar to the Staircase mechanism \(a = 5\),holds,/);
    expect(claims).toMatch(
      /low privacy regime the optimum is close to the Laplacian mechanism,does not hold,/,
    );
    expect(claims).toMatch(/in the vast majority of cases,holds in part,/);
    const shares = cells(read('fig10-shares.csv'));
    const verdict = (epsilon: string) =>
      shares.filter(([, e, m]) => e === epsilon && m === '15').map((row) => row.at(-1));
    expect(verdict('0.5')).toEqual(['does not hold', 'does not hold']);
    expect(verdict('6')).toEqual(['holds', 'holds']);
    // Each mean of the runs is its expectation within the error of the runs, for the paper's four mechanisms.
    const all = cells(read('fig10-table.csv')).slice(1);
    expect(new Set(all.map((row) => row[3])).size).toBe(4);
    for (const row of all) expect(Math.abs(Number(row[7]) - Number(row[9]))).toBeLessThan(5 * Number(row[8]));
  });

  it('refuses unknown figures, files and full folders', () => {
    const unknown = discreet(['reproduce', '--only', 'fig77', '-o', join(folder, 'c')]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/known are fig1, fig2/);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(discreet(['reproduce', '--only', 'fig1', '-o', file]).code).toBe(2);
    expect(discreet(['reproduce', '--only', 'fig1', '-o', join(folder, 'a')]).code).toBe(2);
    expect(discreet(['reproduce', '--only', 'fig1', '-o', join(file, 'below')]).code).toBe(2);
  });
});

describe('discreet simulate', () => {
  const args = [
    'simulate',
    '--noise',
    'laplace:scale=2.5',
    '--prior',
    'poisson:rate=5',
    '--records',
    '500',
    '--runs',
    '5000',
    '--seed',
    'x',
  ];

  it('gives the same on one core and on several, and says how fast', () => {
    const one = discreet([...args, '--workers', '1', '--json']);
    expect(one.code).toBe(0);
    expect(discreet([...args, '--workers', '3', '--json']).stdout).toBe(one.stdout);
    expect(one.stderr).toMatch(/runs\/s/);
    const report = discreetJson<{
      mean: number;
      standardError: number;
      expectation: number;
      population: number;
    }>(args);
    expect(Math.abs(report.mean - report.expectation)).toBeLessThan(5 * report.standardError);
    expect(report.expectation).toBeGreaterThan(report.population);
  });

  it('holds the input: a column as it is, or records drawn once', () => {
    const rest = ['--noise', 'laplace:scale=2.5', '--runs', '200'];
    const column = ['--input', 'column:examples/doctor-visits.csv#visits', '--prior-is-public'];
    const visits = discreetJson<Record<string, number>>(['simulate', ...rest, ...column]);
    expect(visits).toMatchObject({ prior: null, records: 20_190 });
    expect(Math.abs(visits.mean! - visits.expectation!)).toBeLessThan(5 * visits.standardError!);
    const drawn = (seed: string) =>
      discreetJson<{ population: number }>([
        ...['simulate', '--input', 'poisson:rate=5', '--seed', seed, ...rest],
      ]).population;
    // W of the records that were drawn: theirs, not the distribution's.
    expect(drawn('a')).toBe(drawn('a'));
    expect(drawn('a')).not.toBe(drawn('b'));
  });

  it('refuses what cannot be', () => {
    for (const [more, why] of [
      [['--input', 'poisson:rate=5'], /--prior: expected a distribution to draw from, or an --input/],
      [['--records', '0'], /--records: expected a whole number/],
      [['--runs', '0'], /--runs: expected a whole number/],
      [['--runs', '1.5'], /--runs: expected a whole number/],
      [['--mechanism', 'm.json'], /--mechanism/],
      [['--records', '1000000000000'], /GB of memory/],
    ] as const)
      expect([more[0], discreet(instead(args, more))]).toEqual([
        more[0],
        expect.objectContaining({ code: 2, stderr: expect.stringMatching(why) }),
      ]);
    const column = ['simulate', '--noise', 'laplace:scale=2', '--input', 'column:a.csv#b', '--records', '5'];
    expect(discreet(column).stderr).toMatch(/--records: a column is taken as it is/);
    const wide = ['--noise', 'laplace:scale=20000', '--input', 'gaussian:sigma=20000', '--records', '9000'];
    expect(discreet(['simulate', ...wide]).stderr).toMatch(/\d+ values under noise.*use a larger --step/s);
  });
});
