import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    '1000',
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

  it('refuses what cannot be', () => {
    for (const more of [
      ['--records', '0'],
      ['--runs', '0'],
      ['--runs', '1.5'],
      ['--mechanism', 'm.json'],
    ])
      expect([more[0], discreet([...args, ...more]).code]).toEqual([more[0], 2]);
    const absurd = discreet([...args, '--records', '1000000000000']);
    expect(absurd.code).toBe(2);
    expect(absurd.stderr).toMatch(/GB of memory/);
  });
});
