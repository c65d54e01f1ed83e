// The rooms as a person meets them: by keyboard and by ear, at every width, with what is typed wrong told beside its field.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { scratch, visits } from '../scratch.js';
import { choose, fileOf, saved, studio } from './studio.js';

const { open } = studio();
const own = scratch();
beforeAll(() => {
  own.json('design --epsilon 3 --adjacency 15 --prior poisson:rate=5 -o mechanism.json'.split(' '));
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in the page as it is. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
}

/** The words beside a field that say what is wrong with it. */
async function errorBeside(page: Page, field: string): Promise<string> {
  const found = page.locator(
    `.field:has([data-field="${field}"]) .error:not(:empty), fieldset:has([data-field="${field}"]) .error:not(:empty)`,
  );
  return (await found.first().textContent())!;
}

describe('Design', () => {
  it('proves the optimum of the command, and gives it as a file', async () => {
    const { page } = await open('#/design?epsilon=3&adjacency=15&prior=poisson:rate=5');
    await page.waitForSelector('[data-result=value]');
    const command = own.json<{ value: number; lowerBound: number }>(
      'design --epsilon 3 --adjacency 15 --prior poisson:rate=5'.split(' '),
    );
    expect(Number(await page.textContent('[data-result=value]'))).toBeCloseTo(command.value, 3);
    expect(await page.textContent('[data-result=gap] >> xpath=..')).toMatch(/optimal/);
    expect(await page.textContent('.command pre')).toBe(
      'discreet design --epsilon 3 --adjacency 15 --prior poisson:rate=5 -o mechanism.json',
    );
    const file = await saved(page, '[data-action=download-mechanism]', own);
    expect(own.run(['verify', file]).code).toBe(0);
  });

  it('is live while a slider moves, and ends with what was asked last', async () => {
    const { page } = await open('#/design?epsilon=2&adjacency=15');
    await page.waitForSelector('[data-result=value]');
    const slider = page.locator('.slider:has([data-field=epsilon]) input[type=range]');
    await slider.focus();
    for (let i = 0; i < 25; i++) await page.keyboard.press('ArrowRight');
    const epsilon = await page.inputValue('[data-field=epsilon]');
    expect(Number(epsilon)).toBeGreaterThan(2.5);
    expect(page.url()).toContain(`epsilon=${epsilon}`);
    await page.waitForSelector(`[data-result=certified]:has-text("ε ≤ ${epsilon}")`);
    const command = own.json<{ value: number }>([
      'design',
      '--epsilon',
      epsilon,
      '--adjacency',
      '15',
      '--prior',
      'poisson:rate=5',
    ]);
    await page.waitForSelector('[aria-busy=false]');
    expect(Number(await page.textContent('[data-result=value]'))).toBeCloseTo(command.value, 3);
  });

  it('takes numbers that are pasted, and a column of a public file', async () => {
    const { page } = await open('#/design?epsilon=2&adjacency=5');
    await page.selectOption('[data-field=prior-kind]', 'pasted');
    await page.fill('[data-field=values]', '1 2 2 3\n3 3 40');
    await page.waitForSelector('.command pre:has-text("column:numbers.csv#value")');
    await page.selectOption('[data-field=prior-kind]', 'file');
    await page.setInputFiles('.panel [data-field=input]', fileOf('public.csv', 'a,n\n1,5\n2,6\n'));
    await page.selectOption('[data-field=prior-column]', 'n');
    await page.waitForSelector('.command pre:has-text("column:public.csv#n")');
  });

  it.each([
    ['epsilon', '#/design?epsilon=-1', /expected/],
    ['adjacency', '#/design?adjacency=1.5', /expected/],
    ['prior', '#/design?prior=poison:rate=5', /poisson/],
    ['delta', '#/design?delta=2', /expected/],
  ])('tells what is wrong with %s beside it', async (field, hash, words) => {
    const { page } = await open(hash);
    expect(await errorBeside(page, field)).toMatch(words);
  });
});

describe('bad files', () => {
  it.each<[string, string | Uint8Array, string, RegExp]>([
    ['no header', '1,2,3\n4,5,6\n', 'a.csv', /no header.*add a first line/s],
    ['nothing', '', 'a.csv', /the file is empty/],
    ['a spreadsheet', 'PK', 'a.xlsx', /save the sheet as CSV/],
    ['another kind', 'x', 'a.doc', /expected a file that ends in/],
    ['packed', 'x', 'a.csv.gz', /unpack it first/],
    ['an open quote', 'a,b\n"x,1\n', 'a.csv', /a quote is not closed/],
  ])('%s: told beside the file', async (_, content, name, words) => {
    const { page } = await open();
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf(name, content));
    expect(await page.textContent('.drop .error:not(:empty)')).toMatch(words);
  });

  it('Latin-1: asked for the encoding, and read by it', async () => {
    const { page } = await open();
    const bytes = Uint8Array.from([...Buffer.from('ort,visits\nM'), 0xfc, ...Buffer.from('nchen,3\n')]);
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf('a.csv', bytes));
    expect(await errorBeside(page, 'encoding')).toMatch(/not UTF-8/);
    await page.selectOption('[data-field=encoding]', 'latin1');
    await page.waitForSelector('[data-result=file]:has-text("1 rows")');
    await page.check('[data-field=column][data-value=visits]');
    await page.fill('[data-field=adjacency]', '1');
    await page.check('[data-field=looked]');
    await page.click('[data-action=release]');
    await page.waitForSelector('[data-result=released]');
    expect(readFileSync(await saved(page, '[data-action=save-data]', own), 'utf8')).toMatch(
      /^ort,visits\nMünchen,-?\d+\n$/,
    );
  });

  it('a column of names, mixed types and odd numbers: told beside the columns', async () => {
    const { page } = await open();
    await page.setInputFiles(
      '[data-field=input] >> nth=0',
      fileOf('a.csv', 'name,mixed,odd\nAnn,1,85+\nBob,none,90\n'),
    );
    await page.check('[data-field=column][data-value=name]');
    expect(await errorBeside(page, 'column')).toMatch(/“name” holds words.*choose a column of numbers/s);
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
    await page.uncheck('[data-field=column][data-value=name]');
    await page.check('[data-field=column][data-value=mixed]');
    await page.fill('[data-field=adjacency]', '5');
    await page.waitForSelector('[data-result=unread]:has-text("none")');
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
    await page.click('[data-action=empty]');
    await page.waitForSelector('[data-result=unread][data-column=mixed]', { state: 'detached' });
    await page.uncheck('[data-field=column][data-value=mixed]');
    await page.check('[data-field=column][data-value=odd]');
    await page.fill('[data-field=adjacency]', '5');
    await page.waitForSelector('[data-result=unread]:has-text("85+")');
    await page.click('[data-action=counts-as]');
    await page.waitForSelector('[data-result=unread]', { state: 'detached' });
    expect(page.url()).toContain('map=85%2B=85');
    await page.check('[data-field=looked]');
    await page.click('[data-action=release]');
    await page.waitForSelector('[data-result=released]');
  });

  it('decimal commas alone: read once it is said', async () => {
    const { page } = await open();
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf('a.csv', 'id;cost\n1;1,5\n2;12,00\n'));
    await page.check('[data-field=column][data-value=cost]');
    await page.fill('[data-field=adjacency]', '5');
    await page.click('[data-action=comma]');
    await page.check('[data-field=looked]');
    await page.waitForSelector('[data-action=release]:not([disabled])');
  });

  it('names that objects have by themselves are names like any other', async () => {
    const { page } = await open();
    await choose(page, fileOf('a.csv', 'constructor,__proto__,toString\n1,2,3\n4,5,6\n'), 'constructor');
    await page.check('[data-field=column][data-value=__proto__]');
    await page.fill('[data-field=adjacency][data-column=__proto__]', '5');
    await page.waitForSelector('[data-result=guess][data-column=__proto__]');
    for (const hash of ['#/protect?__proto__=1&constructor=2', '#/toString', '#/__proto__']) {
      const other = await open(hash);
      await other.page.waitForSelector('h1:has-text("Protect a file")');
    }
  });

  it('a column that tells persons apart must be named', async () => {
    const { page } = await open();
    await choose(page, fileOf('a.csv', 'id,visits\n7,1\n7,2\n'), 'visits');
    await page.selectOption('[data-field=unit]', 'column');
    expect(await errorBeside(page, 'person')).toMatch(/choose the column/);
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
  });

  it('persons with more rows than are allowed: told beside the number', async () => {
    const { page } = await open();
    await choose(page, fileOf('a.csv', 'id,visits\n7,1\n07,2\n8,3\n'), 'visits');
    await page.selectOption('[data-field=unit]', 'column');
    await page.selectOption('[data-field=person]', 'id');
    expect(await errorBeside(page, 'per-person')).toMatch(/somebody has 2 rows/);
    await page.fill('[data-field=per-person]', '2');
    await page.waitForSelector('.field:has([data-field=per-person]) .error:empty', { state: 'attached' });
  });
});

const STATES: readonly (readonly [name: string, hash: string, prepare: (page: Page) => Promise<unknown>])[] =
  [
    ['Protect, empty', '', (page) => page.waitForSelector('h1')],
    [
      'Protect',
      '',
      async (page) => {
        await choose(page, visits, 'visits');
        await page.check('[data-field=looked]');
        await page.click('[data-action=release]');
        await page.waitForSelector('[data-result=released]');
        // All that is folded is part of it.
        await page.evaluate(`document.querySelectorAll('details').forEach((own) => { own.open = true; })`);
      },
    ],
    ['Design', '#/design', (page) => page.waitForSelector('[data-result=value]')],
    [
      'Explore',
      '#/explore',
      async (page) => {
        await page.waitForSelector('[data-result=verdict]');
        await page.waitForSelector('[data-result=total-upper]');
        await page.waitForSelector('[data-result=total-epsilon]');
      },
    ],
    [
      'Check',
      '#/check',
      async (page) => {
        await page.setInputFiles('[data-field=input]', own.at('mechanism.json'));
        await page.waitForSelector('[data-result=verdict]');
      },
    ],
  ];

describe.each(STATES)('%s', (_, hash, prepare) => {
  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds, and fits 360 pixels, %s',
    async (colorScheme) => {
      const { page } = await open(hash, { colorScheme, viewport: { width: 360, height: 740 } });
      await prepare(page);
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 900 });
      expect(await findings(page)).toEqual([]);
    },
  );
});
