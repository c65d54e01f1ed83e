// A Parquet file for DuckDB: its columns by position, with the names that the file gives them and those inside of nested ones.

import { badData, type DiscreetError, quote } from '../../error/index.js';
import type { OpenedFile } from '../../files/index.js';
import { checkNames, sameButForCase } from '../../rows/index.js';
import { single } from '../engine.js';
import { engineFailure } from '../failure.js';
import { floatSql } from '../float-sql.js';
import { canBeProtected } from '../lattice-sql.js';
import { globless } from '../poured.js';
import { atRest, type Column, crowdedIn, type Opening, type Source } from '../source.js';
import { identifier, literal } from '../sql.js';
import { hasOneText } from '../types.js';
import type { Format } from './format.js';
import { type Leaf, misread } from './parquet-types.js';

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

/** Floats are texts that stand for them. */
function engineColumn(type: string, sql: string): Pick<Column, 'type' | 'sql' | 'raw' | 'cast'> {
  return type === 'FLOAT'
    ? { type: 'VARCHAR', sql: floatSql(sql), raw: sql, cast: type }
    : { type, sql, cast: null };
}

function readSql(path: string): string {
  return `read_parquet(${path}, hive_partitioning = false)`;
}

async function parquetSource({ path: opened }: OpenedFile, { engine, shown }: Opening): Promise<Source> {
  const path = literal(globless(opened));
  const file = readSql(path);
  const [rows, names, described, odd] = await attempt(
    shown,
    async () =>
      [
        await single<bigint>(engine, `SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(${path})`),
        await engine.rows(SCHEMA(path)),
        await engine.rows(`DESCRIBE SELECT * FROM ${file}`),
        await engine.rows(oddChunks(path)),
      ] as const,
  );
  const nodes = names.map(nodeOf);
  const written = topLevel(nodes);
  checkNames(
    written.map(({ name }) => name),
    shown,
  );
  checkTypes(nodes, shown);
  for (const [name, how] of odd) throw notExact(shown, String(name), String(how));
  // By position, so that no name of the file meets one of ours.
  const columns = described.map(([name, type], i): Column => {
    // The engine renames columns that differ only in case.
    if (written[i]?.name !== String(name)) throw sameButForCase(shown, written[i]?.name ?? null);
    return {
      name: String(name),
      tableName: null,
      doubt: isNested(String(type)) ? 'nested' : null,
      inside: written[i]!.inside,
      oneText: hasOneText(String(type)),
      noNumber: canBeProtected(String(type)) ? null : String(type),
      ...engineColumn(String(type), `"column ${i}"`),
    };
  });
  const list = columns.map(({ name }, i) => `${identifier(name)} AS "column ${i}"`).join(', ');
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

const SCHEMA = (path: string) =>
  `SELECT name, coalesce(num_children, 0)::INTEGER, type, type_length, converted_type, logical_type, scale, precision FROM parquet_schema(${path})`;

/** A node of the schema: a column, a part of one, or what holds some. */
type Node = Leaf & { readonly children: number };

function nodeOf([name, children, stored, length, older, newer, scale, precision]: readonly unknown[]): Node {
  const word = (value: unknown) => (value === null ? null : String(value));
  const whole = (value: unknown) => (value === null ? null : Number(value));
  return {
    ...{ name: String(name), children: Number(children), stored: String(stored), length: whole(length) },
    ...{ older: word(older), newer: word(newer), scale: whole(scale), precision: whole(precision) },
  };
}

/** What holds others is a list, a map, or says nothing of itself. */
function checkTypes([, ...nodes]: readonly Node[], shown: string): void {
  for (const node of nodes) {
    const type =
      node.children === 0
        ? misread(node)
        : /^(?:null|ListType|MapType)\b/.test(String(node.newer))
          ? null
          : String(node.newer).replace(/Type\(.*/, '');
    if (type !== null) throw notExact(shown, node.name, type);
  }
}

function notExact(shown: string, name: string, type: string): DiscreetError {
  return badData(
    `${shown}: ${quote(name)} is of the Parquet type ${type}, which is not read exactly, so that it could not even leave as it is; write it as another type, or take it out of the file`,
  );
}

/** What the engine unpacks; of another it would say so only while it reads, after the charge. */
const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'LZ4_RAW', 'ZSTD'].map(literal).join(', ');

/** A column that is packed in another way, or stored in one that the engine takes of floats alone. */
function oddChunks(path: string): string {
  const packed = `compression NOT IN (${CODECS})`;
  return `SELECT path_in_schema, type || if(${packed}, ' compressed with ' || compression, ' split by bytes') FROM parquet_metadata(${path}) WHERE ${packed} OR (encodings LIKE '%BYTE_STREAM_SPLIT%' AND type NOT IN ('FLOAT', 'DOUBLE')) LIMIT 1`;
}

/** The columns of a Parquet schema, which lists them depth first after their root, with the names inside of each. */
function topLevel(nodes: readonly Node[]) {
  const columns: { name: string; inside: string[] }[] = [];
  for (let at = 1; at < nodes.length; ) {
    const { name, children } = nodes[at++]!;
    const inside: string[] = [];
    for (let left = children; left > 0 && at < nodes.length; left--) {
      const inner = nodes[at++]!;
      inside.push(inner.name);
      left += inner.children;
    }
    columns.push({ name, inside });
  }
  return columns;
}

async function attempt<T>(shown: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && /^INTERNAL Error|converted type|DECIMAL requires/i.test(error.message))
      throw badData(`${shown}: a column of it is of a type that is no valid one; write the file anew`);
    throw engineFailure(error, shown, shown);
  }
}
