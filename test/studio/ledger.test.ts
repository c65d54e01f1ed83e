// The ledger of the browser: the rules of the command's, kept between visits, never overdrawn, and never behind what was saved.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { scratch, visits } from '../scratch.js';
import { choose, fileOf, release, saved, studio } from './studio.js';

const { open, chromium, url } = studio();
const own = scratch();

/** What is left of the budget, as the page says it. */
async function left(page: Page): Promise<string> {
  const said = (await page.textContent('[data-result=budget] b'))!;
  return said === 'Nothing' ? '0' : said.replace('ε = ', '');
}

describe('the budget', () => {
  it('is kept between visits, and refuses beyond it', async () => {
    const { page, context } = await open();
    await choose(page, visits, 'visits');
    await page.fill('[data-field=budget]', '2');
    // A second release over a result that is not saved is asked for.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.waitForTimeout(300);
    for (const rest of ['1', '0']) {
      await release(page);
      await page.waitForSelector('[data-result=released]');
      await page.waitForSelector('[data-result=budget]');
      await expect
        .poll(async () => Number(await left(page)), { timeout: 30_000 })
        .toBeCloseTo(Number(rest), 6);
    }
    await page.close({ runBeforeUnload: false });
    const again = await open('', {}, context);
    await choose(again.page, visits, 'visits');
    await again.page.waitForSelector('[data-result=beyond]');
    expect(await again.page.isEnabled('[data-action=release]')).toBe(false);
    // What the budget states cannot be answered otherwise.
    expect(await again.page.isEditable('[data-field=adjacency]')).toBe(false);
  });

  it('is spent once where two tabs race for it', async () => {
    const { page, context } = await open();
    await choose(page, visits, 'visits');
    await page.fill('[data-field=budget]', '1');
    await page.waitForTimeout(300);
    const second = await open('', {}, context);
    await choose(second.page, visits, 'visits');
    await second.page.fill('[data-field=budget]', '1');
    await second.page.waitForTimeout(300);
    await Promise.all([release(page), release(second.page)]);
    const ended = (own: Page) =>
      Promise.race([
        own.waitForSelector('[data-result=released]').then(() => 'released'),
        own.waitForSelector('[data-result=release-error]:not(:empty)').then(() => 'refused'),
      ]);
    expect((await Promise.all([ended(page), ended(second.page)])).sort()).toEqual(['refused', 'released']);
  });

  it('goes out to the command and comes back from it', async () => {
    const { page, context } = await open();
    await choose(page, visits, 'visits');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    await saved(page, '[data-action=save-ledger]', own);
    expect(own.run(['ledger', 'import', 'ledger.jsonl', '--ledger', 'l.db']).code).toBe(0);
    const [name, column] = ['doctor-visits', 'visits'];
    own.json([
      'release',
      visits,
      '--column',
      column,
      '--epsilon',
      '1',
      '--dataset',
      name,
      '-o',
      'r.csv',
      '--ledger',
      'l.db',
    ]);
    own.write('back.jsonl', own.run(['ledger', 'export', '--ledger', 'l.db']).stdout);
    await page.click('summary:has-text("The ledger")');
    await page.setInputFiles('.card:has(#budget-title) [data-field=input]', own.at('back.jsonl'));
    await page.waitForSelector('[data-result=imported]:has-text("taken over")');
    await expect.poll(async () => Number(await left(page)), { timeout: 30_000 }).toBeCloseTo(1, 6);
    // One that was edited is refused, and nothing changes.
    const edited = readFileSync(own.at('back.jsonl'), 'utf8').replace('"epsilon":"3"', '"epsilon":"9"');
    await page.setInputFiles('.card:has(#budget-title) [data-field=input]', fileOf('edited.jsonl', edited));
    await page.waitForSelector('.card:has(#budget-title) .drop .error:has-text("Nothing was taken over")');
    // One that does not go on from here is refused too.
    const other = await open('', {}, await chromium().newContext());
    await choose(other.page, visits, 'visits', '3');
    await release(other.page);
    await other.page.waitForSelector('[data-result=released]');
    await other.page.click('summary:has-text("The ledger")');
    await other.page.setInputFiles('.card:has(#budget-title) [data-field=input]', own.at('back.jsonl'));
    await other.page.waitForSelector('.card:has(#budget-title) .drop .error:has-text("not overwritten")');
    await context.close();
  });

  it('is charged before anything is made: a tab that is killed has spent, and saved nothing', async () => {
    const context = await chromium().newContext({ acceptDownloads: true });
    const { page } = await open('', {}, context);
    const rows = 3_000_000;
    own.write('large.csv', `id,visits\n${'1234567,5\n'.repeat(rows)}`);
    await choose(page, own.at('large.csv'), 'visits');
    let downloads = 0;
    page.on('download', () => downloads++);
    await release(page);
    // In the middle of it: rows are being made.
    await page.waitForSelector('progress[aria-label=releasing][value]');
    await page.close({ runBeforeUnload: false });
    const again = await open('', {}, context);
    await choose(again.page, fileOf('large.csv', 'id,visits\n1,5\n'), 'visits');
    await expect.poll(async () => Number(await left(again.page)), { timeout: 30_000 }).toBeCloseTo(2, 6);
    await again.page.click('summary:has-text("The ledger")');
    await again.page.waitForSelector('td:has-text("counts as spent")');
    expect(downloads).toBe(0);
  });

  it('gives back what an invalid file was charged', async () => {
    const { page } = await open();
    // More kinds of words than the page looks at beforehand.
    const words41 = Array.from(
      { length: 41 },
      (_, i) => `w${'abcdefghij'[Math.floor(i / 10)]}${'abcdefghij'[i % 10]}`,
    );
    await choose(
      page,
      fileOf('a.csv', `id,visits\n0,5\n${words41.map((word, i) => `${i},${word}\n`).join('')}`),
      'visits',
    );
    await page.click('summary:has-text("messy")');
    await page.fill('[data-field=na]', words41.slice(0, 40).join(','));
    await page.waitForSelector('[data-result=unread]', { state: 'detached' });
    await release(page);
    const words = await page.textContent('[data-result=release-error]:not(:empty)');
    expect(words).toMatch(/data row 42: expected a number.*Nothing was released or charged/s);
    // Nothing was released, so the budget can still be another.
    expect(await page.isEditable('[data-field=budget]')).toBe(true);
    expect(await page.isEditable('[data-field=adjacency]')).toBe(true);
    await page.fill('[data-field=adjacency]', '9');
    await page.check('[data-field=skip-invalid]');
    await page.waitForSelector('[data-action=release]:not([disabled])');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    await page.waitForSelector('[data-result=budget]');
    await expect.poll(async () => Number(await left(page)), { timeout: 30_000 }).toBeCloseTo(2, 6);
  });

  it('of a name that reads alike is the same one, with its terms on the screen', async () => {
    const { page } = await open();
    await choose(page, visits, 'visits');
    await page.fill('[data-field=dataset]', 'visits');
    await page.waitForSelector('[data-action=release]:not([disabled]), [data-field=looked]');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    await page.fill('[data-field=dataset]', 'Visits ');
    await page.waitForSelector('[data-result=budget]:has-text("visits")');
    expect(await page.isEditable('[data-field=adjacency]')).toBe(false);
    expect(await page.inputValue('[data-field=adjacency]')).toBe('5');
  });

  it('that somebody else has set stands, before anything is released', async () => {
    const words =
      'ledger init --dataset doctor-visits --epsilon 0.5 --adjacency visits=50 --per-person 10 --ledger officer.db';
    own.json(words.split(' '));
    own.write('officer.jsonl', own.run(['ledger', 'export', '--ledger', 'officer.db']).stdout);
    const { page } = await open();
    await choose(page, visits, 'visits');
    await page.click('summary:has-text("The ledger")');
    await page.setInputFiles('.card:has(#budget-title) [data-field=input]', own.at('officer.jsonl'));
    await page.waitForSelector('[data-result=budget]:has-text("0.5")');
    expect(await page.isEditable('[data-field=adjacency]')).toBe(false);
    expect(await page.inputValue('[data-field=adjacency]')).toBe('50');
    await page.selectOption('[data-field=unit]', 'several');
    expect(await page.inputValue('[data-field=per-person]')).toBe('10');
    await page.waitForSelector('[data-result=beyond]');
  });

  it('is not raised by a tab that comes a moment after a release', async () => {
    for (let i = 0; i < 5; i++) {
      const { page, context } = await open();
      const second = await open('', {}, context);
      for (const [own, budget] of [
        [page, '1'],
        [second.page, '50'],
      ] as const) {
        await choose(own, visits, 'visits');
        await own.fill('[data-field=budget]', budget);
        await own.check('[data-field=looked]');
        await own.waitForSelector('[data-action=release]:not([disabled])');
      }
      await Promise.all([
        page.click('[data-action=release]'),
        second.page.waitForTimeout(3 * i).then(() => second.page.click('[data-action=release]')),
      ]);
      const ended = (own: Page) =>
        own.waitForSelector('[data-result=released], [data-result=release-error]:not(:empty)');
      await Promise.all([ended(page), ended(second.page)]);
      const done = page.locator('[data-result=released]');
      const winner = (await done.count()) > 0 ? page : second.page;
      const lines = readFileSync(await saved(winner, '[data-action=save-ledger]', own), 'utf8')
        .trim()
        .split('\n');
      const kinds = lines
        .map((line) => JSON.parse(line).kind as string)
        .filter((kind) => kind !== 'mechanism');
      expect(kinds.lastIndexOf('budget')).toBeLessThan(kinds.indexOf('release'));
      await context.close();
    }
  });

  it('that was set elsewhere since somebody looked is not spent from', async () => {
    const { page, context } = await open();
    await choose(page, visits, 'visits', '50');
    await page.check('[data-field=looked]');
    await page.waitForSelector('[data-action=release]:not([disabled])');
    const second = await open('', {}, context);
    await choose(second.page, visits, 'visits', '1');
    await release(second.page);
    await second.page.waitForSelector('[data-result=released]');
    await page.click('[data-action=release]');
    expect(await page.textContent('[data-result=release-error]:not(:empty)')).toMatch(
      /changed since you looked/,
    );
  });

  it('says that it is not kept where the browser keeps nothing', async () => {
    const context = await chromium().newContext({ acceptDownloads: true });
    const page = await context.newPage();
    // A page without an origin of its own is refused a database, as in private windows of some browsers.
    await page.route('**/*', async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      const policy = `${headers['content-security-policy']}; sandbox allow-scripts allow-downloads`;
      await route.fulfill({
        response,
        headers: { ...headers, 'content-security-policy': policy, 'access-control-allow-origin': '*' },
      });
    });
    await page.goto(url());
    await choose(page, visits, 'visits');
    expect(await page.textContent('[data-result=unkept]')).toMatch(/The budget is not kept/);
    await page.fill('[data-field=budget]', '1');
    await page.waitForTimeout(300);
    await release(page);
    await page.waitForSelector('[data-result=released]');
    // As long as the page is open it holds all the same, for files of every kind.
    await page.waitForSelector('[data-result=beyond]');
    await saved(page, '[data-action=save-ledger]', own);
    await saved(page, '[data-action=save-data]', own);
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf('doctor-visits.jsonl', '{"visits": 3}\n'));
    await page.waitForSelector('[data-result=file]:has-text("jsonl")');
    await page.waitForSelector('[data-result=beyond]');
    // What was saved is known here, and can be taken over by a page that keeps nothing.
    await page.click('summary:has-text("The ledger")');
    await page.setInputFiles('.card:has(#budget-title) [data-field=input]', own.at('ledger.jsonl'));
    await page.waitForSelector('[data-result=imported]:has-text("taken over")');
    await context.close();
  });
});
