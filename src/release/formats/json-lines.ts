// JSON lines for DuckDB: every value as the text it is, through a named pipe. A first reading finds the keys.

import { badData } from '../../error/index.js';
import { bytesOf, type OpenedFile } from '../../files/index.js';
import {
  cellOf,
  checkedMembers,
  checkNames,
  type Key,
  keyCollector,
  type Member,
  personIn,
} from '../../rows/index.js';
import { jsonLines } from '../json-lines-stream.js';
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

/** All keys in the order they first come. */
export async function keysOf(file: OpenedFile, shown: string): Promise<ReadonlyMap<string, Key>> {
  const { keys, add } = keyCollector();
  for await (const { members, line } of objects(file, shown)) add(members, line);
  if (keys.size === 0) throw badData(`${shown}: the file is empty; expected a JSON object on each line`);
  return keys;
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
