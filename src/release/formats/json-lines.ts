// JSON lines for DuckDB: every value as the text it is, through a named pipe. A first reading finds the keys.

import { badData } from '../../error/index.js';
import { bytesOf, type OpenedFile } from '../../files/index.js';
import {
  cellOf,
  checkNames,
  type Key,
  keyCollector,
  type Line,
  personIn,
  readLine,
  truth,
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

async function jsonLinesSource(file: OpenedFile, opening: Opening): Promise<Source> {
  const shown = opening.whole ?? opening.shown;
  const keys = await keysOf(file, shown);
  const names = [...keys.keys()];
  checkNames(names, shown, false);
  /** Keys whose booleans are 1 and 0: told before rows are read. */
  let numbers: readonly string[] = [];
  const rows = async function* () {
    for await (const { members, line } of objects(file, shown)) {
      const cells = new Map(
        members.map((member) => {
          const text = line.slice(member.start, member.end);
          const isTruth = (text === 'true' || text === 'false') && numbers.includes(member.key);
          return [member.key, isTruth ? truth(text) : cellOf(member, line)];
        }),
      );
      yield Buffer.from(csvLine(names.map((name) => cells.get(name) ?? null)));
    }
  };
  const inner = poured({ names, delimiter: ',' }, shown, Buffer.from(csvLine(names)), batched(rows()));
  return {
    ...inner,
    delimiter: null,
    named: false,
    asNumbers: (names) => {
      numbers = names;
    },
    columns: inner.columns.map((column) => {
      const { type, nested, inside, oneText } = keys.get(column.name)!;
      return {
        ...column,
        cast: type ?? null,
        doubt: nested ? ('nested' as const) : null,
        inside: [...inside],
        oneText,
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

async function* objects(file: OpenedFile, shown: string): AsyncGenerator<Line> {
  let number = 0;
  for await (const { lines } of jsonLines(bytesOf(file), shown)) {
    for (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      yield readLine(line, number, shown);
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
