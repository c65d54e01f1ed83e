// Arrow batches: read from a stream or a file, written to a place that takes its time, and what their cells say. Only the files named
// after it know its library.

import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Data, DataType, Field, RecordBatch, Schema } from 'apache-arrow';
import { badData, isOurs, optional } from '../error/index.js';
import { bytesOf, type OpenedFile, spool } from '../files/index.js';
import type { InputColumn } from '../terms/index.js';

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

/** Before a message: a mark, and how long its head is; of none there is no more. */
const PREFIX = 8;

/** The same bytes, followed message by message: the one that says that there are no more must be there, and be the last. */
async function* followed(
  arrow: Arrow,
  input: AsyncIterable<Uint8Array>,
  shown: string,
): AsyncGenerator<Uint8Array> {
  const damaged = () =>
    badData(`${shown}: it is no Arrow stream or file, or a damaged one; name its format with {inputFormat}`);
  const heads = headReader(arrow);
  let head = Buffer.alloc(0);
  let body = 0;
  let ended = false;
  let any = false;
  for await (const piece of input) {
    any ||= piece.length > 0;
    for (let at = 0; at < piece.length; ) {
      if (ended)
        throw badData(`${shown}: something follows the end of the Arrow stream; expected one stream`);
      if (body > 0) {
        const passed = Math.min(body, piece.length - at);
        body -= passed;
        at += passed;
        continue;
      }
      const length = head.length < PREFIX ? PREFIX : PREFIX + head.readInt32LE(4);
      const taken = Math.min(length - head.length, piece.length - at);
      head = Buffer.concat([head, piece.subarray(at, at + taken)]);
      at += taken;
      if (head.length < PREFIX) continue;
      const size = head.readInt32LE(4);
      if (head.readInt32LE(0) !== -1 || size < 0) throw damaged();
      if (size === 0) ended = true;
      else if (head.length === PREFIX + size) {
        body = heads(head.subarray(PREFIX)) ?? -1;
        if (body < 0) throw damaged();
        head = Buffer.alloc(0);
      }
    }
    yield piece;
  }
  if (any && !ended)
    throw badData(`${shown}: the Arrow stream has no end, so that some of it may be missing`);
}

/** Of each head how much follows it; null where it is none, or where its columns are not as long as it says. */
function headReader(arrow: Arrow): (head: Uint8Array) => number | null {
  let columns: readonly number[] = [];
  return (head) => {
    try {
      const message = arrow.Message.decode(head);
      if (message.isSchema()) columns = firstNodes(arrow, message.header() as unknown as Schema);
      if (message.isRecordBatch()) {
        const { length, nodes } = message.header() as unknown as Nodes;
        const isWhole = (at: number) => {
          const node = nodes[at];
          return (
            node &&
            Number(node.length) === Number(length) &&
            node.nullCount >= 0 &&
            node.nullCount <= node.length
          );
        };
        if (!columns.every(isWhole)) return null;
      }
      return Number(message.bodyLength);
    } catch {
      return null;
    }
  };
}

interface Nodes {
  readonly length: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
}

/** Where the columns themselves stand among all that are described: what is inside of one follows it. */
function firstNodes({ DataType }: Arrow, { fields }: Schema): number[] {
  let at = 0;
  const inside = (type: DataType): number =>
    DataType.isDictionary(type)
      ? 0
      : ((type.children ?? []) as Field[]).reduce((sum, field) => sum + 1 + inside(field.type), 0);
  return fields.map(({ type }) => {
    const own = at;
    at += 1 + inside(type);
    return own;
  });
}

/** The reader stops at the end that the stream names: it is read on to its last byte. */
function readOn(input: AsyncIterable<Uint8Array>) {
  const rest = input[Symbol.asyncIterator]();
  return {
    // Without a way to close it.
    bytes: { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) },
    finish: async () => {
      while (!(await rest.next()).done) {}
    },
  };
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
  return { name, tableName: null, doubt: isNested ? 'nested' : null, inside };
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
