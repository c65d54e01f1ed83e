// The rows of PostgreSQL's binary COPY, changed on the way: noise is added to protected fields, all other bytes pass.

import type { Pmf } from '../pmf/index.js';
import type { EntropySource } from '../random/index.js';
import { sampler } from '../random/index.js';
import { type Finish, finished, type Lattice, MOST_STEPS } from './lattice.js';

/** A protected field: the server sends its index as int8. */
export interface Field {
  readonly pmf: Pmf;
  readonly lattice: Lattice;
  readonly finish: Finish;
}

export interface Rewriter {
  /** Whole rows of what has come so far. */
  readonly push: (chunk: Uint8Array) => Uint8Array;
  /** Rows seen. */
  readonly rows: () => number;
  /** Values released of each field. */
  readonly values: (field: number) => number;
}

/** Length of the signature, the flags and the extension's length. */
const PREAMBLE = 19;
const DRAWS = 16_384;

/** `fields[i]` is null for a field that passes. `invalid` is told the field and the row's number, and decides. */
export function rewriter(
  fields: readonly (Field | null)[],
  source: EntropySource,
  invalid: (field: number, row: number) => 'null',
): Rewriter {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  let rows = 0;
  const counts = fields.map(() => 0);
  const noise = fields.map((field) => field && drawer(field, source));
  // Where every protected field is int8 before and after, bytes are changed in place.
  const inPlace = fields.every((field) => field === null || field.lattice.places === 0);

  const push = (chunk: Uint8Array): Uint8Array => {
    let bytes =
      rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([rest, chunk]);
    let at = 0;
    if (!started) {
      if (bytes.length < PREAMBLE || bytes.length < PREAMBLE + bytes.readInt32BE(15)) {
        rest = Buffer.from(bytes);
        return Buffer.alloc(0);
      }
      at = PREAMBLE + bytes.readInt32BE(15);
      started = true;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const pieces: Buffer[] = [];
    let copied = 0;
    for (;;) {
      const end = tupleEnd(view, at);
      if (end < 0) break;
      if (view.getInt16(at) >= 0) {
        rows++;
        let field = at + 2;
        for (let i = 0; i < fields.length; i++) {
          const length = view.getInt32(field);
          const protectedField = fields[i];
          if (protectedField && length >= 0) {
            const index = view.getBigInt64(field + 4);
            const valid = index <= MOST_STEPS && index >= -MOST_STEPS;
            if (!valid) invalid(i, rows);
            else counts[i]!++;
            const value = valid
              ? finished(index + noise[i]!(), protectedField.finish) * protectedField.lattice.unit
              : 0n;
            if (inPlace && valid) view.setBigInt64(field + 4, value);
            else {
              const written = valid ? numericOrInteger(value, protectedField.lattice.places) : NULL_FIELD;
              pieces.push(bytes.subarray(copied, field), written);
              copied = field + 4 + length;
            }
          }
          field += 4 + (length > 0 ? length : 0);
        }
      }
      at = end;
    }
    if (pieces.length > 0) {
      pieces.push(bytes.subarray(copied, at));
      rest = Buffer.from(bytes.subarray(at));
      return Buffer.concat(pieces);
    }
    rest = Buffer.from(bytes.subarray(at));
    bytes = bytes.subarray(0, at);
    return bytes;
  };
  return { push, rows: () => rows, values: (field) => counts[field]! };
}

/** Where the row that begins here ends; −1 where it has not all come. The trailer is a row of −1 fields. */
function tupleEnd(view: DataView, start: number): number {
  const size = view.byteLength;
  if (start + 2 > size) return -1;
  const count = view.getInt16(start);
  let at = start + 2;
  for (let i = 0; i < count; i++) {
    if (at + 4 > size) return -1;
    const length = view.getInt32(at);
    at += 4 + (length > 0 ? length : 0);
  }
  return at <= size ? at : -1;
}

const NULL_FIELD = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/** A field with its length: int8, or numeric with so many places. */
function numericOrInteger(scaled: bigint, places: number): Buffer {
  if (places > 0) return numericField(scaled, places);
  const field = Buffer.alloc(12);
  field.writeInt32BE(8, 0);
  field.writeBigInt64BE(scaled, 4);
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

function drawer({ pmf }: Field, source: EntropySource): () => bigint {
  const draws = sampler(pmf, source);
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
