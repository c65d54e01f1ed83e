// Delimited text, compressed: unpacked on the way to the engine, and packed by it.

import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { badData } from '../../error/index.js';
import { streamOf } from '../files/opened.js';
import type { Format } from './format.js';

export function gzipped(format: Format): Format {
  const openStream = format.openStream!;
  return {
    ...format,
    name: `${format.name}.gz`,
    extensions: format.extensions.map((extension) => `${extension}.gz`),
    open: (file, opening) => {
      const again = () => unpacked(streamOf(file), opening.shown);
      return openStream(again(), opening, again);
    },
    openStream: (stream, opening) => openStream(unpacked(stream, opening.shown), opening, null),
    writeSql: (delimiter) => `${format.writeSql(delimiter)}, COMPRESSION gzip`,
    readSql: (path) => format.readSql(path).replace(/\)$/, ", compression = 'gzip')"),
  };
}

/** What is damaged fails, wherever that is, and nothing of it is published. */
async function* unpacked(packed: AsyncIterable<Uint8Array>, shown: string): AsyncGenerator<Uint8Array> {
  const out = new PassThrough({ highWaterMark: 1 << 18 });
  const done = pipeline(packed, createGunzip({ chunkSize: 1 << 17 }), out);
  done.catch(() => undefined);
  try {
    yield* out;
    await done;
  } catch (error) {
    if (!/^(?:Z_|ERR_STREAM_PREMATURE)/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw badData(`${shown}: not a gzip file, or a damaged one; name its format with {inputFormat}`);
  }
}
