// What is released is what was looked at: whatever is changed, opened or clicked in between.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMAND } from '../../src/report/index.js';
import { scratch, visits } from '../scratch.js';
import { choose, fileOf, release, saved, studio } from './studio.js';

const { open } = studio();
const own = scratch();

const people = (rows: number, first = 0) =>
  Array.from({ length: rows }, (_, i) => `p${first + i},${i % 9},${30 + (i % 40)}`).join('\n');

describe('answers that change', () => {
  it('and change back are answered as they stand', async () => {
    const { page } = await open();
    await choose(page, fileOf('a.csv', `id,visits,age\n${people(40)}\n`), 'visits');
    await page.waitForSelector('[data-result=unchanged]:text-is("id, age")');
    for (const wait of [20, 60, 120, 250]) {
      await page.check('[data-field=column][data-value=age]');
      await page.fill('[data-field=adjacency][data-column=age]', '5');
      await page.waitForTimeout(wait);
      await page.uncheck('[data-field=column][data-value=age]');
      await page.waitForTimeout(600);
      expect(await page.textContent('[data-result=unchanged]')).toBe('id, age');
    }
    for (const wait of [5, 20, 60]) {
      await page.fill('[data-field=epsilon]', '0.1');
      await page.waitForTimeout(wait);
      await page.fill('[data-field=epsilon]', '1');
      await page.waitForSelector('[data-result=guess]:text-is("71.2 %")');
      await page.waitForTimeout(300);
      expect(await page.textContent('[data-result=guess]')).toBe('71.2 %');
    }
  });

  it('are not released by a click that comes before they are worked out', async () => {
    const { page } = await open();
    await choose(page, visits, 'visits');
    await page.check('[data-field=looked]');
    await page.waitForSelector('[data-action=release]:not([disabled])');
    await page.evaluate(`(() => {
      const field = document.querySelector('[data-field=epsilon]');
      field.value = '2';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      setTimeout(() => document.querySelector('[data-action=release]').click(), 0);
    })()`);
    await page.waitForTimeout(1500);
    expect(await page.locator('[data-result=released]').count()).toBe(0);
  });

  it('of a column that is protected for the first time are refused once it has left', async () => {
    const { page } = await open();
    await choose(page, fileOf('a.csv', `id,visits,age\n${people(40)}\n`), 'visits');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    await page.check('[data-field=column][data-value=age]');
    await page.waitForSelector('fieldset .error:has-text("is not protected by the budget")');
  });

  it('long in being worked out give way to newer ones', async () => {
    const { page } = await open();
    await choose(page, visits, 'visits');
    await page.fill('[data-field=adjacency]', '1000000');
    await page.waitForTimeout(1500);
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
    await page.fill('[data-field=adjacency]', '5');
    await page.waitForSelector('[data-result=guess]:text-is("71.2 %")');
    await release(page);
    await page.waitForSelector('[data-result=released]:has-text("20,190 rows")');
  });
});

describe('files that change', () => {
  it('are the last one that was opened, in the page and in what is released', async () => {
    const { page } = await open();
    own.write('A.csv', `id,visits,age\n${people(600_000)}\n`);
    await page.setInputFiles('[data-field=input] >> nth=0', own.at('A.csv'));
    await page.waitForTimeout(150);
    await page.click('nav a[href^="#/design"]');
    await page.waitForTimeout(100);
    await page.click('nav a[href^="#/protect"]');
    await page.setInputFiles(
      '[data-field=input] >> nth=0',
      fileOf('B.csv', `id,visits,age\n${people(20, 5_000_000)}\n`),
    );
    await page.waitForSelector('[data-result=file]:has-text("B.csv")');
    await page.waitForTimeout(2500);
    expect(await page.textContent('[data-result=file]')).toContain('20 rows');
    await page.check('[data-field=column][data-value=visits]');
    await page.fill('[data-field=adjacency]', '5');
    await page.waitForSelector('[data-result=guess]');
    await release(page);
    await page.waitForSelector('[data-result=released]:has-text("20 rows")');
    expect(readFileSync(await saved(page, '[data-action=save-data]', own), 'utf8')).toContain('p5000000,');
  });

  it('of another kind are previewed by the worker that has them', async () => {
    const { page } = await open();
    await choose(page, fileOf('visits.csv', 'id,visits\n1,2\n2,3\n'), 'visits');
    await page.fill('[data-field=adjacency]', '200000');
    await page.waitForTimeout(700);
    await page.setInputFiles(
      '[data-field=input] >> nth=0',
      fileOf('visits.jsonl', '{"id": 1, "visits": 2, "status": "pos"}\n'),
    );
    await page.waitForSelector('[data-result=file]:has-text("jsonl")');
    await page.fill('[data-field=adjacency]', '5');
    await page.waitForSelector('[data-result=unchanged]:text-is("id, status")');
  });

  it('stay with what was paid for, while somebody looks at another room', async () => {
    const { page } = await open();
    await choose(page, visits, 'visits');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    await page.click('nav a[href^="#/design"]');
    await page.waitForSelector('[data-result=value]');
    await page.click('nav a[href^="#/protect"]');
    await page.waitForSelector('[data-result=released]');
    expect(page.url()).toContain('column=visits');
    // Another file is not opened over it without a question.
    let asked = '';
    page.once('dialog', (dialog) => {
      asked = dialog.message();
      void dialog.dismiss();
    });
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf('b.csv', 'visits\n1\n'));
    expect(asked).toMatch(/not saved/);
    await saved(page, '[data-action=save-data]', own);
  });
});

describe('the encoding', () => {
  it('is not changed over a result that is paid for and not saved, without a question', async () => {
    const { page } = await open();
    const bytes = Uint8Array.from([...Buffer.from('ort,visits\nM'), 0xfc, ...Buffer.from('nchen,3\n')]);
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf('a.csv', bytes));
    await page.selectOption('[data-field=encoding]', 'latin1');
    await page.check('[data-field=column][data-value=visits]');
    await page.fill('[data-field=adjacency]', '5');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    let asked = '';
    page.once('dialog', (dialog) => {
      asked = dialog.message();
      void dialog.dismiss();
    });
    await page.selectOption('[data-field=encoding]', 'windows-1250');
    expect(asked).toMatch(/not saved/);
    expect(await page.locator('[data-result=released]').count()).toBe(1);
    await saved(page, '[data-action=save-data]', own);
  });
});

describe('columns that are left out', () => {
  it.each([
    [
      'a.csv',
      '\ufeff"na,me",visits,age\r\n"Ann ""A""",1,30\r\nBob,,40\r\n',
      /^\ufeffvisits\r\n-?\d+\r\n""\r\n$/,
      /^visits\n-?\d+\n""\n$/,
    ],
    [
      'a.jsonl',
      '{"na,me": "Ann", "visits": 1, "age": [3]}\n',
      /^\{"visits":-?\d+\}\n$/,
      /^\{"visits":-?\d+\}\n$/,
    ],
  ])('do not leave: %s', async (name, text, result, likewise) => {
    const { page } = await open();
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf(name, text));
    await page.check('[data-field=column][data-value=visits]');
    await page.fill('[data-field=adjacency]', '5');
    for (const column of ['na,me', 'age']) await page.check(`[data-field=drop][data-value="${column}"]`);
    await page.waitForSelector('[data-result=unchanged]:text-is("none")');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    expect(readFileSync(await saved(page, '[data-action=save-data]', own), 'utf8')).toMatch(result);
    // The command does the same.
    const line = (await page.textContent('.command pre'))!.split('\n').at(-1)!;
    const here = scratch();
    here.write(name, text);
    const words = line
      .replace(`${COMMAND} `, '')
      .match(/'[^']*'|\S+/g)!
      .map((word) => word.replaceAll("'", ''));
    const told = here.json<{ dropped: string[]; unchanged: string[] }>([...words, '--adjacency', '5']);
    expect([told.dropped, told.unchanged]).toEqual([['na,me', 'age'], []]);
    expect(here.read(`released${name.slice(1)}`)).toMatch(likewise);
  });
});
