// A file in one of the formats.

import { basename, extname, resolve } from 'node:path';
import { hiddenFile, leftBehind, type OpenedFile, openFile, sameFile, writeAll } from '../../files/index.js';
import { type Engine, single } from '../engine.js';
import { extensionOf, type Format } from '../formats/index.js';
import { globless } from '../poured.js';
import { fileQuantiles } from '../quantiles.js';
import type { Opening, Source } from '../source.js';
import { literal } from '../sql.js';
import type { Place } from './place.js';

export function filePlace(path: string, format: Format, encoding: string | null = null): Place {
  return {
    kind: 'file',
    name: basename(path).slice(0, -(extensionOf(path, format) ?? extname(path)).length || undefined),
    shown: basename(path),
    path,
    format,
    query: null,
    isSame: (other) => other.path !== null && sameFile(path, other.path),
    open: (opening) =>
      openIn(openFile(path, basename(path)), format, { ...opening, encoding, shown: basename(path) }),
    checkOutput: async () => undefined,
    hold: async () => null,
    write: async (engine, sql, { force, delimiter, beforePublish }, { note }) => {
      const file = hiddenFile(path, force);
      try {
        for (const other of file.others) note(leftBehind(other));
        const take = (bytes: Uint8Array) => writeAll(file.file, bytes);
        const made = await format.writeRows?.(engine, sql, /\.arrows$/i.test(path) ? 'stream' : 'file', take);
        const copied = made?.rows ?? (await copyTo(engine, sql, file.path, format, delimiter));
        await beforePublish();
        await made?.finish();
        file.publish();
        return copied;
      } finally {
        file.discard();
      }
    },
    quantiles: async (columns, rows) =>
      format.readSql && fileQuantiles(format.readSql(literal(globless(resolve(path)))), columns, rows),
  };
}

/** A file that is given back with its source, and with whatever goes wrong. */
export async function openIn(opened: OpenedFile, format: Format, opening: Opening): Promise<Source> {
  try {
    const source = await format.open(opened, opening);
    return {
      ...source,
      check: opened.check,
      close: async () => {
        await source.close();
        opened.close();
      },
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** The engine's own writing, to a path that is already there. */
export async function copyTo(
  engine: Engine,
  sql: string,
  path: string,
  format: Format,
  delimiter: string | null,
): Promise<number> {
  return Number(
    await single<bigint>(
      engine,
      `COPY (${sql}) TO ${literal(path)} (${format.writeSql!(delimiter)}, USE_TMP_FILE false)`,
    ),
  );
}
