// Parquet files: read and written group by group. Columns that leave as they are keep their stored bytes, whatever they stand for;
// protected ones become whole numbers, or decimals with the digits of the step.

import { badData, invalid, isOurs, quote } from 'discreet-dp/error';
import type { Lattice } from 'discreet-dp/mechanism';
import {
  checkNames,
  type Draw,
  findColumn,
  peopleCounter,
  type RowsJob,
  valuesOf,
  withoutDropped,
} from 'discreet-dp/rows';
import { checkDropped, checkLeaving } from 'discreet-dp/terms';
import {
  type FileMetaData,
  type ParquetScan,
  parquetMetadataAsync,
  parquetScan,
  type SchemaElement,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Progress } from '../engine/serve.js';
import { physicalOf, saidOf, textOfValue, typeRefusal } from './parquet-types.js';
import type { Source, SourceFormat } from './source.js';

export const parquetFormat: SourceFormat = {
  endings: ['.parquet'],
  open: async (file): Promise<Source> => {
    const buffer = {
      byteLength: file.size,
      slice: (start: number, end?: number) => file.slice(start, end).arrayBuffer(),
    };
    const metadata = await inWords(file.name, () => parquetMetadataAsync(buffer, { geoparquet: false }));
    const [root, ...elements] = metadata.schema;
    const names = topLevel(root!, elements);
    checkNames(
      names.map(({ element }) => element.name),
      file.name,
    );
    const plain = names.filter(({ nested }) => !nested).map(({ element }) => element);
    /** Values as they are stored. */
    const scan = (): Promise<ParquetScan> =>
      inWords(file.name, () =>
        parquetScan({
          file: buffer,
          metadata: { ...metadata, schema: [root!, ...elements.map(physicalOf)] } as FileMetaData,
          compressors,
          geoparquet: false,
          utf8: false,
        }),
      );
    return {
      format: 'parquet',
      ending: '.parquet',
      columns: names.map(({ element, nested }) => ({ name: element.name, nested })),
      each: async (row, most, progress) => {
        const rows = await scan();
        let read = 0;
        for (const [i, range] of rows.ranges.entries()) {
          const data = await inWords(file.name, () =>
            Promise.all(plain.map(({ name }) => rows.readColumn({ column: name, ...range }))),
          );
          const at = new Map(plain.map((element, k) => [element.name, { element, values: data[k]! }]));
          for (let k = 0; k < range.rowEnd - range.rowStart; k++)
            row(
              (column) => {
                const own = at.get(names[column]!.element.name);
                return own ? textOfValue(own.values[k], own.element) : null;
              },
              range.rowStart + k + 1,
            );
          read += file.size / rows.ranges.length;
          progress((i + 1) / rows.ranges.length, 'looking at the columns');
          if (read >= most && i + 1 < rows.ranges.length) return false;
        }
        return true;
      },
      rewrite: (job, draw, progress) => rewrite(file.name, names, job, draw, progress, scan),
    };
  },
};

interface Top {
  readonly element: SchemaElement;
  readonly nested: boolean;
}

/** The columns of the table itself; what is inside of nested ones is passed over. */
function topLevel(root: SchemaElement, elements: readonly SchemaElement[]): Top[] {
  const found: Top[] = [];
  let at = 0;
  const skip = () => {
    let left = elements[at++]!.num_children ?? 0;
    while (left-- > 0) skip();
  };
  for (let i = 0; i < (root.num_children ?? 0); i++) {
    const element = elements[at]!;
    found.push({
      element,
      nested: (element.num_children ?? 0) > 0 || element.repetition_type === 'REPEATED',
    });
    skip();
  }
  return found;
}

/** Bytes that become a Blob group by group. */
class BlobWriter extends ByteWriter {
  readonly parts: Blob[] = [];
  flush(): void {
    this.parts.push(new Blob([this.getBytes().slice()]));
    (this as unknown as { index: number }).index = 0;
  }
  override finish(): void {
    this.flush();
  }
}

async function rewrite(
  shown: string,
  names: readonly Top[],
  job: RowsJob,
  draw: Draw,
  progress: Progress,
  open: () => Promise<ParquetScan>,
) {
  const found = names.map(({ element, nested }) => ({
    name: element.name,
    tableName: null,
    doubt: nested ? ('nested' as const) : null,
    inside: [],
    // No part is told apart in the page.
    oneText: false,
  }));
  const dropped = new Set(job.dropped ?? []);
  checkDropped(job);
  const unchanged = checkLeaving(job, withoutDropped(found, job.dropped, shown), shown, true);
  const kept = names.filter(({ element }) => !dropped.has(element.name));
  const places = new Map(job.columns.map(({ name }, i) => [name, i]));
  for (const { name } of job.columns) {
    const { element } = names[found.indexOf(findColumn(found, name, shown, 'columns'))]!;
    const refusal = typeRefusal(element);
    if (refusal !== null) throw badData(`${shown}: column ${quote(name)} ${refusal}`, 'columns');
  }
  for (const { element, nested } of kept) {
    if (nested)
      throw badData(
        `${shown}: ${quote(element.name)} is nested, which this page cannot copy; take it out of the file, or use the command`,
      );
    if (element.type === 'INT96')
      throw badData(
        `${shown}: ${quote(element.name)} holds times in an old form (INT96); save the file again with timestamps`,
      );
  }
  const person = job.person && names.find(({ element }) => element.name === job.person!.column)!.element;
  const count = job.person && peopleCounter(job.person, shown);
  const values = valuesOf(job, shown, draw);
  const outputs = kept.map(({ element }) => {
    const i = places.get(element.name);
    return i === undefined ? element : outputElement(element.name, job.columns[i]!.lattice);
  });
  const rows = await open();
  const root = { name: 'schema', num_children: outputs.length };
  const out = new BlobWriter();
  const writer = new ParquetWriter({
    writer: out,
    schema: [root, ...outputs.map((element) => physicalOf(element))],
    statistics: false,
    createdBy: 'discreet',
  });
  let done = 0;
  for (const range of rows.ranges) {
    const read = (name: string) => inWords(shown, () => rows.readColumn({ column: name, ...range }));
    const size = range.rowEnd - range.rowStart;
    if (count) {
      const ids = await read(person!.name);
      for (let k = 0; k < size; k++) count(textOfValue(ids[k], person!));
    }
    const columnData = [];
    for (const { element } of kept) {
      const own = await read(element.name);
      const i = places.get(element.name);
      const data =
        i === undefined
          ? own
          : Array.from(own, (value, k) => {
              const text = textOfValue(value, element);
              const released = text === null ? null : values.release(i, text, done + k + 1, () => '', true);
              // The digits without the point are the decimal's whole number.
              return released === null ? null : BigInt(released.replace('.', ''));
            });
      columnData.push({ name: element.name, data });
    }
    await writer.write({ columnData, rowGroupSize: Math.max(1, size) });
    done += size;
    progress(done / Number(rows.metadata.num_rows), `${done.toLocaleString('en')} rows`);
  }
  values.check();
  // What the stored bytes stand for is said at the end of the file alone.
  writer.schema = [root, ...outputs.map(saidOf)];
  await writer.finish();
  return {
    blob: new Blob(out.parts, { type: 'application/vnd.apache.parquet' }),
    outcome: { rows: done, unchanged, values: [...values.counts] },
  };
}

/** Whole numbers, or decimals with the digits of the step. */
function outputElement(name: string, { places, digits }: Lattice): SchemaElement {
  if (digits > 18)
    throw invalid('step: Parquet files of this page hold 18 digits; use a larger one, or a CSV file');
  const whole: SchemaElement = { name, type: 'INT64', repetition_type: 'OPTIONAL' };
  return places === 0
    ? whole
    : {
        ...whole,
        converted_type: 'DECIMAL',
        scale: places,
        precision: 18,
        logical_type: { type: 'DECIMAL', precision: 18, scale: places },
      };
}

/** The reader's own errors may quote what they read. */
async function inWords<T>(shown: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOurs(error)) throw error;
    const codec =
      error instanceof Error ? /(?:compression codec|codec):? (\w+)/i.exec(error.message)?.[1] : undefined;
    throw badData(
      codec
        ? `${shown}: it is packed by ${codec}, which this page cannot unpack; save it again with Snappy`
        : `${shown}: not a Parquet file, a damaged one, or one that this page cannot read; try the command`,
      'input',
    );
  }
}
