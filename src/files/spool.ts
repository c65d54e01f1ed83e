// What must be whole before it goes on: kept in a file without a name, which is gone with the process, however it ends.

import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { cannot } from '../error/index.js';
import type { OpenedFile } from './opened.js';
import { systemWords } from './system-words.js';

/** The stream in a file that has no name: for what must be read more than once. */
export async function spool(stream: AsyncIterable<Uint8Array>): Promise<OpenedFile> {
  const file = namelessFile();
  try {
    for await (const bytes of stream) for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    file,
    path: `/proc/self/fd/${file}`,
    size: fstatSync(file).size,
    // Nobody else has it.
    check: () => undefined,
    close: () => closeSync(file),
  };
}

/** What is written is held back until it is let go, whole. */
export interface HeldBack {
  readonly stream: Writable;
  readonly letGo: (send: (bytes: Uint8Array) => Promise<void>) => Promise<void>;
  readonly close: () => void;
}

/** Bytes that are read, and sent, at once. */
const PIECE = 1 << 20;

export function heldBack(): HeldBack {
  const file = namelessFile();
  const stream = new Writable({
    write(bytes: Uint8Array, _encoding, done) {
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
        done();
      } catch (error) {
        done(
          cannot(`the folder for temporary files cannot keep the output: ${systemWords(error)}; set TMPDIR`),
        );
      }
    },
  });
  stream.on('error', () => undefined);
  return {
    stream,
    letGo: async (send) => {
      for (let at = 0; ; ) {
        const piece = Buffer.allocUnsafe(PIECE);
        const count = readSync(file, piece, 0, PIECE, at);
        if (count === 0) return;
        await send(piece.subarray(0, count));
        at += count;
      }
    },
    close: () => closeSync(file),
  };
}

function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-'));
  const file = openSync(join(folder, 'kept'), 'wx+', 0o600);
  unlinkSync(join(folder, 'kept'));
  rmSync(folder, { recursive: true });
  return file;
}
