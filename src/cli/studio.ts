// `discreet studio`: serves the built studio on loopback. The page computes everything itself, and this only hands out its files.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { cannot, invalid } from '../error/index.js';
import { define, type Flags, type Needed } from './options.js';
import { print, printJson } from './output.js';

type Options = Needed<'port'> & Flags<'open' | 'json'>;

const HOST = '127.0.0.1';
/** Always the same, for a browser keeps a ledger by the page's address. */
const PORT = '4848';

export function add(program: Command): void {
  define(
    program,
    'studio',
    'Serves the studio to a browser of this machine: protect a file, design noise, look at any noise, check what others published. Everything is computed in the page; nothing is sent anywhere, and nothing is read from this folder.',
    `Examples:
  discreet studio --open
  discreet studio --port 0 --json

The budget is kept by the browser, by the page's address: the same port finds it again. The files are in the package's
folder dist/studio, and can be put on any static host.`,
  )
    .option('--port <n>', 'on which it is served, 0 for any that is free', PORT)
    .option('--open', 'open the page in a browser')
    .option('--json', 'print one JSON object, with the url, and go on')
    .action(run);
}

async function run(options: Options): Promise<void> {
  const port = Number(options.port);
  if (!/^\d+$/.test(options.port) || port > 65_535)
    throw invalid(`port: expected a whole number up to 65535, got ${options.port}`);
  const folder = new URL('../studio/', import.meta.url);
  const server = await listening(createServer(handler(folder, headersOf(folder))), port);
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}/`;
  if (options.json) printJson({ url });
  else print(`The studio is at ${url}\nNothing that you open there leaves your browser. Ctrl-C ends it.`);
  if (options.open) openInBrowser(url);
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  process.once('SIGINT', close);
  process.once('SIGTERM', close);
}

function listening(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? invalid(
              `port: ${port} is taken, perhaps by a studio that runs already; choose another, or 0 for any`,
            )
          : cannot(`port ${port} cannot be listened on (${error.code}); choose another with {port}`),
      ),
    );
    server.listen(port, HOST, () => resolve(server));
  });
}

/** Those that the build wrote for static hosts: one place says what the page may do. */
function headersOf(folder: URL): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(new URL('_headers', folder), 'utf8');
  } catch {
    throw cannot(`the studio is not in this installation; build it first, in a clone by npm run build`);
  }
  return Object.fromEntries(
    [...text.matchAll(/^ {2}([\w-]+): (.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

function handler(folder: URL, headers: Readonly<Record<string, string>>) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const {
      method,
      url = '/',
      headers: { host = '' },
    } = request;
    const path = url.split(/[?#]/, 1)[0]!;
    const name = path === '/' ? 'index.html' : path.slice(1);
    const [status, file] = fileOf(folder, name, method, host);
    const type = status === 200 ? TYPES[name.split('.').at(-1)!] : 'text/plain';
    const packs = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
    const content = packs ? gzipSync(file) : file;
    response
      .writeHead(status, {
        ...headers,
        ...(packs ? { 'Content-Encoding': 'gzip' } : {}),
        Vary: 'Accept-Encoding',
        'Content-Type': type ?? 'application/octet-stream',
        'Content-Length': content.length,
        'Cache-Control': name === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
      })
      .end(method === 'HEAD' ? undefined : content);
  };
}

/** A file of the build, or why there is none. */
function fileOf(folder: URL, name: string, method: string | undefined, host: string): [number, Buffer] {
  const refused = (status: number, words: string): [number, Buffer] => [status, Buffer.from(`${words}\n`)];
  // A name of somebody else that leads here is not answered.
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host))
    return refused(403, 'this is for this machine alone');
  if (method !== 'GET' && method !== 'HEAD') return refused(405, 'there is nothing to send here');
  // The build's own names, and no way out of its folder.
  if (!/^(?:index\.html|assets\/[\w.-]+)$/.test(name)) return refused(404, 'there is no such file');
  try {
    return [200, readFileSync(fileURLToPath(new URL(name, folder)))];
  } catch {
    return refused(404, 'there is no such file');
  }
}

/** Where that fails, the address is on the screen. */
function openInBrowser(url: string): void {
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '']
        : ['xdg-open'];
  const child = spawn(program!, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
