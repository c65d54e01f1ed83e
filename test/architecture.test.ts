// The map of ARCHITECTURE.md, enforced: imports point one way, and the trusted core stays bare.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** Each level may import the levels before it and nothing else; rooms of one level do not import each other. */
const LEVELS = [
  ['exact'],
  ['pmf'],
  ['privacy', 'random', 'plot'],
  ['noise'],
  ['mechanism', 'spec'],
  ['design', 'account', 'recover', 'audit', 'ledger'],
  ['release', 'paper'],
  ['cli'],
];
const CORE = ['exact', 'pmf', 'privacy', 'random', 'noise', 'mechanism'];
const TOUCHES_THE_SYSTEM = ['cli', 'ledger', 'release'];

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

const imports: Import[] = filesUnder(src)
  .filter((file) => file.endsWith('.ts') && relative(src, file).includes('/'))
  .flatMap((file) => {
    const room = relative(src, file).split('/')[0]!;
    const text = readFileSync(file, 'utf8');
    const targets = [
      ...text.matchAll(/(?:^|\n)(?:import|export)[^;]*?from '([^']+)';/g),
      ...text.matchAll(/import\('([^']+)'\)/g),
    ];
    return targets.map(([, target]) => ({ file: relative(src, file), room, target: target! }));
  });

const level = (room: string) => LEVELS.findIndex((rooms) => rooms.includes(room));

describe('the map', () => {
  it('knows every room, and sees its imports', () => {
    for (const room of readdirSync(src).filter((name) => !name.includes('.')))
      expect([room, level(room)]).not.toEqual([room, -1]);
    expect(imports.length).toBeGreaterThan(50);
  });

  it('lets imports point one way only', () => {
    const wrong = imports.filter(({ file, room, target }) => {
      if (!target.startsWith('.')) return false;
      const other = relative(src, resolve(src, file, '..', target)).split('/')[0]!;
      return other !== room && level(other) >= level(room);
    });
    expect(wrong).toEqual([]);
  });

  it('lets a room be entered by its index only', () => {
    const wrong = imports.filter(({ file, room, target }) => {
      if (!target.startsWith('..')) return false;
      const path = relative(src, resolve(src, file, '..', target));
      return path.split('/')[0] !== room && !path.endsWith('/index.js');
    });
    expect(wrong).toEqual([]);
  });

  it('keeps the trusted core free of dependencies and of Node', () => {
    expect(imports.filter(({ room, target }) => CORE.includes(room) && !target.startsWith('.'))).toEqual([]);
  });

  it('lets only a few rooms touch files and processes', () => {
    const wrong = imports.filter(
      ({ room, target }) => target.startsWith('node:') && !TOUCHES_THE_SYSTEM.includes(room),
    );
    expect(wrong).toEqual([]);
  });

  it('runs nothing at import but the command itself', () => {
    for (const file of filesUnder(src).filter((path) => path.endsWith('.ts') && !path.endsWith('main.ts'))) {
      const bare = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /^[a-zA-Z.]+\(.*[;({]\s*$/.test(line));
      expect([relative(src, file), bare]).toEqual([relative(src, file), []]);
    }
  });
});

describe('the project', () => {
  it('names every file of docs/ and proofs/ that its sources point to', () => {
    const pointers = filesUnder(src).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:proofs|docs)\/[a-z-]+\.(?:md|py)/g)].map(([path]) => path),
    );
    for (const path of new Set(pointers)) expect(statSync(join(src, '..', path)).isFile()).toBe(true);
    expect(pointers.length).toBeGreaterThan(3);
  });

  it('resolves every citation in REFERENCES.md', () => {
    const references = readFileSync(join(src, '../REFERENCES.md'), 'utf8');
    const cited = filesUnder(src).flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(/\[([A-Z]{2,}[0-9]{0,2}|van Herk|RFC 4180)(?:, [^\]]*)?\]/g),
      ].map(([, key]) => key!),
    );
    for (const key of new Set(cited)) expect(references).toContain(`**[${key}]**`);
    expect(cited.length).toBeGreaterThan(5);
  });

  it('exports every library room by its own sub-path', () => {
    const { exports } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8')) as {
      exports: Record<string, unknown>;
    };
    for (const room of readdirSync(src).filter((name) => !name.includes('.') && name !== 'cli')) {
      expect(Object.keys(exports)).toContain(`./${room}`);
    }
  });
});
