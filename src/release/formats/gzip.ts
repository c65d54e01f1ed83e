// Delimited text, compressed: unpacked on the way to the engine, and packed by it.

import { createGunzip } from 'node:zlib';
import { badData } from '../../error/index.js';
import { bytesOf } from '../files/opened.js';
import type { Format } from './format.js';

export function gzipped(format: Format): Format {
  const openStream = format.openStream!;
  return {
    ...format,
    name: `${format.name}.gz`,
    extensions: format.extensions.map((extension) => `${extension}.gz`),
    open: (file, opening) => {
      const again = () => unpacked(bytesOf(file), opening.shown);
      return openStream(again(), opening, again);
    },
    openStream: (stream, opening) => openStream(unpacked(stream, opening.shown), opening, null),
    writeSql: (delimiter) => `${format.writeSql(delimiter)}, COMPRESSION gzip`,
    readSql: (path) => format.readSql(path).replace(/\)$/, ", compression = 'gzip')"),
  };
}

/** What is damaged fails, wherever that is, and nothing of it is published. */
async function* unpacked(packed: AsyncIterable<Uint8Array>, shown: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 1 << 17 });
  const write = (piece: Uint8Array) =>
    new Promise<void>((done) => {
      // What waits for a reader that has gone is let go.
      gunzip.once('close', () => done());
      gunzip.write(piece, () => done());
    });
  const poured = (async () => {
    for await (const piece of packed) {
      if (gunzip.destroyed) return;
      await write(piece);
    }
    gunzip.end();
  })().catch((error: Error) => gunzip.destroy(error));
  try {
    yield* gunzip;
    await poured;
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
    throw badData(`${shown}: not a gzip file, or a damaged one; name its format with {inputFormat}`);
  }
}
