// The studio on a telephone: nothing is cut, and what somebody must know is there when they need it.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { scratch, visits } from '../scratch.js';
import { choose, fileOf, release, studio } from './studio.js';

const { open: opened } = studio();
const own = scratch();
const viewport = { width: 390, height: 800 };
const open = (hash = '') => opened(hash, { viewport });

/** How much wider the page is than its window. */
const over = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Words of pictures that lie outside of them, as they are seen. */
const CUT = `[...document.querySelectorAll('svg')].flatMap((svg) => {
  const { left, right } = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')]
    .filter((text) => text.getClientRects().length > 0)
    .filter((text) => text.getBoundingClientRect().right > right + 0.5 || text.getBoundingClientRect().left < left - 0.5)
    .map((text) => text.textContent);
})`;

/** Cells of a table that lie outside of the window, or that a row of it has no place for. */
const hidden = (page: Page, label: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('section[aria-label="${label}"] :is(td, tbody th)')]
    .filter((cell) => { const { right, width } = cell.getBoundingClientRect(); return width === 0 || right > innerWidth; })
    .map((cell) => cell.textContent)`);

const LONG = 'number_of_hospital_stays_in_the_year_before_and_after';
const rows = Array.from({ length: 200 }, (_, i) => `${i},${i % 61}`).join('\n');
const stays = (name: string) => fileOf(name, `id,${LONG}\n${rows}\n`);
const OPEN_ALL = `document.querySelectorAll('details').forEach((own) => { own.open = true; })`;

describe('at 390 pixels', () => {
  it('Protect is no wider than its window, whatever files and columns are called', async () => {
    const { page } = await open();
    await choose(page, stays('hospital_stays_of_all_patients_in_the_region_2026.csv'), LONG);
    expect(await over(page)).toBe(0);
    await page.fill('[data-field=output]', 'released_hospital_stays_of_all_patients_2026.csv');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    await page.evaluate(OPEN_ALL);
    expect(await over(page)).toBe(0);
    // Its ledger is seen whole, and so is the title of its picture.
    await page.waitForSelector('section[aria-label=Releases] td');
    expect(await page.locator('section[aria-label=Releases] tbody :is(th, td)').count()).toBe(6);
    expect(await hidden(page, 'Releases')).toEqual([]);
    await page.waitForSelector('.narrow svg');
    expect(await page.textContent('.narrow svg title')).toContain(LONG);
    expect(await page.evaluate(CUT)).toEqual([]);
    expect(await hidden(page, 'Some values before and after')).toEqual([]);
  });

  it('Design shows the figures of each noise, with what they are', async () => {
    const { page } = await open('#/design?epsilon=2&adjacency=15');
    await page.waitForSelector('[data-result=value]');
    const label = 'Noise with the same guarantee';
    expect(await page.locator(`section[aria-label="${label}"] td`).count()).toBeGreaterThan(20);
    expect(await hidden(page, label)).toEqual([]);
    const heading = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('section[aria-label="${label}"] td'), '::before').content`,
    );
    expect(heading).toContain('value');
    expect(await page.evaluate(CUT)).toEqual([]);
    expect(await over(page)).toBe(0);
  });

  it('Check shows a ledger whole', async () => {
    own.json('ledger init --dataset visits --epsilon 3 --adjacency visits=5'.split(' '));
    own.json([
      'release',
      visits,
      ...'--column visits --epsilon 1 --dataset visits -o released.csv'.split(' '),
    ]);
    own.run('ledger export -o ledger.jsonl'.split(' '));
    const { page } = await open('#/check');
    await page.setInputFiles('[data-field=input]', own.at('ledger.jsonl'));
    await page.waitForSelector('section[aria-label^="Entries"] td');
    for (const label of ['What', 'Entries'].map((word) => `section[aria-label^="${word}"]`)) {
      const name = (await page.getAttribute(label, 'aria-label'))!;
      expect(await page.locator(`${label} td`).count()).toBeGreaterThan(5);
      expect(await hidden(page, name)).toEqual([]);
    }
    expect(await over(page)).toBe(0);
  });

  it('noise that is large beside all values is warned of, and no other', async () => {
    const { page } = await open();
    await choose(page, stays('stays.csv'), LONG, '87');
    expect(await page.textContent('[data-result=error]')).toMatch(/^± 8\d/);
    expect(await page.textContent('[data-result=drowned]')).toMatch(
      /± 8\d.*between 0 and 60: single values and small groups will tell nothing/s,
    );
    await page.fill('[data-field=adjacency]', '5');
    await page.waitForSelector('[data-result=error]:has-text("± 4.79")');
    await page.waitForSelector('[data-result=drowned]', { state: 'detached' });
  });

  it('cells that are no numbers are told of when the file is opened, and can be said before all else', async () => {
    const { page } = await open();
    await page.setInputFiles(
      '[data-field=input] >> nth=0',
      fileOf('a.csv', 'id,mixed,plain\n1,85+,1\n2,none,2\n3,90,3\n'),
    );
    await page.waitForSelector('[data-result=unread][data-column=mixed]:has-text("85+")');
    expect(await page.textContent('[data-result=unread]')).toMatch(/“none” \(1×\).*must say what these/s);
    expect(await page.locator('[data-result=unread]').count()).toBe(1);
    // Chosen, and nothing else answered.
    await page.check('[data-field=column][data-value=mixed]');
    await page.click('[data-action=counts-as]:has-text("counts as 85")');
    await page.click('[data-action=empty]');
    await page.waitForSelector('[data-result=unread]', { state: 'detached' });
    expect(await page.inputValue('[data-field=adjacency]')).toBe('');
    expect(await over(page)).toBe(0);
  });
});

describe('what a cell counts as', () => {
  const texts = async (cells: readonly string[]) => {
    const { page } = await open();
    const lines = cells.map((cell, i) => `${i},"${cell}"`).join('\n');
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf('a.csv', `id,own\n${lines}\n`));
    await page.check('[data-field=column][data-value=own]');
    await page.waitForSelector('.unread ul');
    return page;
  };
  const proposed = (page: Page) => page.locator('[data-action=counts-as]').allTextContents();

  it('is not proposed where it may be a code, and what it may be is said', async () => {
    const page = await texts(['T29', 'J10', '29A', '12 kg']);
    expect(await proposed(page)).toEqual([]);
    expect(await page.textContent('[data-result=codes]')).toMatch(
      /numbers with a unit.*categories, such as codes, which a release cannot protect yet.*discreet count/s,
    );
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
  });

  it('is proposed where there is one way to read it', async () => {
    const page = await texts(['12 kg', '85+', '1.5 kg', '€ 7', '5 or more']);
    expect(await proposed(page)).toEqual([
      'counts as 12',
      'counts as 85',
      'counts as 1.5',
      'counts as 7',
      'counts as 5',
    ]);
    expect(await page.locator('[data-result=codes]').count()).toBe(0);
  });

  it.each([['3.790 kg'], ['10-14'], ['<5'], ['5 %'], ['1,5 kg'], ['2026-01'], ['1/2'], ['007+']])(
    'is not proposed for %s, which is read in more than one',
    async (cell) => expect(await proposed(await texts([cell, '3']))).toEqual([]),
  );

  it('is a matter of the mark before decimals, where that makes numbers of all cells', async () => {
    const marks = async (...cells: string[]) => {
      const page = await texts(cells);
      expect(await proposed(page)).toEqual([]);
      return page.locator('[data-action=comma], [data-action=point]').allTextContents();
    };
    expect(await marks('3.790,90', '12,50')).toEqual([
      'a comma stands before decimals: “3.790,90” is 3790.90',
    ]);
    expect(await marks('1,234')).toEqual([
      'a point stands before decimals: “1,234” is 1234',
      'a comma stands before decimals: “1,234” is 1.234',
    ]);
    // A plain number that the comma would make none.
    expect(await marks('1,234', '2.5')).toEqual(['a point stands before decimals: “1,234” is 1234']);
    expect(await marks('1,5', '2.5')).toEqual([]);
  });

  it('is told where a mark was chosen that makes a plain number none', async () => {
    const page = await texts(['1,5', '2.5']);
    await page.locator('summary:has-text("My file is messy")').click();
    await page.selectOption('[data-field=decimal]', ',');
    await page.waitForSelector('[data-result=unread] li:has-text("2.5")');
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
  });
});

describe('a later file of the same people', () => {
  it('gets no name and no budget of its own until somebody says that they are others', async () => {
    const { page } = await open();
    await choose(page, stays('hospital_stays.csv'), LONG);
    expect(await page.inputValue('[data-field=dataset]')).toBe('hospital_stays');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    page.on('dialog', (dialog) => dialog.accept());
    await page.setInputFiles('[data-field=input] >> nth=0', stays('hospital_stays_feb.csv'));
    await page.waitForSelector('[data-result=whose]:has-text("published before?")');
    await page.check('[data-field=looked]');
    expect(await page.inputValue('[data-field=dataset]')).toBe('');
    expect(await page.locator('[data-field=budget]').count()).toBe(0);
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
    expect(await page.textContent('[data-action=release] ~ span')).toMatch(/published before/);
    expect(await page.locator('.command').count()).toBe(0);
    expect(await over(page)).toBe(0);
    // The same people: their budget.
    await page.click('[data-action=same-people][data-value=hospital_stays]');
    await page.waitForSelector('[data-result=budget]:has-text("ε = 2 of ε = 3 is left")');
    expect(await page.inputValue('[data-field=dataset]')).toBe('hospital_stays');
    await page.waitForSelector('[data-action=release]:not([disabled])');
  });

  it('can be of others, and a file with other columns is not asked about', async () => {
    const { page } = await open();
    await choose(page, stays('hospital_stays.csv'), LONG);
    await release(page);
    await page.waitForSelector('[data-result=released]');
    page.on('dialog', (dialog) => dialog.accept());
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf('costs.csv', 'id,cost\n1,5\n'));
    await page.check('[data-field=column][data-value=cost]');
    await page.waitForSelector('[data-field=dataset]');
    expect(await page.inputValue('[data-field=dataset]')).toBe('costs');
    expect(await page.locator('[data-result=whose]').count()).toBe(0);
    await page.setInputFiles('[data-field=input] >> nth=0', stays('elsewhere.csv'));
    await page.check(`[data-field=column][data-value=${LONG}]`);
    await page.click('[data-action=other-people]');
    await page.waitForSelector('[data-field=budget]');
    expect(await page.inputValue('[data-field=dataset]')).toBe('elsewhere');
  });
});
