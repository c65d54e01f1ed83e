// A file of a million rows, protected in the page: from the click to the result, beside a plain copy of the same file in a worker of
// the same page, and the command on the same file. Frames are watched meanwhile: none may stand still for a tenth of a second.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browser } from '../scripts/chromium.mjs';
import { save } from './_report.mjs';

const RUNS = 3;
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** A worker that reads the file in pieces, as the studio does, and keeps them as Blobs. */
const COPY = `onmessage = async ({ data: file }) => {
  const parts = [];
  for (let at = 0; at < file.size; at += 1048576)
    parts.push(new Blob([new Uint8Array(await file.slice(at, at + 1048576).arrayBuffer())]));
  postMessage(new Blob(parts).size);
};`;

const WATCH = `(() => {
  let last = performance.now();
  globalThis.longest = 0;
  const frame = (now) => {
    globalThis.longest = Math.max(globalThis.longest, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function served(work) {
  const server = spawn(process.execPath, [main, 'studio', '--port', '0', '--json']);
  try {
    let said = '';
    for await (const piece of server.stdout) {
      said += piece;
      if (said.includes('}')) break;
    }
    await work(JSON.parse(said).url);
  } finally {
    server.kill();
  }
}

/** Opens the file, and gives what the parts of the way took, in milliseconds. */
async function protect(page, path) {
  await page.evaluate(WATCH);
  let started = Date.now();
  await page.setInputFiles('[data-field=input] >> nth=0', path);
  await page.waitForSelector('[data-result=file]');
  const opened = Date.now() - started;
  await page.check('[data-field=column][data-value=visits]');
  const adjacency = page.locator('[data-field=adjacency]');
  if (await adjacency.isEnabled()) await adjacency.fill('5');
  await page.waitForSelector('[data-result=guess]');
  await page.check('[data-field=looked]');
  await page.waitForSelector('[data-action=release]:not([disabled])');
  await page.evaluate('globalThis.longest = 0');
  started = Date.now();
  await page.click('[data-action=release]');
  await page.waitForSelector('[data-result=released]', { timeout: 600_000 });
  const released = Date.now() - started;
  return { opened, released, longest: await page.evaluate('globalThis.longest') };
}

/** The same file read and kept by a worker that does nothing to it. */
async function copied(page, path) {
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<input type="file" id="copied">')`);
  await page.setInputFiles('#copied', path);
  const taken = await page.evaluate(`new Promise((resolve) => {
    const own = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(COPY)}], { type: 'text/javascript' })));
    const started = performance.now();
    own.onmessage = () => resolve(performance.now() - started);
    own.postMessage(document.getElementById('copied').files[0]);
  })`);
  await page.evaluate(`document.getElementById('copied').remove()`);
  return taken;
}

function byCommand(folder, path, i) {
  const started = Date.now();
  const words = `release ${path} --column visits --epsilon 1 --adjacency 5 --dataset d${i} -o out-${i}.csv`;
  const { status, stderr } = spawnSync(process.execPath, [main, ...words.split(' ')], { cwd: folder });
  if (status !== 0) throw new Error(String(stderr));
  return Date.now() - started;
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-bench-'));
  const lines = [];
  try {
    for (const rows of [1_000_000, 10_000_000]) {
      const path = join(folder, `rows-${rows}.csv`);
      const pieces = ['id,visits,region,score\n'];
      for (let i = 0; i < rows; i++)
        pieces.push(`${i},${(i * 2654435761) % 78},region-${i % 50},${(i % 1000) / 8}\n`);
      writeFileSync(path, pieces.join(''));
      pieces.length = 0;
      await served(async (url) => {
        const chromium = await browser();
        const found = [];
        for (let i = 0; i < RUNS; i++) {
          const context = await chromium.newContext();
          const page = await context.newPage();
          await page.goto(url);
          const copy = await copied(page, path);
          found.push({
            ...(await protect(page, path)),
            copy,
            command: byCommand(folder, path, `${rows}-${i}`),
          });
          await context.close();
        }
        await chromium.close();
        const of = (key) => median(found.map((own) => own[key]));
        const seconds = (key) => `${(of(key) / 1000).toFixed(2)} s`;
        const ratio = (key) => median(found.map((own) => own.released / own[key])).toFixed(2);
        lines.push([
          rows.toLocaleString('en'),
          seconds('opened'),
          `**${seconds('released')}**`,
          seconds('copy'),
          ratio('copy'),
          seconds('command'),
          ratio('command'),
          `${Math.round(of('longest'))} ms`,
        ]);
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const header = [
    'rows of a CSV, one column protected',
    'opened and looked at',
    'from the click to the result',
  ];
  save(
    'studio',
    'A file protected in the page',
    [...header, 'plain copy by a worker', 'ratio', 'the command', 'ratio', 'longest frame'],
    lines,
    [
      `Medians of ${RUNS} runs in headless Chromium; ratios are those of the same run. The result is the released file, the mechanism, the report and the ledger, ready to be saved. The command is started anew for each file. The longest frame is between two calls of requestAnimationFrame while the release runs.`,
    ],
  );
}
