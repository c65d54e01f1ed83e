// JSON lines for DuckDB: every value as the text it is, through a named pipe. A first reading finds the keys.

import { badData } from '../../error/index.js';
import { bytesOf, type OpenedFile } from '../../files/index.js';
import { checkNames } from '../checks.js';
import { jsonLines, type Member, membersOf } from '../json-line.js';
import { personOf } from '../person.js';
import { poured } from '../poured.js';
import type { Opening, Source } from '../source.js';
import { csvLine } from '../sql.js';
import type { Format } from './format.js';

export const jsonLinesFormat: Format = {
  name: 'jsonl',
  extensions: ['.jsonl', '.ndjson'],
  typed: true,
  keyed: true,
  open: jsonLinesSource,
  openStream: null,
  writeSql: () => 'FORMAT json, ARRAY false',
  readSql: (path) => `read_json(${path}, format = 'newline_delimited', hive_partitioning = false)`,
};

async function jsonLinesSource(file: OpenedFile, { shown }: Opening): Promise<Source> {
  const keys = await keysOf(file, shown);
  const names = [...keys.keys()];
  checkNames(names, shown, false);
  const rows = async function* () {
    for await (const { members, line } of objects(file, shown)) {
      const cells = new Map(members.map((member) => [member.key, cellOf(member, line)]));
      yield Buffer.from(csvLine(names.map((name) => cells.get(name) ?? null)));
    }
  };
  const inner = poured({ names, delimiter: ',' }, shown, Buffer.from(csvLine(names)), batched(rows()));
  return {
    ...inner,
    delimiter: null,
    named: false,
    columns: inner.columns.map((column) => {
      const { type, nested, inside } = keys.get(column.name)!;
      return {
        ...column,
        cast: type ?? null,
        doubt: nested ? ('nested' as const) : null,
        inside: [...inside],
      };
    }),
    crowded: async (column, most) => {
      const counts = new Map<string | null, number>();
      for await (const { members, line } of objects(file, shown)) {
        const member = members.find(({ key }) => key === column);
        const id = member ? personIn(member, line) : null;
        const count = (counts.get(id) ?? 0) + 1;
        if (count > most) return true;
        counts.set(id, count);
      }
      return false;
    },
  };
}

async function* objects(
  file: OpenedFile,
  shown: string,
): AsyncGenerator<{ members: Member[]; line: string }> {
  let number = 0;
  for await (const { lines } of jsonLines(bytesOf(file), shown)) {
    for (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      yield { members: checkedMembers(line, number, shown), line };
    }
  }
}

/** The members of a line, or what is wrong with it. */
export function checkedMembers(line: string, number: number, shown: string): Member[] {
  const members = membersOf(line);
  if (!members) throw badData(`${shown}, line ${number}: expected a JSON object`);
  if (new Set(members.map(({ key }) => key)).size !== members.length)
    throw badData(`${shown}, line ${number}: a key is there twice`);
  return members;
}

interface Key {
  /** The type that holds all its values as they are: null is text, undefined not known yet. */
  type: string | null | undefined;
  nested: boolean;
  readonly inside: Set<string>;
}

/** All keys in the order they first come. */
export async function keysOf(file: OpenedFile, shown: string): Promise<Map<string, Key>> {
  const keys = new Map<string, Key>();
  for await (const { members, line } of objects(file, shown)) {
    for (const member of members) {
      const text = line.slice(member.start, member.end);
      const type = typeOf(text);
      const known = keys.get(member.key) ?? { type: undefined, nested: false, inside: new Set() };
      if (type !== undefined) known.type = known.type === undefined || known.type === type ? type : null;
      if (isNested(text)) {
        known.nested = true;
        for (const name of namesInside(text)) known.inside.add(name);
      }
      keys.set(member.key, known);
    }
  }
  if (keys.size === 0) throw badData(`${shown}: the file is empty; expected a JSON object on each line`);
  return keys;
}

export function isNested(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

/** All keys within a nested value, from its text: of a key that is there twice, what is read is the last, and what leaves is both. */
export function namesInside(text: string): string[] {
  const names: string[] = [];
  const next = /\S/g;
  for (const { 0: string, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g)) {
    next.lastIndex = index + string.length;
    if (next.exec(text)?.[0] === ':') names.push(JSON.parse(string) as string);
  }
  return names;
}

/** Undefined for null, which any type holds. */
function typeOf(text: string): string | null | undefined {
  if (text === 'null') return undefined;
  if (text === 'true' || text === 'false') return 'BOOLEAN';
  if (/^-?\d{1,18}$/.test(text)) return 'BIGINT';
  // A double only where it is written in the same digits again.
  return /^-?\d+\.\d+$/.test(text) && String(Number(text)) === text ? 'DOUBLE' : null;
}

/** A string's characters; of all else the text itself. */
function cellOf({ start, end }: Member, line: string): string | null {
  const text = line.slice(start, end);
  if (text === 'null') return null;
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** Whose row it is, by this member; null for nobody. */
export function personIn(member: Member, line: string): string | null {
  const cell = cellOf(member, line);
  return cell === null ? null : personOf(cell);
}

/** Many small pieces as fewer large ones. */
async function* batched(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [waiting, size]: [Buffer[], number] = [[], 0];
  for await (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < 1 << 16) continue;
    yield Buffer.concat(waiting);
    [waiting, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(waiting);
}
