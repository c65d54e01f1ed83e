// The server of the studio: its own files on loopback, with the policy in every answer, and nothing else.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { main, scratch } from '../scratch.js';

const { run } = scratch();
const server = spawn(process.execPath, [main, 'studio', '--port', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let url = '';

beforeAll(async () => {
  let said = '';
  for await (const piece of server.stdout) {
    said += piece;
    if (said.includes('}')) break;
  }
  ({ url } = JSON.parse(said) as { url: string });
});

afterAll(async () => {
  server.kill('SIGTERM');
  const [code] = (await once(server, 'exit')) as [number | null];
  expect(code).toBe(0);
});

/** As it is sent, without a client that tidies the path. */
function raw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; policy: string; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    get({ hostname, port, path, headers }, (response) => {
      let text = '';
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          policy: String(response.headers['content-security-policy']),
          text,
        }),
      );
    }).on('error', reject);
  });
}

it('is on loopback, and sends the policy with every answer', async () => {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  for (const path of ['/', '/index.html', '/nothing', '/assets/nothing.js']) {
    const { policy } = await raw(path);
    expect(policy).toContain("connect-src 'none'");
  }
  expect((await raw('/')).text).toContain('<title>Discreet studio</title>');
});

it('gives nothing but its own files', async () => {
  for (const path of [
    '/../package.json',
    '/assets/../../cli/main.js',
    '/%2e%2e/package.json',
    '/assets/..%2fmain.js',
    '/_headers',
    '//etc/passwd',
    '/assets/',
  ])
    expect([path, (await raw(path)).status]).toEqual([path, 404]);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});

it('answers no other name than that of this machine', async () => {
  expect((await raw('/', { host: 'evil.example' })).status).toBe(403);
  expect((await raw('/', { host: 'localhost:1' })).status).toBe(200);
});

it('says what is wrong with a port, and which are free', () => {
  expect(run(['studio', '--port', 'x']).stderr).toMatch(/--port: expected a whole number/);
  const taken = run(['studio', '--port', new URL(url).port]);
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringMatching(/--port: .* is taken.*or 0 for any/)]);
});
