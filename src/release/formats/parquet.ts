// A Parquet file for DuckDB: its columns by position, with the names that the file gives them and those inside of nested ones.

import type { OpenedFile } from '../../files/index.js';
import { checkNames, sameButForCase } from '../../rows/index.js';
import { single } from '../engine.js';
import { engineFailure } from '../failure.js';
import { globless } from '../poured.js';
import { atRest, type Column, crowdedIn, type Opening, type Source } from '../source.js';
import { identifier, literal } from '../sql.js';
import type { Format } from './format.js';

export const parquet: Format = {
  name: 'parquet',
  extensions: ['.parquet', '.pq'],
  typed: true,
  keyed: false,
  open: parquetSource,
  openStream: null,
  writeSql: () => 'FORMAT parquet',
  readSql,
};

function readSql(path: string): string {
  return `read_parquet(${path}, hive_partitioning = false)`;
}

async function parquetSource({ path: opened }: OpenedFile, { engine, shown }: Opening): Promise<Source> {
  const path = literal(globless(opened));
  const file = readSql(path);
  const [rows, names, described] = await attempt(
    shown,
    async () =>
      [
        await single<bigint>(engine, `SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(${path})`),
        await engine.rows(`SELECT name, coalesce(num_children, 0)::INTEGER FROM parquet_schema(${path})`),
        await engine.rows(`DESCRIBE SELECT * FROM ${file}`),
      ] as const,
  );
  const written = topLevel(names.map(([name, children]) => [String(name), Number(children)]));
  checkNames(
    written.map(({ name }) => name),
    shown,
  );
  // By position, so that no name of the file meets one of ours.
  const columns = described.map(([name, type], i): Column => {
    // The engine renames columns that differ only in case.
    if (written[i]?.name !== String(name)) throw sameButForCase(shown, written[i]?.name ?? null);
    return {
      name: String(name),
      tableName: null,
      doubt: isNested(String(type)) ? 'nested' : null,
      inside: written[i]!.inside,
      type: String(type),
      sql: `"column ${i}"`,
      cast: null,
    };
  });
  const list = columns.map(({ name, sql }) => `${identifier(name)} AS ${sql}`).join(', ');
  const relation = `(SELECT ${list} FROM ${file})`;
  return {
    ...atRest,
    shown,
    columns,
    named: true,
    relation: () => relation,
    crowded: crowdedIn(engine, { columns, relation: () => relation }),
    rows: Number(rows),
    delimiter: null,
  };
}

/** A type of DuckDB that holds values within a value. */
function isNested(type: string): boolean {
  return /\[\d*\]$|^(?:STRUCT|MAP|UNION|JSON|VARIANT)\b/.test(type);
}

/** The columns of a Parquet schema, which lists them depth first after their root, with the names inside of each. */
function topLevel(nodes: readonly (readonly [name: string, children: number])[]) {
  const columns: { name: string; inside: string[] }[] = [];
  for (let at = 1; at < nodes.length; ) {
    const [name, children] = nodes[at++]!;
    const inside: string[] = [];
    for (let left = children; left > 0 && at < nodes.length; left--) {
      const [inner, more] = nodes[at++]!;
      inside.push(inner);
      left += more;
    }
    columns.push({ name, inside });
  }
  return columns;
}

async function attempt<T>(shown: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw engineFailure(error, shown, shown);
  }
}
