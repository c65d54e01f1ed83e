// The rows of PostgreSQL's binary COPY, changed on the way: noise is added to protected fields, all other bytes pass.

import {
  type Finish,
  finished,
  indexOfInteger,
  indexOfText,
  type Lattice,
  remembered,
} from '../mechanism/index.js';
import type { Pmf } from '../pmf/index.js';
import { type EntropySource, type Sampler, sampler } from '../random/index.js';
import { floatText } from '../rows/index.js';
import { FRAME } from './copy-protocol.js';
import type { Sent } from './types.js';

/** A protected field, and as what the server sends its value. */
export interface Field {
  readonly pmf: Pmf;
  readonly lattice: Lattice;
  readonly finish: Finish;
  readonly sent: Sent;
}

export interface Rewriter {
  /** Messages with their frames, as they come; the same rows, with noise. */
  readonly push: (messages: Buffer) => Buffer;
  /** Rows seen. */
  readonly rows: () => number;
  /** Values released of each field. */
  readonly values: (field: number) => number;
}

/** Length of the signature, the flags and the extension's length, which stand before the first row. */
const PREAMBLE = 19;
const DRAWS = 16_384;

/** `fields[i]` is null for a field that passes. `invalid` is told of text that is no number, with the row's number; where it returns, the value becomes NULL. */
export function rewriter(
  fields: readonly (Field | null)[],
  source: EntropySource,
  invalid: (field: number, row: number, text: string) => void,
): Rewriter {
  let started = false;
  let rows = 0;
  const counts = fields.map(() => 0);
  const samplerOf = remembered((pmf: Pmf) => sampler(pmf, source));
  const noise = fields.map((field) => field && drawer(samplerOf(field.pmf)));
  const last = fields.findLastIndex((field) => field !== null);

  const push = (messages: Buffer): Buffer => {
    const view = new DataView(messages.buffer, messages.byteOffset, messages.length);
    const pieces: Buffer[] = [];
    let copied = 0;
    for (let message = 0; message < messages.length; ) {
      const end = message + 1 + view.getInt32(message + 1);
      let at = message + FRAME;
      if (!started) at += PREAMBLE + view.getInt32(at + 15);
      started = true;
      // The trailer is a row of −1 fields; with no row at all it follows the preamble.
      const count = at < end ? view.getInt16(at) : -1;
      if (count >= 0) rows++;
      at += 2;
      let grown = 0;
      for (let i = 0; i < count && i <= last; i++) {
        const length = view.getInt32(at);
        const field = fields[i];
        if (field && length >= 0) {
          const value = released(i, field, indexAt(i, field, messages, at + 4, length));
          const whole = field.lattice.places === 0;
          // int8 before and after: changed in place.
          if (value !== null && whole && field.sent === 'int8') view.setBigInt64(at + 4, value);
          else {
            const written =
              value === null
                ? NULL_FIELD
                : whole
                  ? int8Field(value)
                  : numericField(value, field.lattice.places);
            pieces.push(messages.subarray(copied, at), written);
            copied = at + 4 + length;
            grown += written.length - 4 - length;
          }
        }
        at += 4 + (length > 0 ? length : 0);
      }
      if (grown !== 0) view.setInt32(message + 1, end - message - 1 + grown);
      message = end;
    }
    return pieces.length === 0 ? messages : Buffer.concat([...pieces, messages.subarray(copied)]);
  };

  const indexAt = (i: number, { sent, lattice }: Field, bytes: Buffer, at: number, length: number) => {
    if (sent === 'int8') return indexOfInteger(bytes.readBigInt64BE(at), lattice);
    const text =
      sent === 'text'
        ? bytes.toString('utf8', at, at + length)
        : sent === 'float4'
          ? floatText(bytes.readFloatBE(at))
          : String(bytes.readDoubleBE(at));
    const index = indexOfText(text, lattice);
    if (index === null) invalid(i, rows, text);
    return index;
  };

  const released = (i: number, { finish, lattice }: Field, index: bigint | null): bigint | null => {
    if (index === null) return null;
    counts[i]!++;
    return finished(index + noise[i]!(), finish) * lattice.unit;
  };

  return { push, rows: () => rows, values: (field) => counts[field]! };
}

const NULL_FIELD = Buffer.from([0xff, 0xff, 0xff, 0xff]);

function int8Field(value: bigint): Buffer {
  const field = Buffer.alloc(12);
  field.writeInt32BE(8, 0);
  field.writeBigInt64BE(value, 4);
  return field;
}

/** PostgreSQL's numeric: digits of base 10,000, the first with the given weight. */
export function numericField(scaled: bigint, places: number): Buffer {
  const negative = scaled < 0n;
  // A whole number of digits behind the point.
  const behind = Math.ceil(places / 4);
  let left = (negative ? -scaled : scaled) * 10n ** BigInt(behind * 4 - places);
  const digits: number[] = [];
  for (; left > 0n; left /= 10_000n) digits.push(Number(left % 10_000n));
  const weight = digits.length - behind - 1;
  const used = digits.reverse();
  while (used.length > 0 && used.at(-1) === 0) used.pop();
  const field = Buffer.alloc(12 + 2 * used.length);
  field.writeInt32BE(8 + 2 * used.length, 0);
  field.writeInt16BE(used.length, 4);
  field.writeInt16BE(used.length === 0 ? 0 : weight, 6);
  field.writeUInt16BE(negative && used.length > 0 ? 0x4000 : 0, 8);
  field.writeInt16BE(places, 10);
  used.forEach((digit, i) => {
    field.writeInt16BE(digit, 12 + 2 * i);
  });
  return field;
}

function drawer(draws: Sampler): () => bigint {
  const buffer = new BigInt64Array(DRAWS);
  let at = DRAWS;
  return () => {
    if (at === DRAWS) {
      draws.fill(buffer, 'saturate');
      at = 0;
    }
    const value = buffer[at]!;
    buffer[at++] = 0n;
    return value;
  };
}
