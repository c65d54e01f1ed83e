// An Arrow stream message by message: what the library takes for its end, or pads in silence, is looked at here.

import type { DataType, Field, Schema } from 'apache-arrow';
import { badData } from '../error/index.js';

type Arrow = typeof import('apache-arrow');

/** Before a message: a mark, and how long its head is; of none there is no more. */
const PREFIX = 8;

/** The same bytes, followed message by message: the one that says that there are no more must be there, and be the last. */
export async function* followed(
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
export function readOn(input: AsyncIterable<Uint8Array>) {
  const rest = input[Symbol.asyncIterator]();
  return {
    // Without a way to close it.
    bytes: { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) },
    finish: async () => {
      while (!(await rest.next()).done) {}
    },
  };
}
