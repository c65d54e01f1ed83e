// Several files as one input: those of a folder, or whose names match a pattern, in the order of their names. Each is opened once.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { badData, wrong } from '../../error/index.js';
import { openFile, sameFile } from '../../files/index.js';
import { formatOf } from '../formats/index.js';
import { crowdedIn, type Source } from '../source.js';
import { openIn } from './file.js';
import type { Place } from './place.js';

/** So many can be open at once. */
const MOST_FILES = 500;

/** The files that an address stands for; null where it is the name of one. */
export function filesOf(address: string): readonly string[] | null {
  const isFolder = existsSync(address) && statSync(address).isDirectory();
  if (!isFolder && (existsSync(address) || !/[*?[]/.test(address))) return null;
  const found = isFolder ? inFolder(address) : matching(address);
  if (found.length === 0)
    throw wrong(
      isFolder
        ? `${address}: there are no files in this folder; name one that holds some`
        : `${address}: no file has such a name`,
    );
  if (found.length > MOST_FILES)
    throw wrong(
      `${address}: there are ${found.length} files; expected at most ${MOST_FILES}, so join some first`,
    );
  const laid = found.find((path) =>
    path
      .split(sep)
      .slice(0, -1)
      .some((part) => /^[^=]+=./.test(part)),
  );
  if (laid !== undefined)
    throw wrong(
      `${address}: a folder there is named like a column and its value, which the files themselves do not hold; write them with that column first`,
    );
  return found;
}

/** Files of a folder, without hidden ones and those that engines leave beside their data. */
function inFolder(folder: string): string[] {
  const all = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !/^[._]/.test(name));
  if (all.some((entry) => entry.isDirectory()))
    throw wrong(`${folder}: there are folders in it; name the files, as in '${join(folder, '**', '*.csv')}'`);
  return all.map(({ name }) => join(folder, name)).sort();
}

/** Hidden files, and those that engines leave, are found where the pattern begins as they do. `*` and `?` stand for characters of a name, `[abc]` for one of them, `**` for any folders. */
function matching(pattern: string): string[] {
  const parts = pattern.split(/[/\\]/);
  const walk = (base: string, at: number): string[] => {
    const part = parts[at]!;
    const last = at === parts.length - 1;
    const here = base === '' ? '.' : base;
    const names = existsSync(here) && statSync(here).isDirectory() ? readdirSync(here).sort() : [];
    const path = (name: string) => (base === '' ? name : join(base, name));
    if (part === '**' && !last)
      return [
        ...walk(base, at + 1),
        ...names
          .filter((name) => !/^[._]/.test(name) && statSync(path(name)).isDirectory())
          .flatMap((name) => walk(path(name), at)),
      ];
    if (!/[*?[]/.test(part) && !last) return walk(part === '' ? sep : path(part), at + 1);
    const test = patternOf(part);
    const found = names.filter((name) => test.test(name) && (/^[._]/.test(part) || !/^[._]/.test(name)));
    if (last) return found.map(path).filter((file) => statSync(file).isFile());
    return found
      .filter((name) => statSync(path(name)).isDirectory())
      .flatMap((name) => walk(path(name), at + 1));
  };
  return [...new Set(walk('', 0))].sort();
}

/** Of one name. */
export function patternOf(pattern: string): RegExp {
  const text = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\[!/g, '[^')
    .replace(/\[(?![^\]]*\])/g, '\\[')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${text}$`, 'su');
}

/** All of one format, with the same columns. */
export function severalPlace(
  address: string,
  paths: readonly string[],
  given: string | null,
  encoding: string | null,
): Place {
  const known = paths.map((path) => formatOf(path, given, 'inputFormat'));
  const format = known[0]!;
  const other = known.findIndex(({ name }) => name !== format.name);
  const shown = basename(resolve(address));
  if (other >= 0)
    throw wrong(
      `${shown}: ${basename(paths[0]!)} is ${format.name}, and ${basename(paths[other]!)} is ${known[other]!.name}; name files of one format`,
    );
  if (format.keyed || format.writeRows)
    throw wrong(
      `${shown}: several files can be CSV, TSV or Parquet; join files of ${format.name} into one first`,
    );
  return {
    kind: 'file',
    name: /[*?[]/.test(shown) ? null : shown,
    shown,
    path: null,
    paths,
    format,
    query: null,
    isSame: (place) => paths.some((path) => place.path !== null && sameFile(path, place.path)),
    open: async ({ engine, delimiter }) => {
      const sources: Source[] = [];
      try {
        for (const path of paths)
          sources.push(
            await openIn(openFile(path, basename(path)), format, {
              ...{ engine, delimiter, encoding },
              shown: basename(path),
            }),
          );
        return joined(sources, shown, engine);
      } catch (error) {
        for (const source of sources) await source.close();
        throw error;
      }
    },
    checkOutput: async () => undefined,
    write: () => Promise.reject(wrong(`${shown}: name one file to write`)),
    quantiles: async () => null,
  };
}

/** One source after the other, all with the same columns. */
function joined(sources: readonly Source[], shown: string, engine: Parameters<typeof crowdedIn>[0]): Source {
  const first = sources[0]!;
  for (const { columns, shown: name } of sources) {
    const at = first.columns.findIndex(
      (own, i) => columns[i]?.name !== own.name || columns[i].type !== own.type,
    );
    if (at >= 0 || columns.length !== first.columns.length)
      throw badData(
        `${name}: its columns are not those of ${first.shown}, by name, order and type; make them alike, or release the files one by one`,
      );
  }
  const rereadable = sources.every((source) => source.rereadable);
  const relation = () =>
    `(${sources.map((source) => `SELECT * FROM ${source.relation()}`).join(' UNION ALL ')})`;
  return {
    shown,
    columns: first.columns,
    named: first.named,
    relation,
    rereadable,
    crowded: rereadable ? crowdedIn(engine, { columns: first.columns, relation }) : null,
    rows: sources.some(({ rows }) => rows === null)
      ? null
      : sources.reduce((sum, { rows }) => sum + rows!, 0),
    delimiter: first.delimiter,
    feed: async () => {
      await Promise.all(sources.map((source) => source.feed()));
    },
    check: () => {
      for (const source of sources) source.check();
    },
    close: async () => {
      for (const source of sources) await source.close();
    },
  };
}
