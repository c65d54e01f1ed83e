// Every page that is written, in a real browser: light and dark, on a telephone and on a desk.

import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browser } from '../../scripts/chromium.mjs';
import { scratch } from '../scratch.js';

const { at, json, write } = scratch();
const example = fileURLToPath(new URL('../../examples/doctor-visits.csv', import.meta.url));
const reproduced = fileURLToPath(new URL('../../docs/report/report.html', import.meta.url));
let chromium: Browser;

beforeAll(async () => {
  const weeks = Array.from({ length: 12 }, (_, i) => `2024-W${i + 1}-with-a-name-that-goes-on`);
  const rows = Array(30).fill(weeks.map((_, i) => i).join(','));
  write('weeks.csv', `${[weeks.join(','), ...rows].join('\n')}\n`);
  const begin = 'ledger init --epsilon 30 --dataset';
  json(`${begin} visits --adjacency visits=5`.split(' '));
  json([...`${begin} weeks`.split(' '), ...weeks.flatMap((name) => ['--adjacency', `${name}=1`])]);
  const release = (input: string, more: string) =>
    json(['release', input, '--epsilon', '1', ...more.split(' ')]);
  release(
    example,
    '--dataset visits --column visits --prior poisson:rate=3 -o released.csv --report plain.html',
  );
  release(example, '--dataset visits --column visits --clamp 0,80 -o clamped.csv --report clamped.html');
  release(
    'weeks.csv',
    `--dataset weeks ${weeks.map((name) => `--column ${name}`).join(' ')} -o w.csv --report weeks.html`,
  );
  const domain = '--by health --domain health=excellent,good,fair,poor';
  json(
    `count ${example} ${domain} --epsilon 1 --dataset visits -o counts.csv --report counted.html`.split(' '),
  );
  chromium = await browser();
}, 300_000);

afterAll(() => chromium?.close());

interface Seen {
  /** How much wider the page is than its window. */
  readonly over: number;
  readonly smallest: { readonly size: number; readonly words: string };
  readonly backgroundColor: string;
  readonly color: string;
  readonly height: number;
}

/** In the page: what is wider than it, and the smallest text, as they are seen. */
const LOOK = `(() => {
  const smallest = { size: Infinity, words: '' };
  for (const element of document.querySelectorAll('body *')) {
    const words = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join('');
    if (words === '' || element.getClientRects().length === 0) continue;
    const scale = element instanceof SVGGraphicsElement ? element.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < smallest.size) Object.assign(smallest, { size, words });
  }
  const { backgroundColor, color } = getComputedStyle(document.body);
  const { scrollWidth, scrollHeight } = document.documentElement;
  return { over: scrollWidth - innerWidth, smallest, backgroundColor, color, height: scrollHeight };
})()`;
const seen = (page: Page) => page.evaluate<Seen>(LOOK);

const pages = ['plain', 'clamped', 'counted', 'weeks', 'reproduced'] as const;
const address = (name: string) => pathToFileURL(name === 'reproduced' ? reproduced : at(`${name}.html`)).href;

describe.each(pages)('the page %s', (name) => {
  it.each([360, 400, 1200])('fits %i pixels, with text that can be read, light and dark', async (width) => {
    expect(name === 'reproduced' || existsSync(at(`${name}.html`))).toBe(true);
    const found = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await chromium.newContext({ viewport: { width, height: 800 }, colorScheme });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('console', (message) => faults.push(message.text()));
      page.on('request', (request) => !request.url().startsWith('file:') && faults.push(request.url()));
      await page.goto(address(name));
      found.push(await seen(page));
      expect(faults).toEqual([]);
      await context.close();
    }
    for (const { over, smallest } of found) {
      expect(over).toBeLessThanOrEqual(0);
      expect([smallest.size >= 10, smallest]).toEqual([true, smallest]);
    }
    const [light, dark] = found;
    expect(light!.backgroundColor).not.toBe(dark!.backgroundColor);
    expect(light!.color).not.toBe(dark!.color);
  });
});

/** In the page: tables and cells that are cut or reach beyond what is seen. */
const CUT = `(() => {
  const beyond = (element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < -0.5 || right > document.documentElement.clientWidth + 0.5;
  };
  const moved = (element) => element.scrollWidth > element.clientWidth + 1;
  const cut = (table) => beyond(table) || moved(table.parentElement) || [...table.querySelectorAll('th, td')].some(moved);
  return [...document.querySelectorAll('table')].filter(cut).map((table) => table.closest('section').id);
})()`;
/** A4 without its margins, at 96 dots to the inch. */
const A4 = 718;

describe('the tables of the paper, reproduced', () => {
  it.each([
    [360, 'screen'],
    [700, 'screen'],
    [1000, 'screen'],
    [1200, 'screen'],
    [A4, 'print'],
  ] as const)('fit %i pixels of %s, to the last column', async (width, media) => {
    const page = await chromium.newPage({ viewport: { width, height: 800 } });
    await page.emulateMedia({ media });
    await page.goto(address('reproduced'));
    expect(await page.locator('table').count()).toBeGreaterThan(15);
    expect(await page.evaluate(CUT)).toEqual([]);
    // The verdict of Table V is among what is seen.
    const verdict = page.locator('#table5 td[data-title=verdict]').first();
    expect(await verdict.textContent()).toBe('loose');
    await page.close();
  });
});

describe('on a telephone', () => {
  it.each(['plain', 'clamped', 'counted'])(
    'the table of guesses of the page %s is there whole',
    async (name) => {
      const page = await chromium.newPage({ viewport: { width: 390, height: 800 } });
      await page.goto(address(name));
      const over = await page
        .locator('.scroll', { has: page.locator('tr.own') })
        .evaluateAll((found) => found.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      expect(over).toEqual([0]);
      // An option's name stands on one line.
      const heights = await page
        .locator('.option')
        .evaluateAll((found) => found.map((option) => option.getClientRects().length));
      expect(heights.length).toBeGreaterThan(0);
      expect(new Set(heights)).toEqual(new Set([1]));
      await page.close();
    },
  );
});

describe('many columns with one noise', () => {
  it('are one section', async () => {
    const page = await chromium.newPage({ viewport: { width: 1200, height: 800 } });
    await page.goto(address('weeks'));
    expect(await page.locator('section').count()).toBe(1);
    expect((await seen(page)).height).toBeLessThan(6000);
    expect(await page.locator('section h2').textContent()).toBe('12 columns with the same noise');
  });
});
