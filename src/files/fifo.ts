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
  type WriteStream,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { wrong } from '../error/index.js';

export interface Fifo {
  readonly path: string;
  /** Pass on what is written to it, until its writer is done; rejects where the target takes no more, or where `check` throws before a piece is passed. */
  readonly drain: (target: Writable, check: () => void) => Promise<void>;
  /** Pour the stream in; ends when it does, when it fails, or when the reader has gone. */
  readonly feed: (stream: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Remove it; whoever waits at it is let go. */
  readonly close: () => void;
}

/** A named pipe in a folder of its own, which only this user can enter. */
export function makeFifo(): Fifo {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-'));
  const path = join(folder, 'pipe');
  const { status } = spawnSync('mkfifo', ['-m', '600', path]);
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw wrong(
      'this system has no named pipes, which standard input, standard output and tables are passed through; name a file instead',
    );
  }
  let open = true;
  let writer: WriteStream | null = null;
  return {
    path,
    feed: async (stream) => {
      writer = createWriteStream(path);
      const into = writer;
      // The reader may stop early: its own error says why.
      const closed = new Promise<void>((done) => {
        into.once('error', () => done());
        into.once('close', () => done());
      });
      try {
        for await (const bytes of stream) {
          if (!open || into.destroyed) break;
          if (!into.write(bytes))
            await Promise.race([new Promise<void>((done) => into.once('drain', () => done())), closed]);
        }
      } finally {
        await Promise.race([new Promise<void>((done) => into.end(() => done())), closed]);
      }
    },
    drain: (target, check) =>
      new Promise((resolve, reject) => {
        const reader = createReadStream(path, { highWaterMark: 1 << 16 });
        const fail = (error: Error) => {
          reader.destroy();
          reject(error);
        };
        target.once('error', fail);
        reader.once('error', fail);
        reader.on('data', (bytes) => {
          try {
            check();
          } catch (error) {
            fail(error as Error);
            return;
          }
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
      writer?.destroy();
      try {
        // Whoever waits for the other end is let go.
        closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
      } catch {}
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
