// Types of Parquet that the engine reads right, each proved by files of other writers (test/release/types.test.ts). It looks at
// the older words for them alone and takes what it does not know for what is stored, so every other type is refused by its name.

/** A column, or what is inside of one, as a Parquet schema has it. */
export interface Leaf {
  readonly name: string;
  /** As which it is stored. */
  readonly stored: string;
  readonly length: number | null;
  /** What it stands for, in the words of older writers and of newer ones, who write both. */
  readonly older: string | null;
  readonly newer: string | null;
  readonly scale: number | null;
  readonly precision: number | null;
}

/** What may be said of what is stored so; '' says nothing. */
const READ: Readonly<Record<string, readonly string[]>> = {
  BOOLEAN: [''],
  INT32: [
    ...['', 'INT_8', 'INT_16', 'INT_32', 'UINT_8', 'UINT_16', 'UINT_32', 'DECIMAL'],
    ...['DATE', 'TIME_MILLIS', 'NULL'],
  ],
  INT64: ['', 'INT_64', 'UINT_64', 'DECIMAL', 'TIME_MICROS', 'TIMESTAMP_MILLIS', 'TIMESTAMP_MICROS', 'NANOS'],
  FLOAT: [''],
  DOUBLE: [''],
  BYTE_ARRAY: ['', 'UTF8', 'ENUM', 'JSON', 'DECIMAL'],
  FIXED_LEN_BYTE_ARRAY: ['', 'DECIMAL', 'INTERVAL', 'UUID', 'FLOAT16'],
};
/** Of these the engine knows the newer word. */
const NEWER_ALONE = [
  ...['TIME_MILLIS', 'TIME_MICROS', 'TIMESTAMP_MILLIS', 'TIMESTAMP_MICROS', 'NANOS'],
  ...['UUID', 'FLOAT16', 'NULL'],
];
/** Bytes of what is as long as its kind. */
const LENGTHS: Readonly<Record<string, number>> = { FLOAT16: 2, INTERVAL: 12, UUID: 16 };
/** Digits that a decimal may have. */
const DIGITS: Readonly<Record<string, number>> = { INT32: 9, INT64: 18 };
const MOST_DIGITS = 38;

/** The type by its name, where it is not read right; null where it is. */
export function misread(leaf: Leaf): string | null {
  const { stored, length, older, newer } = leaf;
  const words = newer === null ? null : (olderWords(newer) ?? newer);
  const said = older ?? words ?? '';
  const name = typeName(leaf, said);
  if (!READ[stored]?.includes(said)) return name;
  if (older !== null && words !== null && older !== words) return `${name} or ${words}`;
  if (older === null && words !== null && !NEWER_ALONE.includes(words)) return `${name} in new words alone`;
  if (LENGTHS[said] !== undefined && length !== LENGTHS[said]) return name;
  return said === 'DECIMAL' && !isPlainDecimal(leaf) ? name : null;
}

function isPlainDecimal({ stored, newer, scale, precision }: Leaf): boolean {
  if (scale === null || precision === null) return false;
  const digits = newer === null ? null : /scale=(-?\d+), precision=(-?\d+)/.exec(newer);
  if (digits && (Number(digits[1]) !== scale || Number(digits[2]) !== precision)) return false;
  return precision >= 1 && precision <= (DIGITS[stored] ?? MOST_DIGITS) && scale >= 0 && scale <= precision;
}

/** The newer words in the older ones; null where there are none. */
function olderWords(newer: string): string | null {
  const integer = /^IntType\(bitWidth=(.), isSigned=([01])\)$/s.exec(newer);
  if (integer) return `${integer[2] === '1' ? '' : 'U'}INT_${integer[1]!.charCodeAt(0)}`;
  const time = /^(Time|Timestamp)Type\(isAdjustedToUTC=([01]), .*\b(Milli|Micro|Nano)Seconds\(\)/.exec(newer);
  if (time) {
    const [, kind, utc, unit] = time as unknown as [string, string, string, string];
    // The engine cuts those of days, and those in a time zone, to a millionth of a second.
    if (unit === 'Nano') return kind === 'Timestamp' && utc === '0' ? 'NANOS' : `${kind.toUpperCase()}_NANOS`;
    return `${kind.toUpperCase()}_${unit.toUpperCase()}S`;
  }
  return NEWER[/^\w+/.exec(newer)![0]] ?? null;
}

const NEWER: Readonly<Record<string, string>> = {
  ...{ StringType: 'UTF8', EnumType: 'ENUM', JsonType: 'JSON', DecimalType: 'DECIMAL', DateType: 'DATE' },
  ...{ UUIDType: 'UUID', Float16Type: 'FLOAT16', NullType: 'NULL' },
};

function typeName({ stored, length, newer, scale, precision }: Leaf, said: string): string {
  const bytes = stored === 'FIXED_LEN_BYTE_ARRAY' ? `${length} bytes` : stored;
  if (said !== 'DECIMAL') return said === '' ? stored : `${said} in ${bytes}`;
  const digits = newer === null ? null : /scale=(-?\d+), precision=(-?\d+)/.exec(newer);
  return `DECIMAL(${precision ?? digits?.[2] ?? '?'},${scale ?? digits?.[1] ?? '?'}) in ${bytes}`;
}
