// Types of Parquet: what is stored, and what it says as a number.

import { floatText } from 'discreet-dp/rows';
import type { ConvertedType, SchemaElement } from 'hyparquet';

/** A column as it is stored, without what that stands for. */
export function physicalOf(element: SchemaElement): SchemaElement {
  const { name, type, type_length, repetition_type, num_children } = element;
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(type_length === undefined ? {} : { type_length }),
    ...(repetition_type === undefined ? {} : { repetition_type }),
    ...(num_children === undefined ? {} : { num_children }),
  };
}

/** As it is said at the end of a file: widths of integers in the older words, which the writer writes as readers expect them. */
export function saidOf(element: SchemaElement): SchemaElement {
  const { logical_type, ...rest } = element;
  if (logical_type?.type !== 'INTEGER') return element;
  const { isSigned, bitWidth } = logical_type;
  return { ...rest, converted_type: `${isSigned ? 'INT' : 'UINT'}_${bitWidth}` as ConvertedType };
}

function isText({ type, converted_type, logical_type }: SchemaElement): boolean {
  return type === 'BYTE_ARRAY' && (converted_type === 'UTF8' || logical_type?.type === 'STRING');
}

function scaleOf({ converted_type, logical_type, scale }: SchemaElement): number | null {
  if (logical_type?.type === 'DECIMAL') return logical_type.scale;
  return converted_type === 'DECIMAL' ? (scale ?? 0) : null;
}

/** Whole numbers in the older words, and by what newer ones are called. */
const WHOLE = /^U?INT_(8|16|32|64)$/;

/** Why noise cannot be added to such a column; null where it can: where it is stored and said as a number is, or as text. */
export function typeRefusal(element: SchemaElement): string | null {
  const { type, converted_type: older, logical_type: newer } = element;
  if (saysTwo(element)) return 'says two things of its own type; save the file again';
  if (isText(element)) return null;
  const [isPlain, isInt] = [older === undefined && newer === undefined, /^INT(?:32|64)$/.test(type ?? '')];
  if (isPlain && (isInt || type === 'FLOAT' || type === 'DOUBLE' || type === 'BOOLEAN')) return null;
  if (isInt && widthOf(element) === (type === 'INT64' ? 64 : 32)) return null;
  const scale = scaleOf(element);
  if (scale !== null && scale >= 0 && (isInt || type?.endsWith('BYTE_ARRAY'))) return null;
  const isTime = /DATE|TIME|INTERVAL/.test(`${older ?? ''} ${newer?.type ?? ''}`);
  return `holds ${isTime ? 'times or dates' : 'what is neither text nor a number'}; choose a column of numbers`;
}

/** Of the storage that a whole number takes; null where it is none. */
function widthOf({ converted_type: older, logical_type: newer }: SchemaElement): number | null {
  const bits = newer?.type === 'INTEGER' ? newer.bitWidth : Number(WHOLE.exec(older ?? '')?.[1] ?? 0);
  return bits === 0 ? null : Math.max(32, bits);
}

/** Do older and newer words differ? Then nobody knows what the values are. */
function saysTwo({ converted_type: older, logical_type: newer, scale }: SchemaElement): boolean {
  if (older === undefined || newer === undefined) return false;
  if (newer.type === 'DECIMAL') return older !== 'DECIMAL' || newer.scale !== (scale ?? 0);
  if (newer.type === 'INTEGER') return older !== `${newer.isSigned ? '' : 'U'}INT_${newer.bitWidth}`;
  return WHOLE.test(older) || older === 'DECIMAL' || (older === 'UTF8') !== (newer.type === 'STRING');
}

/** What a stored value says, as text, booleans as 1 and 0; null where there is none. */
export function textOfValue(value: unknown, element: SchemaElement): string | null {
  if (value === null || value === undefined) return null;
  const scale = scaleOf(element);
  if (scale !== null)
    return decimalText(
      value instanceof Uint8Array ? fromBytes(value) : BigInt(value as number | bigint),
      scale,
    );
  if (element.type === 'FLOAT') return floatText(value as number);
  if (typeof value === 'bigint' || typeof value === 'number') return String(unsigned(value, element));
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

/** Stored bits of unsigned numbers come out as signed ones. */
function unsigned(
  value: bigint | number,
  { type, converted_type, logical_type }: SchemaElement,
): bigint | number {
  const own =
    converted_type?.startsWith('UINT') || (logical_type?.type === 'INTEGER' && !logical_type.isSigned);
  if (!own || value >= 0) return value;
  return typeof value === 'bigint' || type === 'INT64' ? BigInt(value) + 2n ** 64n : value + 2 ** 32;
}

/** Two's complement, the highest byte first. */
function fromBytes(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return bytes.length > 0 && bytes[0]! > 127 ? value - (1n << BigInt(8 * bytes.length)) : value;
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const sign = unscaled < 0n ? '-' : '';
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
