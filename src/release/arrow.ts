// Arrow batches: read from a stream or a file, written to a place that takes its time, and what their cells say. Only the files named
// after it know its library.

import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Data, DataType, Field, RecordBatch, Schema } from 'apache-arrow';
import { badData, isOurs, optional } from '../error/index.js';
import { bytesOf, type OpenedFile, spool } from '../files/index.js';
import type { InputColumn } from '../terms/index.js';
import { followed, readOn } from './arrow-stream.js';

export type Arrow = typeof import('apache-arrow');

/** It is large: only those who have Arrow data load it. */
export function loadArrow(): Promise<Arrow> {
  return optional('apache-arrow', () => import('apache-arrow'));
}

export interface Batches {
  readonly schema: Schema;
  /** Once. */
  readonly all: () => AsyncGenerator<RecordBatch>;
  /** Give back what was opened. */
  readonly close: () => Promise<void>;
}

/** A file or a stream of batches: one that is cut off, wherever that is, fails. */
export async function openBatches(
  arrow: Arrow,
  input: OpenedFile | AsyncIterable<Uint8Array>,
  shown: string,
): Promise<Batches> {
  if (!(Symbol.asyncIterator in input))
    return isMarked(input) ? fileBatches(arrow, input, shown) : streamBatches(arrow, bytesOf(input), shown);
  const { marked, bytes } = await begun(input);
  if (!marked) return streamBatches(arrow, bytes, shown);
  // A file has its index at its end, and is read from there.
  const kept = await spool(bytes);
  return fileBatches(arrow, kept, shown, kept.close);
}

async function fileBatches(
  arrow: Arrow,
  { path }: OpenedFile,
  shown: string,
  close = () => {},
): Promise<Batches> {
  const handle = await open(path, 'r');
  let isOpen = true;
  const over = async () => {
    if (!isOpen) return;
    isOpen = false;
    await handle.close();
    close();
  };
  try {
    const reader = await arrow.RecordBatchReader.from(handle);
    await reader.open();
    return {
      schema: reader.schema,
      all: async function* () {
        try {
          yield* reader;
        } catch (error) {
          throw readable(error, shown);
        }
      },
      close: over,
    };
  } catch (error) {
    await over();
    throw readable(error, shown);
  }
}

async function streamBatches(
  arrow: Arrow,
  bytes: AsyncIterable<Uint8Array>,
  shown: string,
): Promise<Batches> {
  const stream = readOn(followed(arrow, bytes, shown));
  try {
    const reader = await arrow.RecordBatchReader.from(stream.bytes);
    await reader.open();
    if (!reader.schema) throw badData(`${shown}: it is empty; expected an Arrow stream or file`);
    return {
      schema: reader.schema,
      all: async function* () {
        try {
          yield* reader;
          await stream.finish();
        } catch (error) {
          throw readable(error, shown);
        }
      },
      close: async () => undefined,
    };
  } catch (error) {
    throw readable(error, shown);
  }
}

const MARK = Buffer.from('ARROW1');

/** A file begins with a mark, which a stream has not. */
function isMarked({ file }: OpenedFile): boolean {
  const start = Buffer.alloc(MARK.length);
  readSync(file, start, 0, MARK.length, 0);
  return start.equals(MARK);
}

/** Whether it begins as a file does, and all of it. */
async function begun(input: AsyncIterable<Uint8Array>) {
  const rest = input[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < MARK.length) {
    const { value, done } = await rest.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const bytes = (async function* () {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
  return { marked: start.subarray(0, MARK.length).equals(MARK), bytes };
}

/** What the library says, without what it quotes. */
function readable(error: unknown, shown: string): unknown {
  if (isOurs(error) || (error as NodeJS.ErrnoException).code !== undefined) return error;
  const message = error instanceof Error ? error.message : '';
  return badData(
    /compress|codec/i.test(message)
      ? `${shown}: its Arrow batches are compressed, which is not read here; write them without compression (IpcWriteOptions(compression=None) in pyarrow, compression="uncompressed" in to_feather of pandas), or release Parquet`
      : `${shown}: it is no Arrow stream or file, or a damaged one; name its format with {inputFormat}`,
  );
}

/** Nested columns may hold anything, protected values too. */
export function inputColumn(arrow: Arrow, { name, type }: Field): InputColumn {
  const inside: string[] = [];
  const walk = (of: DataType) => {
    for (const child of (of.children ?? []) as Field[]) {
      inside.push(child.name);
      walk(child.type);
    }
  };
  walk(type);
  const isNested = inside.length > 0 && !arrow.DataType.isDictionary(type);
  const { DataType } = arrow;
  const of = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
  const oneText = DataType.isUtf8(of) || DataType.isLargeUtf8(of) || DataType.isInt(of);
  return { name, tableName: null, doubt: isNested ? 'nested' : null, inside, oneText };
}

/** Values with NULL where they are marked so. */
export function withNulls<P extends object>(props: P, isNull: Uint8Array): P & object {
  const bitmap = new Uint8Array(Math.ceil(isNull.length / 8));
  let nullCount = 0;
  for (let i = 0; i < isNull.length; i++)
    if (isNull[i]) nullCount++;
    else bitmap[i >> 3]! |= 1 << (i & 7);
  return { ...props, length: isNull.length, nullCount, nullBitmap: bitmap };
}

/** 128 bits each, the lower half first. */
export function decimalData(values: readonly bigint[] | BigInt64Array, unit: bigint): Uint32Array {
  const words = new BigUint64Array(2 * values.length);
  for (let i = 0; i < values.length; i++) {
    const scaled = BigInt.asUintN(128, values[i]! * unit);
    words[2 * i] = BigInt.asUintN(64, scaled);
    words[2 * i + 1] = scaled >> 64n;
  }
  return new Uint32Array(words.buffer);
}

export function batchOf(arrow: Arrow, schema: Schema, length: number, children: Data[]): RecordBatch {
  const type = new arrow.Struct(schema.fields);
  return new arrow.RecordBatch(schema, arrow.makeData({ type, length, nullCount: 0, children }));
}

export interface BatchWriter {
  /** Returns when it has been taken. */
  readonly write: (batch: RecordBatch) => Promise<void>;
  /** Its end says that it is whole. */
  readonly finish: () => Promise<void>;
  /** What has failed has no end. */
  readonly abort: () => void;
}

/** A stream for pipes, or a file, which has an index at its end. */
export function batchWriter(
  arrow: Arrow,
  kind: 'stream' | 'file',
  schema: Schema,
  take: (bytes: Uint8Array) => void | Promise<void>,
): BatchWriter {
  const writer = new (kind === 'file' ? arrow.RecordBatchFileWriter : arrow.RecordBatchStreamWriter)();
  const queue = new arrow.AsyncByteQueue();
  let [given, taken] = [0, 0];
  const plain = queue.write.bind(queue);
  queue.write = (bytes: Uint8Array) => {
    given += bytes.byteLength;
    plain(bytes);
  };
  writer.reset(queue, schema);
  let caughtUp = () => {};
  const all = (async () => {
    for await (const bytes of queue) {
      await take(bytes);
      taken += bytes.byteLength;
      if (taken === given) caughtUp();
    }
  })();
  all.catch(() => undefined);
  return {
    write: async (batch) => {
      writer.write(batch);
      // Memory holds one batch, however slow the reader is.
      if (taken < given) await Promise.race([new Promise<void>((done) => (caughtUp = done)), all]);
    },
    finish: async () => {
      writer.close();
      await all;
    },
    abort: () => queue.close(),
  };
}
