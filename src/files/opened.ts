// One opening of an input: its header, the check of its people and its rows are read from the same file, whatever happens to its
// name meanwhile, and a file that changed while it was read is not published.

import { closeSync, constants, existsSync, fstatSync, openSync, read, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { badData, wrong } from '../error/index.js';

export interface OpenedFile {
  readonly file: number;
  /** Under which others in this process, such as an engine, open the same file. */
  readonly path: string;
  readonly size: number;
  /** Throws where it is not the file that was opened, as it was then. */
  readonly check: () => void;
  /** Once is enough. */
  readonly close: () => void;
}

/** How far apart the clock of a file system ticks, at most. */
const TICK = 20;

/** A change in the same tick as the last one would not show: the tick is waited out. */
function settle(changed: number): void {
  const left = changed + TICK - Date.now();
  if (left > 0 && left <= TICK) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left);
}

/** The file, opened once: whatever happens to its name, this is what is read. */
export function openFile(path: string, shown: string): OpenedFile {
  if (!existsSync(path)) throw wrong(`${path}: no such file or directory`);
  let file: number;
  try {
    // Without waiting for the other end, should it be a pipe.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrong(`${path}: cannot be read: ${code === 'EACCES' ? 'permission denied' : code}`);
  }
  const linux = process.platform === 'linux';
  const state = () => {
    const { dev, ino, size, mtimeNs, ctimeNs } = linux
      ? fstatSync(file, { bigint: true })
      : statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  };
  const found = fstatSync(file);
  if (!found.isFile()) {
    closeSync(file);
    throw wrong(`${path}: expected a file; name one, or - for standard input`);
  }
  settle(found.ctimeMs);
  const before = state();
  let open = true;
  return {
    file,
    path: linux ? `/proc/self/fd/${file}` : resolve(path),
    size: found.size,
    check: () => {
      if (state() !== before)
        throw badData(
          `${shown}: the file was changed, moved or replaced while it was read; release a file that stays as it is`,
        );
    },
    close: () => {
      if (open) closeSync(file);
      open = false;
    },
  };
}

const PIECE = 1 << 20;

/** Its bytes from the beginning, as often as they are asked for. A stream would close the file with itself. */
export async function* bytesOf({ file }: OpenedFile): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const piece = Buffer.allocUnsafe(PIECE);
    const count = await new Promise<number>((resolve, reject) =>
      read(file, piece, 0, PIECE, at, (error, bytes) => (error ? reject(error) : resolve(bytes))),
    );
    if (count === 0) return;
    yield piece.subarray(0, count);
    at += count;
  }
}
