// The packed package, installed in an empty project: the command runs and every sub-path imports.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
let folder: string;

const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8' });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'discreet-package-'));
  const [packed] = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root),
  ) as { filename: string }[];
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  run('npm', ['install', '--no-audit', '--no-fund', join(folder, packed!.filename)], folder);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed package', () => {
  it('runs the command', () => {
    const out = run(
      'npx',
      ['--no-install', 'discreet', 'analyze', 'laplace:scale=7.5', '--adjacency', '15', '--json'],
      folder,
    );
    expect(JSON.parse(out)).toMatchObject({ pure: { epsilon: 2 } });
  });

  it('imports every sub-path', () => {
    const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
    expect(paths.length).toBeGreaterThanOrEqual(9);
    const script = paths
      .map(
        (path) =>
          `{ const m = await import('discreet-dp${path.slice(1)}'); if (Object.keys(m).length === 0) throw new Error('${path}'); }`,
      )
      .join('\n');
    writeFileSync(join(folder, 'all.mjs'), `${script}\nconsole.log('all');`);
    expect(run(process.execPath, ['all.mjs'], folder).trim()).toBe('all');
  });

  it('runs the example of the README', () => {
    const [, example] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
    writeFileSync(join(folder, 'example.mjs'), example!);
    const out = run(process.execPath, ['example.mjs'], folder);
    const shown = [...example!.matchAll(/\/\/ → (.*)/g)].map(([, text]) => text!.trim());
    expect(shown.length).toBeGreaterThan(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(shown);
  });
});
