// The pictures of the documents, made anew: a design, and the pages that are written, light and dark, narrow and wide.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { browser } from './chromium.mjs';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'discreet-pictures-'));
const discreet = (words) =>
  execFileSync(process.execPath, [path('dist/cli/main.js'), ...words.split(' ')], {
    cwd: folder,
    stdio: 'ignore',
  });

mkdirSync(path('docs/pictures'), { recursive: true });
discreet(
  `design --epsilon 1 --adjacency 5 --prior poisson:rate=3 --svg ${path('docs/pictures/design.svg')} --force`,
);
discreet('ledger init --dataset visits --epsilon 3 --adjacency visits=5 --per-person 1');
discreet(
  `release ${path('examples/doctor-visits.csv')} --column visits --epsilon 1 --prior poisson:rate=3 --dataset visits -o released.csv --report report.html`,
);
const pages = { report: join(folder, 'report.html'), reproduced: path('docs/report/report.html') };
const chromium = await browser();
for (const [name, file] of Object.entries(pages))
  for (const width of [360, 1200])
    for (const colorScheme of ['light', 'dark']) {
      const page = await chromium.newPage({ viewport: { width, height: 900 }, colorScheme });
      await page.goto(pathToFileURL(file).href);
      await page.screenshot({ path: path(`docs/pictures/${name}-${width}-${colorScheme}.png`) });
      await page.close();
    }

/** The rooms of the studio, each with something in it. */
const released = [join(folder, 'released.csv'), join(folder, 'released.csv.mechanism.json')];
const ROOMS = {
  protect: async (page) => {
    await page.click('[data-action=sample]');
    await page.waitForSelector('.screen-only svg', { state: 'attached' });
    await page.evaluate(`document.getElementById('strength-title').scrollIntoView()`);
  },
  design: (page) => page.waitForSelector('[data-result=value]'),
  explore: (page) => page.waitForSelector('[data-result=verdict]'),
  check: async (page) => {
    await page.setInputFiles('[data-field=input]', released);
    await page.fill('[data-field=range]', '0,77');
    await page.waitForSelector('[data-result=variance]:not(:has-text("needs"))');
    await page.evaluate('scrollTo(0, 0)');
  },
};
const server = spawn(process.execPath, [path('dist/cli/main.js'), 'studio', '--port', '0', '--json']);
let said = '';
for await (const piece of server.stdout) {
  said += piece;
  if (said.includes('}')) break;
}
for (const [name, prepare] of Object.entries(ROOMS))
  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark']) {
      const context = await chromium.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.goto(`${JSON.parse(said).url}#/${name}`);
      await prepare(page);
      await page.waitForTimeout(1000);
      await page.screenshot({ path: path(`docs/pictures/studio-${name}-${width}-${colorScheme}.png`) });
      await context.close();
    }
server.kill();
await chromium.close();
rmSync(folder, { recursive: true });
