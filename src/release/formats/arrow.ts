// Arrow batches for DuckDB, which reads and writes none: every value as the text it is, through a named pipe; and back by chunks.

import type { DataType, RecordBatch, Schema } from 'apache-arrow';
import type { OpenedFile } from '../../files/index.js';
import { checkNames, personOf } from '../../rows/index.js';
import {
  type Arrow,
  type Batches,
  batchOf,
  batchWriter,
  decimalData,
  inputColumn,
  loadArrow,
  openBatches,
  withNulls,
} from '../arrow.js';
import { cellTexts } from '../arrow-cells.js';
import { engineType, noNumberOf } from '../arrow-types.js';
import type { Engine } from '../engine.js';
import { poured } from '../poured.js';
import type { Opening, Source } from '../source.js';
import { csvLine, identifier } from '../sql.js';
import type { Format } from './format.js';

export const arrowFormat: Format = {
  name: 'arrow',
  extensions: ['.arrow', '.arrows', '.feather', '.ipc'],
  typed: true,
  keyed: false,
  open: (file, opening) => arrowSource(file, opening, file),
  openStream: (stream, opening) => arrowSource(stream, opening, null),
  writeSql: null,
  writeRows,
  readSql: null,
};

async function arrowSource(
  input: OpenedFile | AsyncIterable<Uint8Array>,
  { shown }: Opening,
  again: OpenedFile | null,
): Promise<Source> {
  const arrow = await loadArrow();
  const batches = await openBatches(arrow, input, shown);
  const { fields } = batches.schema;
  const names = fields.map(({ name }) => name);
  checkNames(names, shown);
  const inner = poured(
    { names, delimiter: ',' },
    shown,
    Buffer.from(csvLine(names)),
    linesOf(arrow, batches, names.length),
  );
  return {
    ...inner,
    delimiter: null,
    columns: inner.columns.map((column, i) => ({
      ...column,
      ...inputColumn(arrow, fields[i]!),
      cast: engineType(arrow, fields[i]!.type),
      noNumber: noNumberOf(arrow, fields[i]!.type),
    })),
    close: async () => {
      await inner.close();
      await batches.close();
    },
    crowded:
      again &&
      (async (column, most) => {
        const at = names.indexOf(column);
        const counts = new Map<string | null, number>();
        const second = await openBatches(arrow, again, shown);
        try {
          for await (const batch of second.all()) {
            const textOf = cellTexts(arrow, batch.getChildAt(at)!);
            for (let i = 0; i < batch.numRows; i++) {
              const text = textOf(i);
              const whose = text === null ? null : personOf(text);
              const count = (counts.get(whose) ?? 0) + 1;
              if (count > most) return true;
              counts.set(whose, count);
            }
          }
        } finally {
          await second.close();
        }
        return false;
      }),
  };
}

const LINES = 4096;

async function* linesOf(arrow: Arrow, batches: Batches, width: number): AsyncGenerator<Buffer> {
  for await (const batch of batches.all()) {
    const texts = Array.from({ length: width }, (_, k) => cellTexts(arrow, batch.getChildAt(k)!));
    for (let at = 0; at < batch.numRows; at += LINES) {
      let lines = '';
      for (let i = at; i < Math.min(at + LINES, batch.numRows); i++)
        lines += csvLine(texts.map((textOf) => textOf(i)));
      yield Buffer.from(lines);
    }
  }
}

/** How a type of the engine is asked for, and how a column of it is made. */
interface Made {
  readonly sql: (column: string) => string;
  readonly type: DataType;
  readonly data: (values: readonly unknown[]) => object;
}

function madeOf(arrow: Arrow, engine: string): Made {
  const numbers = (type: DataType, sql?: Made['sql']): Made => ({
    sql: sql ?? ((column) => column),
    type,
    data: (values) => {
      const { ArrayType } = type as DataType & { ArrayType: new (values: readonly unknown[]) => object };
      const zero = ArrayType.name.startsWith('Big') ? 0n : 0;
      return { data: new ArrayType(values.map((value) => value ?? zero)) };
    },
  });
  const plain: Readonly<Record<string, DataType>> = {
    TINYINT: new arrow.Int8(),
    SMALLINT: new arrow.Int16(),
    INTEGER: new arrow.Int32(),
    BIGINT: new arrow.Int64(),
    UTINYINT: new arrow.Uint8(),
    USMALLINT: new arrow.Uint16(),
    UINTEGER: new arrow.Uint32(),
    UBIGINT: new arrow.Uint64(),
    FLOAT: new arrow.Float32(),
    DOUBLE: new arrow.Float64(),
  };
  if (plain[engine]) return numbers(plain[engine]);
  if (engine === 'DATE')
    return numbers(new arrow.DateDay(), (column) => `(${column} - DATE '1970-01-01')::INTEGER`);
  if (engine === 'TIMESTAMP')
    return numbers(new arrow.TimestampMicrosecond(), (column) => `epoch_us(${column})`);
  if (engine === 'BOOLEAN')
    return {
      sql: (column) => column,
      type: new arrow.Bool(),
      data: (values) => {
        const bits = new Uint8Array(Math.ceil(values.length / 8));
        values.forEach((value, i) => {
          if (value) bits[i >> 3]! |= 1 << (i & 7);
        });
        return { data: bits };
      },
    };
  const decimal = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(engine);
  if (decimal)
    return {
      sql: (column) => `CAST(${column} AS VARCHAR)`,
      type: new arrow.Decimal(Number(decimal[2]), Number(decimal[1]), 128),
      data: (values) => ({
        data: decimalData(
          values.map((value) => BigInt(String(value ?? 0).replace('.', ''))),
          1n,
        ),
      }),
    };
  return {
    sql: (column) => `CAST(${column} AS VARCHAR)`,
    type: new arrow.Utf8(),
    data: (values) => {
      const texts = values.map((value) => Buffer.from((value as string | null) ?? ''));
      const valueOffsets = new Int32Array(values.length + 1);
      for (let i = 0; i < texts.length; i++) valueOffsets[i + 1] = valueOffsets[i]! + texts[i]!.length;
      return { valueOffsets, data: Buffer.concat(texts) };
    },
  };
}

/** Rows that the engine selects, as batches. */
async function writeRows(
  engine: Engine,
  sql: string,
  kind: 'stream' | 'file',
  take: (bytes: Uint8Array) => void | Promise<void>,
): Promise<{ rows: number; finish: () => Promise<void> }> {
  const arrow = await loadArrow();
  const described = await engine.rows(`DESCRIBE ${sql}`);
  const columns = described.map(([name, type]) => ({ name: String(name), ...madeOf(arrow, String(type)) }));
  const schema: Schema = new arrow.Schema(columns.map(({ name, type }) => new arrow.Field(name, type, true)));
  const writer = batchWriter(arrow, kind, schema, take);
  const list = columns.map(({ name, sql: of }) => of(identifier(name))).join(', ');
  const batch = (values: readonly (readonly unknown[])[], count: number): RecordBatch =>
    batchOf(
      arrow,
      schema,
      count,
      columns.map(({ type, data }, k) => {
        const isNull = Uint8Array.from(values[k]!, (value) => (value === null ? 1 : 0));
        return arrow.makeData(withNulls({ type, ...data(values[k]!) }, isNull) as never);
      }),
    );
  let rows = 0;
  try {
    await engine.chunks(`SELECT ${list} FROM (${sql})`, async (values, count) => {
      rows += count;
      await writer.write(batch(values, count));
    });
    if (rows === 0)
      await writer.write(
        batch(
          columns.map(() => []),
          0,
        ),
      );
  } catch (error) {
    writer.abort();
    throw error;
  }
  return { rows, finish: writer.finish };
}
