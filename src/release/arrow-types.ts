// Types of Arrow that numbers are read from, each proved by files of other writers (test/release/types.test.ts).

import type { DataType } from 'apache-arrow';
import type { Arrow } from './arrow.js';

/** The type by name, where no number is read from it: booleans, whole numbers, floats, decimals of any width, and text are. */
export function noNumberOf({ DataType }: Arrow, type: DataType): string | null {
  const of = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
  const isNumber =
    DataType.isBool(of) || DataType.isInt(of) || DataType.isFloat(of) || DataType.isDecimal(of);
  const isText = DataType.isUtf8(of) || DataType.isLargeUtf8(of) || DataType.isNull(of);
  return isNumber || isText ? null : String(of);
}

/** What a column is turned to where the output has types; null leaves it as text. */
export function engineType({ DataType }: Arrow, type: DataType): string | null {
  if (DataType.isInt(type)) return `${type.isSigned ? '' : 'U'}${INTEGERS[type.bitWidth]}`;
  if (DataType.isFloat(type)) return type.precision === 2 ? 'DOUBLE' : 'FLOAT';
  if (DataType.isBool(type)) return 'BOOLEAN';
  if (DataType.isDate(type)) return 'DATE';
  if (DataType.isTimestamp(type)) return type.unit === NANOSECONDS ? 'TIMESTAMP_NS' : 'TIMESTAMP';
  if (!DataType.isDecimal(type)) return null;
  const { precision, scale } = type;
  return precision <= 38 && scale >= 0 && scale <= precision ? `DECIMAL(${precision}, ${scale})` : null;
}

const NANOSECONDS = 3;

const INTEGERS: Readonly<Record<number, string>> = {
  8: 'TINYINT',
  16: 'SMALLINT',
  32: 'INTEGER',
  64: 'BIGINT',
};
