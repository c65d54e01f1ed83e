// Delimited text, compressed: unpacked on the way to the engine, and packed by it.

import { createGunzip, createGzip } from 'node:zlib';
import { badData } from '../../error/index.js';
import { bytesOf } from '../../files/index.js';
import { decoded } from './encoding.js';
import type { Format } from './format.js';

export function gzipped(format: Format): Format {
  const openStream = format.openStream!;
  const [writeSql, readSql] = [format.writeSql!, format.readSql!];
  return {
    ...format,
    name: `${format.name}.gz`,
    extensions: format.extensions.map((extension) => `${extension}.gz`),
    text: (file, encoding, shown) => {
      const text = unpacked(bytesOf(file), shown);
      return encoding ? decoded(text, encoding, shown) : text;
    },
    open: (file, opening) => {
      const again = () => unpacked(bytesOf(file), opening.shown);
      return openStream(again(), opening, again);
    },
    openStream: (stream, opening) => openStream(unpacked(stream, opening.shown), opening, null),
    writeSql: (delimiter) => `${writeSql(delimiter)}, COMPRESSION gzip`,
    // The engine packs files only.
    packed: { as: format, pack: () => createGzip() },
    readSql: (path) => readSql(path).replace(/\)$/, ", compression = 'gzip')"),
  };
}

/** What is damaged fails, wherever that is, and nothing of it is published. */
async function* unpacked(packed: AsyncIterable<Uint8Array>, shown: string): AsyncGenerator<Uint8Array> {
  const damaged = () =>
    badData(`${shown}: not a gzip file, or a damaged one; name its format with {inputFormat}`);
  const gunzip = createGunzip({ chunkSize: 1 << 17 });
  // What waits for a reader that has gone is let go.
  const closed = new Promise<void>((done) => gunzip.once('close', () => done()));
  let size = 0;
  const poured = (async () => {
    for await (const piece of packed) {
      if (gunzip.destroyed) return;
      size += piece.length;
      await Promise.race([new Promise<void>((done) => gunzip.write(piece, () => done())), closed]);
    }
    gunzip.end();
  })().catch((error: Error) => gunzip.destroy(error));
  try {
    yield* gunzip;
    await poured;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged() : error;
  }
  // It ends without a word where something else follows.
  if (gunzip.bytesWritten !== size) throw damaged();
}
