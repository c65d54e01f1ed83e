// The pictures of the documents, made anew: a design, and the pages that are written, light and dark, narrow and wide.

import { execFileSync } from 'node:child_process';
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
await chromium.close();
rmSync(folder, { recursive: true });
