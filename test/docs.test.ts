// What documents tell to type works: how the command is got, and the examples with what they print.

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { INSTALLED, VERSION } from '../src/report/index.js';
import { scratch } from './scratch.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { at, run } = scratch();
const documents = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const texts = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs|md|py|R|html)$/.test(name))
    .map((name) => `${folder}/${name}`);

describe('the command', () => {
  it('is got in one way, which the README says as all else does', () => {
    const plain = read('README.md').replaceAll('`', '').replace(/\s+/g, ' ');
    expect(plain).toContain(`discreet is installed ${INSTALLED}`);
  });

  it('is of the version of the package', () => {
    expect(VERSION).toBe(JSON.parse(read('package.json')).version);
    expect(run(['--version']).stdout).toBe(`${VERSION}\n`);
  });

  it('is nowhere taken from where the package is not published', () => {
    const all = ['README.md', ...['docs', 'examples', 'src', 'studio/src', 'spark'].flatMap(texts)];
    const found = all.filter((name) =>
      /npx discreet-dp|npm (?:i|install) (?:-g )?discreet-dp(?!-)/.test(read(name)),
    );
    // Where the way changes with a release.
    expect(found).toEqual(['src/report/command.ts']);
  });

  it('is what each document that shows it begins with', () => {
    const showing = documents.filter((name) => /`discreet |^(?: {4}|\$ )discreet /m.test(read(name)));
    expect(showing.length).toBeGreaterThan(8);
    const begun = (name: string) =>
      /^# .*\n\n.*[hH]ow to get (?:it|the package)\]\(\.\.\/README\.md#get-it\)/.test(read(name));
    expect(showing.filter((name) => !begun(name) && name !== 'docs/README.md')).toEqual([]);
  });
});

/** Lines of a shell with what they print, until an ellipsis. */
const consoles = ['README.md', ...documents].flatMap((name) =>
  [...read(name).matchAll(/```console\n([\s\S]*?)```/g)].map(([, text]) => [name, text!] as const),
);

describe('the examples', () => {
  it('are there', () => expect(consoles.length).toBeGreaterThan(2));

  it.each(consoles)('of %s print what they say: %s', (_, text) => {
    cpSync(join(root, 'examples'), at('examples'), { recursive: true });
    for (const [, command, printed] of text.matchAll(/^\$ discreet (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const { code, stdout } = run(command!.split(' '));
      expect([command, code]).toEqual([command, 0]);
      const lines = stdout.split('\n');
      for (const line of printed!.split('\n').filter((own) => own !== '' && own !== '…'))
        expect(lines).toContainEqual(line.endsWith('…') ? expect.stringContaining(line.slice(0, -1)) : line);
    }
  });
});
