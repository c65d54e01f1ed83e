// The map of ARCHITECTURE.md, enforced: imports point one way, and the trusted core stays bare.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** Each level may import the levels before it and nothing else; rooms of one level do not import each other. */
const LEVELS = [
  ['error'],
  ['exact', 'postgres'],
  ['pmf', 'density', 'files'],
  ['privacy', 'random', 'plot'],
  ['noise'],
  ['mechanism', 'prior'],
  ['spec'],
  ['solve', 'account'],
  ['design', 'recover', 'audit', 'ledger'],
  ['terms'],
  ['report', 'rows'],
  ['release', 'paper'],
  ['door'],
  ['cli'],
];
/** Commands that readers are shown, and names of colours. */
const SHOWN = /`discreet ledger check|\$\{COMMAND\} |var\(--|--[a-z]+: #/;
const CORE = ['error', 'exact', 'pmf', 'density', 'privacy', 'random', 'noise', 'mechanism'];
const TOUCHES_THE_SYSTEM = ['cli', 'files', 'ledger', 'release'];
/** Files of more lines than this say why in their first comment. */
const LONG = 300;

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

/** What each file of the sources imports from the others, as paths; `whenCalled` are imports that are loaded later. */
const graph = new Map(
  filesUnder(src)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      const paths = (pattern: RegExp) =>
        [...text.matchAll(pattern)].map(([, target]) => target!).filter((target) => target.startsWith('.'));
      const resolved = (target: string) => resolve(file, '..', target).replace(/\.js$/, '.ts');
      return [
        file,
        {
          imports: paths(/(?:^|\n)(?:import|export)[^;]*?from '([^']+)';/g).map(resolved),
          values: paths(/(?:^|\n)(?:import|export) (?!type )[^;]*?from '([^']+)';/g).map(resolved),
          whenCalled: paths(/import\('([^']+)'\)/g).map(resolved),
          outside: [...text.matchAll(/(?:^|\n)import (?!type )[^;]*?from '([^'.][^']*)';/g)].map(
            ([, target]) => target!,
          ),
        },
      ] as const;
    }),
);

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

  it('has no cycle between files', () => {
    const done = new Set<string>();
    const walk = (file: string, path: readonly string[]): readonly string[] | null => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return null;
      const { imports: own, whenCalled } = graph.get(file)!;
      for (const next of [...own, ...whenCalled]) {
        const found = walk(next, [...path, file]);
        if (found) return found;
      }
      done.add(file);
      return null;
    };
    const cycles = [...graph.keys()].map((file) => walk(file, [])?.map((name) => relative(src, name)));
    expect(cycles.filter((cycle) => cycle !== undefined)).toEqual([]);
    expect(graph.size).toBeGreaterThan(150);
  });

  it('lets the front door and the rules of the ledger run where there is no Node', () => {
    for (const start of [
      'index.ts',
      'ledger/index.ts',
      'design/index.ts',
      'plot/index.ts',
      'account/index.ts',
      'terms/index.ts',
      'report/index.ts',
      'rows/index.ts',
    ]) {
      const reached = new Set<string>();
      const walk = (file: string) => {
        if (reached.has(file)) return;
        reached.add(file);
        graph.get(file)!.values.forEach(walk);
      };
      walk(join(src, start));
      const outside = [...reached].flatMap((file) =>
        graph.get(file)!.outside.map((target) => `${relative(src, file)}: ${target}`),
      );
      expect([start, outside]).toEqual([start, []]);
      expect(reached.size).toBeGreaterThan(3);
    }
  });

  it('names flags in the command alone', () => {
    const named = [...graph.keys()]
      .filter((file) => !relative(src, file).startsWith('cli/'))
      .flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => /[`' (]--[a-z]{2}/.test(line) && !SHOWN.test(line))
          .map((line) => `${relative(src, file)}: ${line.trim()}`),
      );
    expect(named).toEqual([]);
  });

  it('lists what a room gives by name, and lets few files be long, which say why', () => {
    for (const file of graph.keys()) expect(readFileSync(file, 'utf8')).not.toMatch(/^export \*/m);
    const long = [...graph.keys()].filter((file) => readFileSync(file, 'utf8').split('\n').length > LONG);
    expect(long.length).toBeLessThanOrEqual(3);
    for (const file of long) expect(readFileSync(file, 'utf8')).toMatch(/^\/\/[^\n]*(?:\n\/\/[^\n]*)*long/);
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

describe('the studio', () => {
  const studio = join(src, '../studio/src');
  const imported = filesUnder(studio).flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:^|\n)(?:import|export)[^;]*?from '([^']+)';|import\('([^']+)'\)/g,
      ),
    ]
      .map(([, own, later]) => own ?? later)
      .map((target) => ({
        file: relative(studio, file),
        target: target!,
        to: target!.startsWith('.') ? relative(studio, resolve(file, '..', target!)) : target!,
      })),
  );

  it('knows the package by its public names alone', () => {
    const { exports } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8')) as {
      exports: Record<string, unknown>;
    };
    const known = Object.keys(exports).map((name) => name.replace(/^\./, 'discreet-dp'));
    const others = ['preact', 'preact/hooks', 'hyparquet', 'hyparquet-compressors', 'hyparquet-writer'];
    const outside = imported.filter(({ to }) => to.startsWith('..') && !to.startsWith('../../examples/'));
    expect(outside).toEqual([]);
    const strangers = imported.filter(
      ({ target }) => !target.startsWith('.') && ![...known, ...others].includes(target),
    );
    expect(strangers).toEqual([]);
    expect(imported.length).toBeGreaterThan(100);
  });

  it('has rooms that do not know each other', () => {
    const rooms = ['protect', 'design', 'explore', 'check'];
    const roomOf = (path: string) => rooms.find((room) => path.startsWith(`${room}/`));
    const wrong = imported.filter(
      ({ file, to }) => roomOf(file) && roomOf(to) && roomOf(file) !== roomOf(to),
    );
    expect(wrong).toEqual([]);
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
    // Citations stand in comments: elsewhere brackets hold names of constants.
    const comments = (file: string) =>
      (readFileSync(file, 'utf8').match(/\/\/.*|\/\*[\s\S]*?\*\//g) ?? []).join('\n');
    const cited = filesUnder(src).flatMap((file) =>
      [
        ...comments(file).matchAll(/\[([A-Z]{2,}[0-9]{0,2}|van Herk|RFC 4180|FIPS 180-4)(?:, [^\]]*)?\]/g),
      ].map(([, key]) => key!),
    );
    for (const key of new Set(cited)) expect(references).toContain(`**[${key}]**`);
    expect(cited.length).toBeGreaterThan(5);
  });

  it('exports every library room by its own sub-path', () => {
    const { exports } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8')) as {
      exports: Record<string, unknown>;
    };
    for (const room of readdirSync(src).filter(
      (name) => !name.includes('.') && name !== 'cli' && name !== 'door',
    )) {
      expect(Object.keys(exports)).toContain(`./${room}`);
    }
  });
});
