// What the rows of an Arrow batch are, and the index of each of their values.

import type { Data, DataType, RecordBatch, Schema, Vector } from 'apache-arrow';
import { badData, quote, unquoted } from '../error/index.js';
import { holdsDigit, indexOfInteger, indexOfText, indicesOfIntegers } from '../mechanism/index.js';
import type { Identities } from '../random/index.js';
import { truth } from '../rows/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import type { Arrow } from './arrow.js';
import { cellTexts } from './arrow-cells.js';
import { noId } from './failure.js';
import { joined, type Keyed, rowIdentities } from './identities.js';

/** What the rows of a batch are. */
export function identitySource(
  arrow: Arrow,
  keyed: Keyed,
  schema: Schema,
  shown: string,
): (batch: RecordBatch) => Identities {
  const { by } = keyed;
  if ('partition' in by) {
    const ofRows = rowIdentities(keyed, by.partition);
    return (batch) => {
      const rows = Array.from({ length: batch.numRows }, () => '');
      schema.fields.forEach((_, k) => {
        const textOf = cellTexts(arrow, batch.getChildAt(k)!);
        for (let i = 0; i < rows.length; i++) {
          const text = textOf(i);
          // Each after its length, so that no two lists of cells read alike.
          rows[i] += text === null ? '-' : `${text.length}:${text}`;
        }
      });
      return joined(ofRows(rows));
    };
  }
  const at = schema.fields.findIndex(({ name }) => name === by.id);
  const { type } = schema.fields[at]!;
  const { DataType } = arrow;
  const inner = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
  if (!DataType.isInt(inner) && !DataType.isUtf8(inner) && !DataType.isLargeUtf8(inner))
    throw badData(
      `${shown}: ${quote(by.id)} is of type ${unquoted(String(inner))}; expected whole numbers or text as the id of rows`,
      'id',
    );
  // Unsigned ones of 64 bits are texts: as words, they would meet negative numbers.
  const isWhole = DataType.isInt(type) && (type.isSigned || type.bitWidth < 64);
  return (batch) => {
    const vector = batch.getChildAt(at)!;
    if (vector.nullCount > 0) throw noId(shown, keyed);
    const data = vector.data[0]!;
    if (isWhole) return wholes(data);
    if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return plainTexts(data);
    const textOf = cellTexts(arrow, vector);
    const texts = Array.from({ length: batch.numRows }, (_, i) => textOf(i));
    if (texts.includes(null)) throw noId(shown, keyed);
    // What stands for bytes that are no text may stand for others too.
    if (texts.some((text) => text!.includes('\ufffd')))
      throw badData(`${shown}: a value of ${quote(by.id)} is not valid text; correct it`, 'id');
    return joined(texts as string[]);
  };
}

/** Whole numbers of any width, as 64 bits each. */
function wholes({ values, length }: Data): BigInt64Array {
  if (values instanceof BigInt64Array) return values.slice(0, length);
  return BigInt64Array.from({ length }, (_, i) => BigInt((values as Int32Array)[i]!));
}

/** Texts as they lie in a batch. */
function plainTexts({ values, valueOffsets, length }: Data): Identities {
  const offset = (i: number) => Number((valueOffsets as Int32Array | BigInt64Array)[i]!);
  const start = offset(0);
  const ends = new Uint32Array(length);
  for (let i = 0; i < length; i++) ends[i] = offset(i + 1) - start;
  return { bytes: (values as Uint8Array).subarray(start, start + (ends.at(-1) ?? 0)), ends };
}

/** The texts of a column's cells, booleans as 1 and 0. */
function numberTexts(arrow: Arrow, vector: Vector): (row: number) => string | null {
  const { DataType } = arrow;
  const { type } = vector;
  const textOf = cellTexts(arrow, vector);
  if (!DataType.isBool(DataType.isDictionary(type) ? (type.dictionary as DataType) : type)) return textOf;
  return (row) => {
    const text = textOf(row);
    return text === null ? null : truth(text as 'true' | 'false');
  };
}

/** The index of every value, 0 where there is none; the first row with a word, and the texts that stand for values. */
export function indicesOf(arrow: Arrow, vector: Vector, { lattice }: ProtectedColumn) {
  const count = vector.length;
  const indices = new BigInt64Array(count);
  const isNull = new Uint8Array(count);
  const odd = { word: -1, values: [] as string[] };
  if (vector.nullCount > 0) for (let i = 0; i < count; i++) isNull[i] = vector.isValid(i) ? 0 : 1;
  if (arrow.DataType.isInt(vector.type)) {
    const { values } = vector.data[0]!;
    if (values instanceof BigInt64Array)
      return { indices: indicesOfIntegers(values.subarray(0, count), lattice), isNull, odd };
    if (values instanceof BigUint64Array)
      for (let i = 0; i < count; i++) indices[i] = isNull[i] ? 0n : indexOfInteger(values[i]!, lattice);
    else
      for (let i = 0; i < count; i++)
        indices[i] = isNull[i] ? 0n : indexOfInteger(BigInt((values as Int32Array)[i]!), lattice);
    return { indices, isNull, odd };
  }
  const textOf = numberTexts(arrow, vector);
  for (let i = 0; i < count; i++) {
    const text = isNull[i] ? null : textOf(i);
    const index = text === null ? null : indexOfText(text, lattice);
    if (index !== null) indices[i] = index;
    // It counts as 0, so that nothing shows where it is.
    else if (text !== null && holdsDigit(text)) odd.values.push(text);
    else {
      isNull[i] = 1;
      if (text !== null && odd.word < 0) odd.word = i;
    }
  }
  return { indices, isNull, odd };
}
