// A stream as a file that can be read once: a named pipe in a private folder. Nothing of it is stored.

import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

export interface Fifo {
  readonly path: string;
  /** Pass on what is written to it, until its writer is done; rejects where the target takes no more. */
  readonly drain: (target: Writable) => Promise<void>;
  /** Pour the stream in; ends when it does, or when the reader has gone. */
  readonly feed: (stream: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly close: () => void;
}

export function makeFifo(): Fifo {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-'));
  const path = join(folder, 'pipe');
  const { status } = spawnSync('mkfifo', ['-m', '600', path]);
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new RangeError(
      'this system has no named pipes, which standard input, standard output and tables are passed through; name a file instead',
    );
  }
  let open = true;
  return {
    path,
    feed: async (stream) => {
      const writer = createWriteStream(path);
      let gone: (() => void) | null = null;
      const closed = new Promise<void>((done) => {
        gone = done;
      });
      // The reader may stop early: its own error says why.
      writer.on('error', () => gone?.());
      for await (const bytes of stream) {
        if (!open || writer.destroyed) break;
        if (!writer.write(bytes))
          await Promise.race([new Promise<void>((done) => writer.once('drain', () => done())), closed]);
      }
      await Promise.race([new Promise<void>((done) => writer.end(done)), closed]);
    },
    drain: (target) =>
      new Promise((resolve, reject) => {
        const reader = createReadStream(path, { highWaterMark: 1 << 16 });
        const fail = (error: Error) => {
          reader.destroy();
          reject(error);
        };
        target.once('error', fail);
        reader.once('error', fail);
        reader.on('data', (bytes) => {
          if (target.write(bytes)) return;
          reader.pause();
          target.once('drain', () => reader.resume());
        });
        reader.once('close', () => {
          target.off('error', fail);
          resolve();
        });
      }),
    close: () => {
      if (!open) return;
      open = false;
      try {
        // Whoever waits for the other end is let go.
        closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
      } catch {}
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
