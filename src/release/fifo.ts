// A stream as a file that can be read once: a named pipe in a private folder. Nothing of it is stored.

import { spawnSync } from 'node:child_process';
import { closeSync, constants, createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Fifo {
  readonly path: string;
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
      'standard input cannot be read on this system (it has no named pipes); name a file instead',
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
    close: () => {
      if (!open) return;
      open = false;
      try {
        // A writer that waits for a reader is let go.
        closeSync(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
      } catch {}
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
