// The paper as a table, from its first line to its last: all of it is there, the verdicts are those that are computed, and every
// command exists; those that need no file run.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { claims, sections, theoremThreeClaims } from '../../src/paper/index.js';
import { scratch } from '../scratch.js';

const { run } = scratch();
const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
const whole = read('docs/paper-and-truth.md');
const rows = whole
  .slice(whole.indexOf('## From the first line'), whole.indexOf('## What to use'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| where'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
const commands = [...new Set(rows.map(([, , , command]) => command!.replaceAll('`', '')))].filter(Boolean);
const wordsOf = (command: string) => command.split(' ').slice(1);

describe('the paper as a table', () => {
  it('has every definition, theorem, table, figure and appendix', () => {
    const places = rows.map(([where]) => where).join('\n');
    const numbered = (what: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${what} ${i + 1}`);
    const named = (what: string, all: string) => [...all].map((one) => `${what} ${one}`);
    for (const place of [
      ...numbered('Definition', 3),
      ...numbered('Theorem', 4),
      ...numbered('Figure', 10),
      ...['Table I', 'Table II', 'Table III', 'Table IV', 'Table V'],
      ...['P₀', 'P₁', 'P₂', 'Remark on Theorem 1', 'Remark on Theorem 3', 'Remark on exponential noise'],
      ...named('Appendix', 'ABCD'),
    ])
      expect(places).toMatch(new RegExp(`^${place}\\b|^${place}$`, 'm'));
    for (const row of rows) expect([row, row.length]).toEqual([row, 4]);
  });

  it('has each claim with the verdict that is computed', () => {
    const { sections: reported } = JSON.parse(read('docs/report/report.json')) as {
      sections: { id: string; tables: Record<string, { rows: string[][] }> }[];
    };
    const runs = reported.find(({ id }) => id === 'fig10')!.tables['fig10-claims']!.rows;
    const computed = [
      ...[...claims(), ...theoremThreeClaims()].map(({ claim, verdict }) => [claim, verdict]),
      ...runs.map(([claim, verdict]) => [claim!, verdict!]),
    ];
    for (const [claim, verdict] of computed)
      expect([claim, rows.find(([, what]) => what === claim)?.[2]]).toEqual([claim, verdict]);
  });

  it('has the verdicts on Table V that are computed', async () => {
    const context = { inputs: [], seed: '1', simulate: async () => new Float64Array() };
    const { header, rows: judged } = (await sections.table5!(context)).tables[0]!;
    const [source, verdict] = [header.indexOf('source'), header.indexOf('verdict')];
    for (const family of ['gaussian', 'laplace', 'staircase', 'uniform', 'exponential']) {
      const own = judged.filter((row) => String(row[0]).startsWith(family) && row[source] === 'Table V');
      const verdicts = [...new Set(own.map((row) => String(row[verdict])))].sort().join(', ');
      expect([family, rows.find(([where]) => where === `Table V: ${family}`)![2]]).toEqual([
        family,
        verdicts,
      ]);
    }
  });
});

describe('its commands', () => {
  const reproduced = commands.filter((command) => command.includes(' reproduce '));
  const onFiles = commands.filter((command) => /\.(?:csv|json)\b/.test(command));
  const quick = commands.filter((command) => !reproduced.includes(command) && !onFiles.includes(command));

  it('name sections that are there, and each that is of the paper', () => {
    const named = reproduced.flatMap((command) => /--only (\S+)/.exec(command)![1]!.split(','));
    expect(named.filter((name) => !Object.hasOwn(sections, name))).toEqual([]);
    // Beyond the paper.
    const further = Object.keys(sections).filter((name) => !named.includes(name));
    expect(further).toEqual(['delta']);
  });

  it('that need files are there, with their options', () => {
    const known = Object.keys(COMMANDS).map((usage) => usage.split(' ')[0]!);
    expect(onFiles.length).toBeGreaterThan(3);
    for (const command of onFiles) {
      const [name, ...words] = wordsOf(command);
      expect(known).toContain(name);
      const help = run([name!, '--help']).stdout;
      for (const word of words.filter((one) => /^--?[a-z]/.test(one)))
        expect(help).toMatch(new RegExp(`(?:^|[ ,])${word}\\b`, 'm'));
    }
  });

  it.each(quick)('run: %s', (command) => {
    const { code, stderr } = run(wordsOf(command));
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  });
});
