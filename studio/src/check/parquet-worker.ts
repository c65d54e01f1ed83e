// The same for Parquet: row group by row group, and of each the one column.

import { badData } from 'discreet-dp/error';
import { type AsyncBuffer, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { serve } from '../engine/serve.js';
import { callsWith, textReaders } from './calls.js';
import { bytesOf } from './pieces.js';
import { missing, type Read } from './rows.js';

function bufferOf(file: File): AsyncBuffer {
  return {
    byteLength: file.size,
    slice: async (from, to = file.size) => (await bytesOf(file, from, to)).buffer as ArrayBuffer,
  };
}

/** The library's own errors may quote what is in the file. */
async function inFile<T>(file: File, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw badData(`${file.name}: this Parquet file cannot be read; it is cut off or damaged`);
  }
}

async function opened(file: File) {
  return await inFile(file, async () => {
    const metadata = await parquetMetadataAsync(bufferOf(file));
    return { metadata, names: parquetSchema(metadata).children.map(({ element }) => element.name) };
  });
}

const read: Read = async ({ file, column }, take, at) => {
  const { metadata, names } = await opened(file);
  if (!names.includes(column)) throw missing(file, column, names);
  const rows = Number(metadata.num_rows);
  let start = 0;
  for (const { num_rows } of metadata.row_groups) {
    const end = start + Number(num_rows);
    const chunks: (readonly unknown[])[] = [];
    await inFile(file, () =>
      parquetRead({
        file: bufferOf(file),
        metadata,
        compressors,
        columns: [column],
        rowStart: start,
        rowEnd: end,
        onComplete: (found) => chunks.push(found.map(([value]: unknown[]) => value)),
      }),
    );
    for (const chunk of chunks) for (const value of chunk) take(textOf(value));
    start = end;
    at(rows === 0 ? file.size : (file.size * start) / rows);
  }
};

/** Decimals come as doubles, whose last digits are not the file's. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' ? String(Number(value.toPrecision(15))) : String(value);
}

serve(
  callsWith({
    read: { ...textReaders.read, parquet: read },
    columns: async (file) => (await opened(file)).names,
  }),
);
