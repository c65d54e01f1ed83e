// Nothing leaves the page: by its policy, in the page and in its workers, and by watching what it asks for.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';
import { visits } from '../scratch.js';
import { choose, fileOf, release, studio } from './studio.js';

const { open, url, chromium } = studio();
const built = fileURLToPath(new URL('../../dist/studio/', import.meta.url));

/** What a page or a worker gets when it tries to get out. */
const TRIES = `(async (to) => {
  const tried = {};
  const attempt = async (name, work) => {
    try { await work(); tried[name] = 'went out'; } catch (error) { tried[name] = 'failed'; }
  };
  await attempt('fetch', () => fetch(to));
  await attempt('own fetch', () => fetch('/index.html'));
  await attempt('XMLHttpRequest', () => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.onload = resolve;
    request.onerror = reject;
    request.open('GET', to);
    request.send();
  }));
  await attempt('WebSocket', () => new Promise((resolve, reject) => {
    const socket = new WebSocket(to.replace('http', 'ws'));
    socket.onopen = resolve;
    socket.onerror = reject;
  }));
  await attempt('EventSource', () => new Promise((resolve, reject) => {
    const source = new EventSource(to);
    source.onopen = resolve;
    source.onerror = () => { source.close(); reject(); };
  }));
  return tried;
})`;
const ALL_FAIL = Object.fromEntries(
  ['fetch', 'own fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'].map((name) => [name, 'failed']),
);

describe('the page', () => {
  const heard: string[] = [];
  const listener = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end();
  }).listen(0, '127.0.0.1');
  afterAll(() => listener.close());
  const elsewhere = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/out`;

  it('cannot connect to anything, nor can a worker that it makes, nor a picture', async () => {
    // What it complains of is wanted here, so it is not watched.
    const context = await chromium().newContext();
    const page = await context.newPage();
    await page.goto(url());
    await page.waitForSelector('h1');
    expect(await page.evaluate(`${TRIES}(${JSON.stringify(elsewhere())})`)).toEqual(ALL_FAIL);
    const worker = `(${JSON.stringify(`${TRIES}(TO).then((tried) => postMessage(tried))`)}).replace('TO', ${JSON.stringify(JSON.stringify(elsewhere()))})`;
    const inWorker = await page.evaluate(
      `new Promise((resolve) => {
        const own = new Worker(URL.createObjectURL(new Blob([${worker}], { type: 'text/javascript' })));
        own.onmessage = ({ data }) => resolve(data);
      })`,
    );
    expect(inWorker).toEqual({ ...ALL_FAIL });
    const picture = await page.evaluate(
      `new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve('went out');
        image.onerror = () => resolve('failed');
        image.src = ${JSON.stringify(elsewhere())};
      })`,
    );
    expect(picture).toBe('failed');
    const byAddress = await page.evaluate(
      `new Promise((resolve) => {
        try {
          const own = new Worker('/assets/worker.js');
          own.onerror = () => resolve('failed');
          own.onmessage = () => resolve('runs');
        } catch { resolve('failed'); }
      })`,
    );
    expect(byAddress).toBe('failed');
    expect(heard).toEqual([]);
    await context.close();
  });

  it('says so in the page and in the header', async () => {
    const response = await fetch(url());
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'none'");
    const html = await response.text();
    const meta = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    expect(`${meta}; frame-ancestors 'none'`).toBe(policy);
    expect(html).not.toMatch(/(?:src|href)="https?:/);
  });

  it('asks for its own files alone, whatever is done in it, and for none of them by what is in the data', async () => {
    const { page, requests } = await open();
    await choose(page, visits, 'visits');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    for (const room of ['design', 'explore', 'check']) {
      await page.click(`nav a[href="#/${room}"]`);
      await page.waitForSelector('h1');
    }
    const files = new Set(['', ...readdirSync(`${built}assets`).map((name) => `assets/${name}`)]);
    expect(requests.filter((name) => !files.has(name))).toEqual([]);
  });

  it('goes on without a connection, once it was touched', async () => {
    const { page, context } = await open();
    await page.waitForSelector('h1');
    await page.mouse.click(5, 5);
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await choose(page, visits, 'visits');
    await release(page);
    await page.waitForSelector('[data-result=released]');
    await page.click('nav a[href="#/design"]');
    await page.waitForSelector('[data-result=value]');
    await context.setOffline(false);
  });

  it('runs under any path of a plain host', async () => {
    const host = createServer((request, response) => {
      const name = request.url!.replace(/^\/deep\/path\//, '').split('?')[0] || 'index.html';
      try {
        const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
        response.writeHead(200, { 'Content-Type': type }).end(readFileSync(`${built}${name}`));
      } catch {
        response.writeHead(404).end();
      }
    }).listen(0, '127.0.0.1');
    try {
      const context = await chromium().newContext();
      const page = await context.newPage();
      await page.goto(
        `http://127.0.0.1:${(host.address() as AddressInfo).port}/deep/path/#/design?epsilon=3`,
      );
      await page.waitForSelector('[data-result=value]');
      expect(await page.inputValue('[data-field=epsilon]')).toBe('3');
      await context.close();
    } finally {
      host.close();
    }
  });
});

describe('its size', () => {
  it('is at most 160 kB for what is loaded first, packed', async () => {
    const { page, requests } = await open();
    await page.waitForSelector('h1');
    await page.waitForLoadState('networkidle');
    const sizes = requests.map(
      (name) => gzipSync(readFileSync(`${built}${name || 'index.html'}`), { level: 9 }).length,
    );
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(160_000);
  });
});

describe('noise in a browser', () => {
  it('follows its law, drawn in a worker from the randomness of the browser', async () => {
    const { page } = await open();
    const source = `
      import { compile } from 'discreet-dp';
      import { emptyHistogram, gTest, histogramRange } from 'discreet-dp/audit';
      import { entropySource, sampler } from 'discreet-dp/random';
      const law = compile('geometric:scale=5', { epsilon: 1, adjacency: 5 }).pmf;
      const other = compile('geometric:scale=5.05', { epsilon: 1, adjacency: 5 }).pmf;
      const histogram = emptyHistogram(histogramRange(law));
      const drawn = new Int32Array(1_000_000);
      const noise = sampler(law, entropySource(crypto));
      for (let i = 0; i < 20; i++) {
        noise.fill(drawn, 'saturate');
        for (const value of drawn) histogram.counts[value - histogram.from]++;
      }
      postMessage([gTest(law, histogram).pValue, gTest(other, histogram).pValue]);
    `;
    const bundle = await rolldown({
      input: 'law',
      platform: 'browser',
      plugins: [
        {
          name: 'law',
          resolveId: (id) => (id === 'law' ? `${built}law.js` : null),
          load: (id) => (id.endsWith('law.js') ? source : null),
        },
      ],
    });
    const { output } = await bundle.generate({ format: 'iife', codeSplitting: false });
    const found = (await page.evaluate(
      `new Promise((resolve, reject) => {
        const own = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(output[0].code)}], { type: 'text/javascript' })));
        own.onmessage = ({ data }) => resolve(data);
        own.onerror = (event) => reject(new Error(event.message));
      })`,
    )) as [number, number];
    expect(found[0]).toBeGreaterThan(1e-6);
    // A scale that is off by 1 % is seen.
    expect(found[1]).toBeLessThan(1e-6);
  });
});

describe('a file that is not text', () => {
  it('is told beside the file, and nothing of it is shown', async () => {
    const { page } = await open();
    await page.setInputFiles('[data-field=input] >> nth=0', fileOf('a.parquet', 'no parquet at all, 31337'));
    const words = await page.textContent('.drop .error:not(:empty)');
    expect(words).toMatch(/not a Parquet file/);
    expect(words).not.toMatch(/31337/);
  });
});
