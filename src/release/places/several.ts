// Several files as one input: those of a folder, or whose names match a pattern, in the order of their names. Each is opened once.

import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { wrong } from '../../error/index.js';
import { type OpenedFile, openFile, sameFile } from '../../files/index.js';
import { parseHeader } from '../../rows/index.js';
import { type Format, formatOf } from '../formats/index.js';
import { crowdedIn, type Opening, type Source } from '../source.js';
import { openIn } from './file.js';
import { joinedText, otherColumns } from './joined-text.js';
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
  const known = new Map<string, string>();
  for (const path of found) {
    // One that leads nowhere is told when it is opened.
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) continue;
    const file = `${found.dev} ${found.ino}`;
    const other = known.get(file);
    if (other !== undefined)
      throw wrong(
        `${path}: this is ${other} once more, whose rows would be there twice; name every file once`,
      );
    known.set(file, path);
  }
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
  // Links that lead nowhere are no files, and those to folders are not followed by **.
  const is = (path: string) => statSync(path, { throwIfNoEntry: false });
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
          .filter((name) => !/^[._]/.test(name) && lstatSync(path(name)).isDirectory())
          .flatMap((name) => walk(path(name), at)),
      ];
    if (!/[*?[]/.test(part) && !last) return walk(part === '' ? sep : path(part), at + 1);
    const test = patternOf(part);
    const found = names.filter((name) => test.test(name) && (/^[._]/.test(part) || !/^[._]/.test(name)));
    if (last) return found.map(path).filter((file) => is(file)?.isFile());
    return found.filter((name) => is(path(name))?.isDirectory()).flatMap((name) => walk(path(name), at + 1));
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
  try {
    return new RegExp(`^${text}$`, 'su');
  } catch {
    throw wrong(`${pattern}: expected a pattern such as 'part-*.csv' or 'part-[0-9].csv'`);
  }
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
    // What is written into the folder would be read the next time.
    isSame: (place) =>
      (place.path !== null && existsSync(address) && resolve(address) === dirname(resolve(place.path))) ||
      paths.some((path) => place.path !== null && sameFile(path, place.path)),
    open: async ({ engine, delimiter, guarded = [] }) => {
      // What is unpacked or decoded on the way goes through one pipe.
      if (format.text && (encoding !== null || format.packed))
        return poured(paths, format, { engine, delimiter, shown, guarded }, encoding);
      const sources: Source[] = [];
      try {
        for (const path of paths)
          sources.push(
            await openIn(openFile(path, basename(path)), format, {
              ...{ engine, delimiter, encoding },
              ...{ shown: basename(path), whole: shown, guarded },
            }),
          );
        return joined(sources, shown, engine);
      } catch (error) {
        for (const source of sources) await source.close();
        throw error;
      }
    },
    checkOutput: async () => undefined,
    hold: async () => null,
    write: () => Promise.reject(wrong(`${shown}: name one file to write`)),
    quantiles: async () => null,
  };
}

/** Text that goes through a pipe: the files one after the other. */
async function poured(
  paths: readonly string[],
  format: Format,
  opening: Opening,
  encoding: string | null,
): Promise<Source> {
  const files: OpenedFile[] = [];
  const close = () => {
    for (const file of files) file.close();
  };
  try {
    for (const path of paths) files.push(openFile(path, basename(path)));
    const parts = files.map((file, i) => {
      const name = basename(paths[i]!);
      return {
        shown: name,
        text: () => format.text!(file, encoding, encoding === null ? name : opening.shown),
      };
    });
    const all = () =>
      joinedText(
        opening.shown,
        parts,
        (line) => opening.delimiter ?? parseHeader(line, null, true, opening.shown)!.delimiter,
      );
    const source = await (format.packed?.as ?? format).openStream!(all(), opening, all);
    return {
      ...source,
      check: () => {
        for (const file of files) file.check();
      },
      close: async () => {
        await source.close();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** One source after the other, all with the same columns. */
function joined(sources: readonly Source[], shown: string, engine: Parameters<typeof crowdedIn>[0]): Source {
  const first = sources[0]!;
  for (const { columns, shown: name } of sources) {
    const at = first.columns.findIndex(
      (own, i) =>
        columns[i]?.name !== own.name || columns[i].type !== own.type || columns[i].cast !== own.cast,
    );
    if (at >= 0 || columns.length !== first.columns.length) throw otherColumns(name, first.shown);
  }
  const relation = () =>
    `(${sources.map((source) => `SELECT * FROM ${source.relation()}`).join(' UNION ALL ')})`;
  return {
    shown,
    columns: first.columns,
    named: first.named,
    relation,
    rereadable: true,
    crowded: crowdedIn(engine, { columns: first.columns, relation }),
    rows: sources.some(({ rows }) => rows === null)
      ? null
      : sources.reduce((sum, { rows }) => sum + rows!, 0),
    delimiter: first.delimiter,
    feed: async () => undefined,
    check: () => {
      for (const source of sources) source.check();
    },
    close: async () => {
      for (const source of sources) await source.close();
    },
  };
}
