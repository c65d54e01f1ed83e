// The room Protect: from a dropped file to what is saved, and what the command says of it.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { emptyHistogram, gTest, histogramRange } from '../../src/audit/index.js';
import { readMechanism } from '../../src/mechanism/index.js';
import { percentUp } from '../../src/report/index.js';
import { scratch, visits } from '../scratch.js';
import { choose, fileOf, release, saved, studio } from './studio.js';

const { open } = studio();
const own = scratch();
const other = scratch();
const verifier = fileURLToPath(new URL('../../docs/verify.py', import.meta.url));

describe('a newcomer', () => {
  it('lands in Protect, tries the sample, and saves what the command verifies', async () => {
    const { page } = await open();
    await page.waitForSelector('h1:has-text("Protect a file")');
    await page.click('[data-action=sample]');
    await page.waitForSelector('[data-result=guess]');
    expect(await page.textContent('[data-result=guess]')).toBe('71.2 %');
    expect(await page.textContent('[data-result=error]')).toBe('± 4.79');
    // Nothing is released before somebody looked at what leaves as it is.
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
    expect(await page.textContent('[data-result=unchanged]')).toBe('record, health, limitation');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    for (const kind of ['data', 'mechanism', 'report', 'figures', 'ledger'])
      await saved(page, `[data-action=save-${kind}]`, own);
    expect(own.names()).toEqual(
      expect.arrayContaining([
        'ledger.jsonl',
        'released.csv',
        'released.csv.mechanism.json',
        'report.html',
        'report.json',
      ]),
    );
    // The data: all that is not protected as it was, and every row there.
    const [before, after] = [readFileSync(visits, 'utf8'), own.read('released.csv')].map((text) =>
      text.split('\n'),
    );
    expect(after!.length).toBe(before!.length);
    const rest = (line: string) => line.slice(0, line.lastIndexOf(','));
    expect(after!.map(rest)).toEqual(before!.map(rest));
    expect(after!.filter((line, i) => line !== before![i]).length).toBeGreaterThan(15_000);
    // The mechanism, by the command and by another language.
    expect(own.run(['verify', 'released.csv.mechanism.json']).code).toBe(0);
    expect(
      execFileSync('python3', [verifier, own.at('released.csv.mechanism.json')], { encoding: 'utf8' }),
    ).toMatch(/holds/);
    // The ledger, in the command's own format.
    const { stdout: imported, code } = own.run([
      'ledger',
      'import',
      'ledger.jsonl',
      '--ledger',
      'from-page.db',
    ]);
    expect([code, imported]).toEqual([0, expect.stringContaining('3 entries imported')]);
    expect(own.run(['ledger', 'check', '--ledger', 'from-page.db']).code).toBe(0);
    const report = JSON.parse(own.read('report.json'));
    expect(report).toMatchObject({
      rows: 20_190,
      unchanged: ['record', 'health', 'limitation'],
      ledger: {
        dataset: 'doctor-visits',
        entry: 2,
        remaining: { epsilon: expect.stringMatching(/^2(\.0|$)/) },
      },
      mechanisms: ['released.csv.mechanism.json'],
    });
    // What the report says to whoever checks the ledger works.
    const check = (report.verify as string[])
      .at(-1)!
      .split(' ')
      .slice(1)
      .join(' ')
      .replace('checked.db', 'checked-2.db');
    expect(own.run(check.split(' ')).code).toBe(0);
    // And what is recovered from it is what went in.
    const recovered = own.json<{ mean: { estimate: number } }>([
      'recover',
      'released.csv',
      '--column',
      'visits',
    ]);
    expect(recovered.mean.estimate).toBeGreaterThan(2.5);
    expect(recovered.mean.estimate).toBeLessThan(3.2);
  });

  it('is given a command that costs the same', async () => {
    const { page } = await open();
    await choose(page, visits, 'visits');
    await page.fill('[data-field=epsilon]', '0,5');
    await page.waitForSelector('[data-result=guess]:text-is("62.3 %")');
    expect(page.url()).toContain('#/protect?column=visits&adjacency=visits=5&epsilon=0.5');
    // What nobody has said of persons is not said for them.
    expect(await page.inputValue('[data-field=unit]')).toBe('unknown');
    expect(await page.textContent('.command pre')).not.toContain('--per-person');
    const lines = (await page.textContent('.command pre'))!.split('\n');
    expect(lines).toHaveLength(2);
    const words = (line: string) => line.replace('discreet ', '').split(' ');
    expect(other.run([...words(lines[0]!), '--ledger', 'command.db']).code).toBe(0);
    const trial = other.json<{ columns: { bestGuess: number }[]; epsilon: number }>([
      ...words(lines[1]!.replace('doctor-visits.csv', visits)).filter((word) => !/report/.test(word)),
      '--ledger',
      'command.db',
      '--dry-run',
    ]);
    expect(JSON.stringify(trial)).toContain('0.622');
  });
});

describe('the best guess', () => {
  it('is a person’s first, as the command has it, and the single value’s stands below it', async () => {
    const { page } = await open();
    const text = `id,visits\n${Array.from({ length: 60 }, (_, i) => `${i % 20},${i % 7}\n`).join('')}`;
    await choose(page, fileOf('several.csv', text), 'visits');
    expect(await page.locator('[data-result=together]').count()).toBe(0);
    await page.selectOption('[data-field=unit]', 'several');
    await page.fill('[data-field=per-person]', '6');
    await page.waitForSelector('[data-result=together]');
    other.write('several.csv', text);
    const trial = other.json<{ bestGuess: number }>([
      ...['release', 'several.csv', '--column', 'visits', '--epsilon', '1', '--adjacency', '5'],
      ...['--per-person', '6', '--dataset', 'several', '-o', 'x.csv', '--dry-run'],
    ]);
    await page.waitForSelector(`[data-result=together]:text-is("${percentUp(trial.bestGuess)}")`);
    const order = await page.locator('[data-result=together], [data-result=guess]').allTextContents();
    expect(order[0]).toBe(percentUp(trial.bestGuess));
    expect(Number.parseFloat(order[1]!)).toBeLessThan(Number.parseFloat(order[0]!));
  });
});

describe('what is released', () => {
  it('has noise of exactly the law that was certified', async () => {
    const { page } = await open();
    const rows = 400_000;
    await choose(page, fileOf('zeros.csv', `n,visits\n${'1,0\n'.repeat(rows)}`), 'visits');
    await release(page);
    await page.waitForSelector('[data-result=released]', { timeout: 60_000 });
    await saved(page, '[data-action=save-mechanism]', own);
    const { pmf } = readMechanism(readFileSync(await savedAs(page, 'mechanism'), 'utf8'));
    const text = readFileSync(await savedAs(page, 'data'), 'utf8');
    const range = histogramRange(pmf);
    const tested = (scale: number) => {
      const histogram = emptyHistogram(range);
      for (const line of text.split('\n').slice(1)) {
        if (line === '') continue;
        histogram.counts[Math.round(Number(line.slice(2)) * scale) - range.from]!++;
      }
      return gTest(pmf, histogram).pValue;
    };
    expect(tested(1)).toBeGreaterThan(1e-6);
    // One that is off by a few of a hundred would be seen.
    expect(tested(1.1)).toBeLessThan(1e-6);
  });

  const savedAs = (page: Awaited<ReturnType<typeof open>>['page'], kind: string) =>
    saved(page, `[data-action=save-${kind}]`, own);

  it('is JSON lines and TSV as they came, but for the protected values', async () => {
    const { page } = await open();
    await choose(
      page,
      fileOf('a.jsonl', '{"id": 1, "visits": 3, "note": "ü"}\n{"id": 2, "visits": null}\n'),
      'visits',
    );
    await release(page);
    await page.waitForSelector('[data-result=released]');
    expect(readFileSync(await savedAs(page, 'data'), 'utf8')).toMatch(
      /^\{"id": 1, "visits": -?\d+, "note": "ü"\}\n\{"id": 2, "visits": null\}\n$/,
    );
    await choose(page, fileOf('a.tsv', 'id\tvisits\na,b\t3\n'), 'visits');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    expect(readFileSync(await savedAs(page, 'data'), 'utf8')).toMatch(/^id\tvisits\na,b\t-?\d+\n$/);
  });
});
