// The rules of lattice.ts in the SQL of DuckDB, so that whole columns are handled at once. What the fast rule does not
// recognise is handed to the exact one.

import { type Finish, type Lattice, MOST_STEPS, textOfIndex } from '../mechanism/index.js';
import { literal } from './sql.js';

const SMALL_INTEGERS = ['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER'];
const LARGE_INTEGERS = ['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT'];

/** Types of DuckDB that hold numbers, text that may be one, or booleans, which are read as 1 and 0. */
export function canBeProtected(type: string): boolean {
  return (
    [...SMALL_INTEGERS, ...LARGE_INTEGERS, 'BOOLEAN', 'FLOAT', 'DOUBLE', 'VARCHAR', 'JSON'].includes(type) ||
    type.startsWith('DECIMAL')
  );
}

/** Wide enough for 2^53 steps and 16 digits, in units of 10^−places. */
function wide({ unit, places }: Lattice): string {
  return places <= 2 && unit <= 1000n ? 'BIGINT' : 'HUGEINT';
}

/**
 * DuckDB, first layer: a value in units of 10^−places where that is plain to see, else NULL. A cast of text or doubles
 * rounds, so only texts without a digit to round are cast; doubles go by their shortest decimal.
 */
export function scaledSql(value: string, type: string, lattice: Lattice): string {
  const { places } = lattice;
  if (SMALL_INTEGERS.includes(type) || LARGE_INTEGERS.includes(type)) {
    // A power of ten may overflow for values out of range: TRY gives NULL, and the exact rule takes over.
    return places === 0
      ? `TRY_CAST(${value} AS ${wide(lattice)})`
      : `TRY(TRY_CAST(${value} AS HUGEINT) * ${10n ** BigInt(places)})`;
  }
  const text = type === 'VARCHAR' ? value : `CAST(${value} AS VARCHAR)`;
  const plain = `regexp_full_match(${text}, ${literal(`[+-]?[0-9]{1,16}(\\.[0-9]{0,${places}}0*)?`)})`;
  const cast =
    places === 0
      ? `TRY_CAST(${text} AS ${wide(lattice)})`
      : `TRY_CAST(replace(CAST(TRY_CAST(${text} AS DECIMAL(38, ${places})) AS VARCHAR), '.', '') AS ${wide(lattice)})`;
  return `CASE WHEN ${plain} THEN ${cast} END`;
}

/** DuckDB, second layer: the index; NULL stays NULL, and `otherwise` says what is neither. */
export function indexSql(
  value: string,
  type: string,
  scaled: string,
  lattice: Lattice,
  otherwise: string,
): string {
  const { unit } = lattice;
  // No value of a small type is out of range.
  if (SMALL_INTEGERS.includes(type) && unit === 1n && lattice.places === 0) return `CAST(${value} AS BIGINT)`;
  const bound = MOST_STEPS * unit;
  return `CASE WHEN ${value} IS NULL THEN NULL WHEN ${scaled} BETWEEN -${bound} AND ${bound} THEN CAST(${nearestSql(scaled, unit)} AS BIGINT) ELSE ${otherwise} END`;
}

/** ⌊x / unit + ½⌋ of a whole number: moved above zero, where integer division rounds down. */
function nearestSql(x: string, unit: bigint): string {
  if (unit === 1n) return x;
  return `((CAST(${x} AS HUGEINT) + ${2n * MOST_STEPS * unit + unit / 2n}) // ${unit} - ${2n * MOST_STEPS})`;
}

/**
 * DuckDB: the released value of an index. The noise is named once, so that it is drawn once; what is clamped is the noise, to
 * what keeps the sum in bounds, so that no sum overflows. least and greatest pass over NULL: where the sum with the index is not the
 * last step, NULL is kept from them.
 */
export function releasedSql(
  index: string,
  noise: string,
  lattice: Lattice,
  { low, high, roundTo }: Finish,
): string {
  const between = (from: bigint, to: bigint, value: string) =>
    `greatest(${from} - ${index}, least(${to} - ${index}, ${value}))`;
  if (roundTo === 1n) return valueSql(`CAST(${index} + ${between(low, high, noise)} AS BIGINT)`, lattice);
  const sum = `greatest(${low}, least(${high}, ${roundedSql(`${index} + ${between(-lattice.limit, lattice.limit, noise)}`, roundTo)}))`;
  return `CASE WHEN ${index} IS NOT NULL THEN ${valueSql(`CAST(${sum} AS BIGINT)`, lattice)} END`;
}

/** Halves up, with the sum named once: moved above zero, where integer division rounds down. */
function roundedSql(sum: string, roundTo: bigint): string {
  const lift = (2n ** 64n / roundTo) * roundTo;
  return `((CAST(${sum} AS HUGEINT) + ${lift + roundTo / 2n}) // ${roundTo}) * ${roundTo} - ${lift}`;
}

function valueSql(index: string, lattice: Lattice): string {
  const { unit, places, digits } = lattice;
  if (places === 0) return unit === 1n ? index : `(${index} * ${unit})`;
  const width = unit.toString().length > places ? unit.toString().length : places;
  const step = `CAST(${literal(textOfIndex(1n, lattice))} AS DECIMAL(${width}, ${places}))`;
  return `CAST(CAST(${index} AS DECIMAL(19, 0)) * ${step} AS DECIMAL(${digits}, ${places}))`;
}

/** The type that protected columns are written as in PostgreSQL. */
export function typeSql({ places, digits }: Lattice): string {
  return places === 0 ? 'bigint' : `numeric(${digits}, ${places})`;
}
