// JSON lines for DuckDB: every value as the text it is, through a named pipe. A first reading finds the keys.

import { createReadStream } from 'node:fs';
import { InputError } from './failure.js';
import { makeFifo } from './fifo.js';
import { jsonLines, type Member, membersOf } from './json-line.js';
import { csvLine } from './sink.js';
import { checkNames, onFifo, type Source } from './source.js';

export async function jsonLinesSource(path: string, shown: string): Promise<Source> {
  const types = await keysOf(path, shown);
  const names = [...types.keys()];
  checkNames(names, shown);
  const rows = async function* () {
    for await (const { members, line } of objects(path, shown)) {
      const cells = new Map(members.map((member) => [member.key, cellOf(member, line)]));
      yield Buffer.from(csvLine(names.map((name) => cells.get(name) ?? null)));
    }
  };
  const inner = onFifo(
    makeFifo(),
    { names, delimiter: ',' },
    shown,
    Buffer.from(csvLine(names)),
    batched(rows()),
  );
  return {
    ...inner,
    delimiter: null,
    columns: inner.columns.map((column) => ({ ...column, cast: types.get(column.name)! })),
    crowded: async (column, most) => {
      const counts = new Map<string | null, number>();
      for await (const { members, line } of objects(path, shown)) {
        const member = members.find(({ key }) => key === column);
        const id = member ? personOf(member, line) : null;
        const count = (counts.get(id) ?? 0) + 1;
        if (count > most) return true;
        counts.set(id, count);
      }
      return false;
    },
  };
}

async function* objects(path: string, shown: string): AsyncGenerator<{ members: Member[]; line: string }> {
  let number = 0;
  for await (const { lines } of jsonLines(createReadStream(path, { highWaterMark: 1 << 20 }), shown)) {
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
  if (!members) throw new InputError(`${shown}, line ${number}: expected a JSON object`);
  const keys = members.map(({ key }) => key);
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice !== undefined)
    throw new InputError(`${shown}, line ${number}: the key ${JSON.stringify(twice)} is there twice`);
  return members;
}

/** All keys in the order they first come, each with the type that holds all its values as they are; null is text. */
async function keysOf(path: string, shown: string): Promise<Map<string, string | null>> {
  const types = new Map<string, string | null | undefined>();
  for await (const { members, line } of objects(path, shown)) {
    for (const { key, start, end } of members) {
      const type = typeOf(line.slice(start, end));
      const known = types.get(key);
      types.set(key, type === undefined ? known : known === undefined || known === type ? type : null);
    }
  }
  if (types.size === 0)
    throw new InputError(`${shown}: the file is empty; expected a JSON object on each line`);
  return new Map([...types].map(([key, type]) => [key, type ?? null]));
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

/** Who is meant: 1, 1.0 and "1" are one person. */
export function personOf(member: Member, line: string): string | null {
  return cellOf(member, line)?.replace(/^(-?\d+)\.0+$/, '$1') ?? null;
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
