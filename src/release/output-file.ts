// An output that appears under its name whole or not at all: written under a hidden name beside it, synced, then linked.

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface HiddenFile {
  readonly path: string;
  /** Sync it and give it its name. */
  readonly publish: () => void;
  readonly discard: () => void;
}

export function hiddenFile(path: string, force: boolean): HiddenFile {
  if (existsSync(path) && !statSync(path).isFile())
    throw new RangeError(`${path}: expected a regular file to overwrite; choose another name`);
  // Beside the file itself, which a link may have in another file system.
  const real = existsSync(path) ? realpathSync(path) : path;
  const hidden = join(dirname(real), `.${basename(real)}.${process.pid}.partial`);
  removeStale(real);
  return {
    path: hidden,
    publish: () => {
      sync(hidden);
      // A link fails where the name has been taken meanwhile; a rename would overwrite it.
      if (force && existsSync(path)) renameSync(hidden, real);
      else {
        try {
          linkSync(hidden, path);
        } catch (error) {
          const code = (error as NodeJS.ErrnoException).code;
          if (code === 'EEXIST')
            throw new RangeError(
              `${path}: the file exists by now; choose another name or overwrite it with --force`,
            );
          // A file system without links.
          if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
          renameSync(hidden, path);
        }
        rmSync(hidden, { force: true });
      }
      syncFolder(dirname(path));
    },
    discard: () => rmSync(hidden, { force: true }),
  };
}

/** What a process that was killed has left of this output. */
function removeStale(path: string): void {
  const prefix = `.${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const [, pid] = (name.startsWith(prefix) && /^(\d+)\.partial$/.exec(name.slice(prefix.length))) || [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(dirname(path), name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** All of the bytes, however slow the reader of a pipe is. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      // Wait a little rather than spin.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The name itself must survive a power cut too; some systems cannot open folders. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {}
}
