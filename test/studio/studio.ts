// The built studio, served by the command, in a real browser whose every request and word is watched.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { browser } from '../../scripts/chromium.mjs';
import { main, type Scratch } from '../scratch.js';

export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of the page, and requests to anywhere but where it is served. */
  readonly complaints: string[];
  /** All that was asked for, from the page's folder on. */
  readonly requests: string[];
}

export interface Studio {
  readonly url: () => string;
  readonly chromium: () => Browser;
  /** A page of its own, with storage of its own unless a context is given. */
  readonly open: (
    hash?: string,
    options?: BrowserContextOptions,
    context?: BrowserContext,
  ) => Promise<Watched>;
}

/** Served and opened once for a file of tests; whatever a page complained of fails them. */
export function studio(): Studio {
  let url = '';
  let chromium: Browser;
  const server = spawn(process.execPath, [main, 'studio', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const complaints: string[] = [];
  beforeAll(async () => {
    let said = '';
    for await (const piece of server.stdout) {
      said += piece;
      if (said.includes('}')) break;
    }
    ({ url } = JSON.parse(said) as { url: string });
    chromium = await browser();
  }, 300_000);
  afterAll(async () => {
    await chromium?.close();
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    expect(complaints).toEqual([]);
  });
  return {
    url: () => url,
    chromium: () => chromium,
    open: async (hash = '', options = {}, given) => {
      const context =
        given ?? (await chromium.newContext({ acceptDownloads: true, reducedMotion: 'reduce', ...options }));
      const page = await context.newPage();
      // Machines may be busy with other tests.
      page.setDefaultTimeout(90_000);
      const requests: string[] = [];
      const hear = (words: string) => complaints.push(words);
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) hear(`${message.type()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => hear(`error: ${error.message}`));
      // Workers of the page ask through the same context.
      context.on('request', (request) => {
        const address = request.url();
        if (address.startsWith(url)) requests.push(address.slice(url.length));
        else if (!/^(?:blob|data):/.test(address)) hear(`request: ${address}`);
      });
      await page.goto(`${url}${hash}`);
      return { page, context, complaints, requests };
    },
  };
}

/** What the page saves when this is clicked. */
export async function saved(page: Page, selector: string, { folder }: Scratch): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Opens a file in the room Protect, and chooses a column with its adjacency. */
export async function choose(
  page: Page,
  file: string | { name: string; mimeType: string; buffer: Buffer },
  column: string,
  adjacency = '5',
): Promise<void> {
  await page.setInputFiles('[data-field=input] >> nth=0', file);
  await page.waitForSelector('[data-result=file]');
  await page.check(`[data-field=column][data-value="${column}"]`);
  const field = page.locator(`[data-field=adjacency][data-column="${column}"]`);
  // What was agreed once stands: the ledger may say so only after the field is there.
  if (await field.isEditable())
    await field.fill(adjacency, { timeout: 5000 }).catch(async (error: unknown) => {
      if (await field.isEditable()) throw error;
    });
  await page.waitForSelector(`[data-result=guess][data-column="${column}"]`);
}

/** Looks at what leaves, and releases. */
export async function release(page: Page): Promise<void> {
  await page.waitForSelector('[data-result=unchanged]');
  const looked = page.locator('[data-field=looked]');
  if ((await looked.count()) > 0) await looked.check();
  await page.click('[data-action=release]');
}

export function fileOf(name: string, text: string | Uint8Array) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
}
