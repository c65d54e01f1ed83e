// The packed package, installed in empty projects with and without its optional packages: the command runs, every sub-path
// imports, its types compile, and the front door bundles for a browser.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
  optionalDependencies: Record<string, string>;
};
const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
let folder: string;
let bare: string;

const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8' });
const discreet = (cwd: string, ...args: string[]) =>
  spawnSync('npx', ['--no-install', 'discreet', ...args], { cwd, encoding: 'utf8' });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'discreet-package-'));
  bare = mkdtempSync(join(tmpdir(), 'discreet-bare-'));
  const [packed] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root),
  ) as { filename: string }[];
  for (const [at, more] of [
    [folder, []],
    [bare, ['--omit=optional']],
  ] as const) {
    writeFileSync(join(at, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
    run('npm', ['install', '--no-audit', '--no-fund', ...more, join(folder, packed!.filename)], at);
  }
}, 300_000);
afterAll(() => {
  for (const made of [folder, bare]) rmSync(made, { recursive: true, force: true });
});

/** A script that imports every sub-path and fails on an empty one. */
const importAll = `${paths
  .map(
    (path) =>
      `{ const m = await import('discreet-dp${path.slice(1)}'); if (Object.keys(m).length === 0) throw new Error('${path}'); }`,
  )
  .join('\n')}\nconsole.log('all');`;

describe('the packed package', () => {
  it('runs the command', () => {
    const { stdout } = discreet(folder, 'analyze', 'laplace:scale=7.5', '--adjacency', '15', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ pure: { epsilon: 2 } });
  });

  it('serves the studio that it ships', async () => {
    const server = spawn(process.execPath, [
      join(folder, 'node_modules/discreet-dp/dist/cli/main.js'),
      'studio',
      '--port',
      '0',
      '--json',
    ]);
    try {
      const [said] = (await once(server.stdout, 'data')) as [Buffer];
      const { url } = JSON.parse(String(said)) as { url: string };
      const html = await (await fetch(url)).text();
      const script = /src="\.\/(assets\/[^"]+)"/.exec(html)![1]!;
      expect((await fetch(`${url}${script}`)).headers.get('content-type')).toMatch(/javascript/);
    } finally {
      server.kill();
    }
  });

  it('imports every sub-path', () => {
    expect(paths.length).toBeGreaterThanOrEqual(9);
    writeFileSync(join(folder, 'all.mjs'), importAll);
    expect(run(process.execPath, ['all.mjs'], folder).trim()).toBe('all');
  });

  it('runs the examples of the README and of the library’s guide', () => {
    const examples = ['README.md', 'docs/library.md'].flatMap((name) => [
      ...readFileSync(join(root, name), 'utf8').matchAll(/```js\n([\s\S]*?)```/g),
    ]);
    expect(examples.length).toBeGreaterThanOrEqual(3);
    for (const [i, [, example]] of examples.entries()) {
      writeFileSync(join(folder, `example-${i}.mjs`), example!);
      const out = run(process.execPath, [`example-${i}.mjs`], folder);
      const shown = [...example!.matchAll(/\/\/ → (.*)/g)].map(([, text]) => text!.trim());
      expect(shown.length).toBeGreaterThan(0);
      expect(
        out
          .trim()
          .split('\n')
          .map((line) => line.trim()),
      ).toEqual(shown);
    }
  });

  it('has source maps that hold their sources', () => {
    const dist = join(folder, 'node_modules/discreet-dp/dist');
    const map = JSON.parse(readFileSync(join(dist, 'noise/geometric.js.map'), 'utf8')) as {
      sources: string[];
      sourcesContent: string[];
    };
    expect(map.sources).toEqual(['../../src/noise/geometric.ts']);
    expect(map.sourcesContent[0]).toContain('export const geometric: Family');
  });

  it('compiles strictly, types of dependencies and all', () => {
    for (const cwd of [folder, bare]) {
      const compile = (file: string, text: string, types: string[]) => {
        writeFileSync(join(cwd, file), text);
        writeFileSync(
          join(cwd, 'tsconfig.json'),
          JSON.stringify({
            compilerOptions: {
              target: 'ES2022',
              module: 'NodeNext',
              lib: ['ES2023', 'DOM'],
              strict: true,
              exactOptionalPropertyTypes: true,
              skipLibCheck: false,
              noEmit: true,
              types,
              typeRoots: [join(root, 'node_modules/@types')],
            },
            files: [file],
          }),
        );
        return spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', cwd], { encoding: 'utf8' }).stdout;
      };
      // The front door without Node's types, as a page has none.
      const door = `import { protect, design, DiscreetError } from 'discreet-dp';
const { values, mechanism } = protect([1, 2, 3], { epsilon: 1, adjacency: 5 });
export const sum: number = values.reduce((a, b) => a + b, 0);
export const counts: Int32Array = protect(new Int32Array(3), { epsilon: '1', adjacency: 5 }).values;
export const bound: number = design({ epsilon: '2', adjacency: 15, prior: 'poisson:rate=5' }).lowerBound;
export const code = (error: unknown) => (error instanceof DiscreetError ? error.code : mechanism.adjacency);`;
      expect(compile('door.ts', door, [])).toBe('');
      const all = paths
        .map((path, i) => `export * as room${i} from 'discreet-dp${path.slice(1)}';`)
        .join('\n');
      expect(compile('all.ts', all, ['node'])).toBe('');
    }
  });

  it('bundles its front door for a browser, where files are asked for in words', async () => {
    writeFileSync(
      join(folder, 'page.js'),
      `import { protect, release } from 'discreet-dp';
import { emptyStore, ledgerOn, openLedger } from 'discreet-dp/ledger';
import { lineChart } from 'discreet-dp/plot';
export const drawn = lineChart([], { title: 'none', x: 'x', y: 'y' }).startsWith('<svg');
export const kept = await ledgerOn(emptyStore('here'), { hash: (text) => text, who: 'me', clock: () => new Date() }).left('visits');
export const noFile = await openLedger('ledger.db').catch((error) => error.message);
export const values = protect([1, 2, 3], { epsilon: 1, adjacency: 5 }).values;
export const refused = await release({}).catch((error) => error.message);`,
    );
    await build({
      root: folder,
      logLevel: 'error',
      build: {
        outDir: join(folder, 'bundled'),
        minify: false,
        modulePreload: false,
        target: 'es2022',
        rollupOptions: {
          input: join(folder, 'page.js'),
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: 'page.mjs', format: 'es' },
        },
      },
    });
    const files = readdirSync(join(folder, 'bundled'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.m?js$/.test(name),
    );
    for (const name of files) {
      const text = readFileSync(join(folder, 'bundled', name), 'utf8');
      expect(text).not.toMatch(/node:(?:fs|os|crypto|path|stream)|browser-external/);
    }
    const page = (await import(pathToFileURL(join(folder, 'bundled/page.mjs')).href)) as {
      values: number[];
      refused: string;
      drawn: boolean;
      kept: unknown;
      noFile: string;
    };
    expect(page.drawn).toBe(true);
    expect(page.kept).toBeNull();
    expect(page.noFile).toMatch(/keeps no database for this page/);
    expect(page.values).toHaveLength(3);
    expect(page.refused).toMatch(/release: needs the file system of Node/);
  });
});

describe('the packed package without its optional packages', () => {
  it('has none of them', () => {
    expect(Object.keys(optionalDependencies).length).toBe(5);
    for (const name of Object.keys(optionalDependencies))
      expect(existsSync(join(bare, 'node_modules', name))).toBe(false);
  });

  it('imports every sub-path', () => {
    writeFileSync(join(bare, 'all.mjs'), importAll);
    expect(run(process.execPath, ['all.mjs'], bare).trim()).toBe('all');
  });

  it('designs, certifies, draws and protects', () => {
    writeFileSync(
      join(bare, 'core.mjs'),
      `import { design, protect, sampler, verify } from 'discreet-dp';
const { mechanism } = design({ epsilon: 1, adjacency: 5 });
console.log(verify(mechanism).holds, typeof sampler(mechanism).draw(), protect([1], { epsilon: 1, adjacency: 5 }).values.length);`,
    );
    expect(run(process.execPath, ['core.mjs'], bare).trim()).toBe('true bigint 1');
    expect(
      discreet(bare, 'design', '--epsilon', '1', '--adjacency', '5', '-o', join(bare, 'm.json')).status,
    ).toBe(0);
    expect(discreet(bare, 'verify', join(bare, 'm.json')).status).toBe(0);
  });

  it('asks for what is missing by name, and changes nothing', () => {
    writeFileSync(join(bare, 'visits.csv'), 'visits\n1\n');
    const told = discreet(
      bare,
      ...['release', 'visits.csv', '--column', 'visits', '--epsilon', '1', '--adjacency', '5', '-o', 'o.csv'],
    );
    expect([told.status, told.stderr]).toEqual([
      2,
      expect.stringMatching(/needs the package libsql, which is not installed; .*npm install libsql/),
    ]);
    // Pictures need no package.
    const drawn = discreet(bare, 'design', '--epsilon', '1', '--adjacency', '5', '--svg', 'd.svg');
    expect([drawn.status, existsSync(join(bare, 'd.svg'))]).toEqual([0, true]);
    expect(readdirSync(bare).filter((name) => /^(?:o\.csv|discreet-ledger)/.test(name))).toEqual([]);
  });
});
