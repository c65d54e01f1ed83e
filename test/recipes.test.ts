// The recipes of examples/recipes, run as they stand.

import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { browser } from '../scripts/chromium.mjs';
import { scratch, visits } from './scratch.js';

const { folder, at, json, run } = scratch();
const root = fileURLToPath(new URL('..', import.meta.url));
const recipe = (name: string) => join(root, 'examples/recipes', name);

beforeAll(() => {
  mkdirSync(at('node_modules'));
  symlinkSync(root, at('node_modules/discreet-dp'));
});

describe('a service with counters', () => {
  it('exports noisy counts, pays for them, and stops when the budget is spent', async () => {
    copyFileSync(recipe('counters.mjs'), at('counters.mjs'));
    const child = spawn(process.execPath, ['counters.mjs'], {
      cwd: folder,
      env: { ...process.env, PORT: '0', EXPORT_EVERY_MS: '150' },
    });
    let told = '';
    child.stderr.on('data', (bytes: Buffer) => {
      told += String(bytes);
    });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        child.stdout.once('data', (bytes: Buffer) => resolve(String(bytes).trim()));
        child.once('exit', () => reject(new Error(told)));
      });
      const send = (user: string) =>
        fetch(`${url}/event/search`, { method: 'POST', headers: { 'x-user': user } });
      for (let i = 0; i < 50; i++) expect((await send(`u${i % 25}`)).status).toBe(204);
      // 24 exports of 0.1 are in the budget of 2.4.
      while (!told.includes('not exported')) await new Promise((done) => setTimeout(done, 100));
      expect(told).toMatch(/beyond its budget/);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toMatch(/^# \d{4}-.*\nfeature,count\nsearch,-?\d+\nupload,-?\d+\nshare,-?\d+\n$/);
    } finally {
      child.kill('SIGTERM');
      await new Promise((done) => child.once('exit', done));
    }
    const status = json<{ datasets: { releases: number; spent: { epsilon: string } }[] }>([
      ...['ledger', 'status', '--ledger', 'counters-ledger.db'],
    ]);
    expect(status.datasets[0]!.releases).toBe(24);
    expect(Number(status.datasets[0]!.spent.epsilon)).toBeCloseTo(2.4, 6);
  }, 120_000);
});

describe('a page', () => {
  it('adds noise without a server of its own', async () => {
    copyFileSync(recipe('page.html'), at('page.html'));
    const kinds: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
    const server = createServer((request, response) => {
      const path = at(new URL(request.url!, 'http://x').pathname.slice(1));
      response.setHeader('content-type', kinds[extname(path)] ?? 'text/plain');
      try {
        response.end(readFileSync(path));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const chromium = await browser();
    try {
      const page = await chromium.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`);
      await page.click('#protect');
      await page.waitForFunction("document.getElementById('noisy').textContent !== ''");
      expect(await page.textContent('#noisy')).toMatch(/^(-?\d+ ){3}-?\d+$/);
      await page.fill('#epsilon', 'much');
      await page.click('#protect');
      expect(await page.textContent('#noisy')).toMatch(/epsilon/);
      expect(errors).toEqual([]);
    } finally {
      await chromium.close();
      server.close();
    }
  }, 120_000);
});

describe('reading a release', () => {
  beforeAll(() => {
    const args = [
      'release',
      visits,
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '-o',
      'released.csv',
    ];
    expect(run(args).code).toBe(0);
  });

  /** The true mean is 2.8604; the noise of 20,190 values moves it by 0.049 at one standard deviation. */
  const near = (text: string) => {
    const [, values, mean, within] = /^(\d+) values, mean (\S+) ± (\S+)$/m.exec(text)!;
    expect(values).toBe('20190');
    expect(Math.abs(Number(mean) - 2.8604)).toBeLessThan(0.3);
    expect(Number(within)).toBeGreaterThan(0.09);
    expect(Number(within)).toBeLessThan(0.14);
  };

  it('in Python', () => {
    near(
      spawnSync('python3', [recipe('read.py'), at('released.csv'), 'visits'], { encoding: 'utf8' }).stdout,
    );
  });

  const noR = spawnSync('Rscript', ['--version']).status !== 0;
  it.skipIf(noR)('in R, where it is installed', () => {
    near(spawnSync('Rscript', [recipe('read.R'), at('released.csv'), 'visits'], { encoding: 'utf8' }).stdout);
  });
});
