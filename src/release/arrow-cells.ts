// What the cells of an Arrow column say, as text.

import type { Data, DataType, Decimal, Vector } from 'apache-arrow';
import { floatText } from '../rows/index.js';
import type { Arrow } from './arrow.js';

/** The texts of a batch's column, by row; null for NULL. */
export function cellTexts(arrow: Arrow, vector: Vector): (row: number) => string | null {
  const { DataType } = arrow;
  const { type } = vector;
  if (DataType.isDictionary(type)) {
    const { values, dictionary } = vector.data[0] ?? {};
    const textOf = dictionary ? cellTexts(arrow, dictionary) : () => null;
    return (row) => (vector.isValid(row) ? textOf(Number((values as Int32Array)[row]!)) : null);
  }
  // Bytes as they are: the library leaves a byte order mark out.
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return ofChunks(vector, utf8Text);
  // In the unit that they are written in: a date of JavaScript has no smaller one than a thousandth of a second.
  if (DataType.isTimestamp(type) || DataType.isTime(type))
    return ofChunks(vector, ({ values }, row) =>
      timeText(BigInt((values as BigInt64Array)[row]!), type.unit, DataType.isTime(type)),
    );
  const textOf = textsOf(arrow, type);
  return (row) => {
    const value: unknown = vector.get(row);
    return value === null || value === undefined ? null : textOf(value as never);
  };
}

/** By the piece of a column that a row is in: a dictionary may have been added to. */
function ofChunks(vector: Vector, textOf: (data: Data, row: number) => string) {
  return (row: number): string | null => {
    let at = row;
    for (const data of vector.data) {
      if (at < data.length) return data.getValid(at) ? textOf(data, at) : null;
      at -= data.length;
    }
    return null;
  };
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

function utf8Text({ values, valueOffsets }: Data, row: number): string {
  const offset = (i: number) => Number((valueOffsets as Int32Array | BigInt64Array)[i]!);
  return UTF8.decode((values as Uint8Array).subarray(offset(row), offset(row + 1)));
}

function textsOf({ DataType }: Arrow, type: DataType): (value: never) => string {
  if (DataType.isDecimal(type)) return (value: Uint32Array) => decimalText(value, type);
  if (DataType.isFloat(type) && type.precision !== 2) return floatText;
  if (DataType.isDate(type)) return (value: number) => dayText(value);
  return (value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
    return typeof value === 'object' ? nestedText(value) : String(value);
  };
}

function dayText(milliseconds: number): string {
  if (!isDate(milliseconds)) return String(milliseconds);
  return new Date(milliseconds).toISOString().replace(/T.*/, '');
}

/** Has JavaScript a date for it? */
function isDate(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= 8.64e15;
}

/** 0 are seconds, 1 thousandths of them, and so on. */
function timeText(value: bigint, unit: number, ofDay: boolean): string {
  const each = 1000n ** BigInt(unit);
  const part = ((value % each) + each) % each;
  const milliseconds = Number((value - part) / each) * 1000;
  if (!isDate(milliseconds)) return String(value);
  const [day, time] = new Date(milliseconds).toISOString().split('T');
  const fraction = unit === 0 ? '' : `.${String(part).padStart(3 * unit, '0')}`;
  return `${ofDay ? '' : `${day} `}${time!.slice(0, 8)}${fraction}`;
}

function nestedText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}

/** 32 bits at a time, the lowest first. */
function decimalText(words: Uint32Array, { scale }: Decimal): string {
  let whole = 0n;
  for (let i = words.length - 1; i >= 0; i--) whole = (whole << 32n) | BigInt(words[i]!);
  whole = BigInt.asIntN(32 * words.length, whole);
  if (scale <= 0) return String(whole * 10n ** BigInt(-scale));
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
