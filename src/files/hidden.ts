// An output that appears under its name whole or not at all: written under a hidden name beside it that nobody else can read or
// guess, synced, then linked.

import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { wrong } from '../error/index.js';
import { checkKept } from './kept.js';

export interface HiddenFile {
  readonly file: number;
  /** Under which others in this process, such as an engine, write to it. */
  readonly path: string;
  /** Hidden files of this output that others have left, or are still writing. */
  readonly others: readonly string[];
  /** Sync it and give it its name. */
  readonly publish: () => void;
  /** Remove it: it never was. */
  readonly discard: () => void;
}

/** A file beside its final name, hidden until it is whole. */
export function hiddenFile(path: string, force: boolean): HiddenFile {
  checkKept(path);
  if (existsSync(path) && !statSync(path).isFile())
    throw wrong(`${path}: expected a regular file to overwrite; choose another name`);
  // Beside the file itself, which a link may have in another file system.
  const real = existsSync(path) ? realpathSync(path) : path;
  const others = removeStale(real);
  const hidden = join(
    dirname(real),
    `${prefixOf(real)}${processSpace()}-${process.pid}-${randomBytes(16).toString('hex')}${SUFFIX}`,
  );
  const file = openSync(hidden, 'wx+', 0o600);
  let open = true;
  const close = () => {
    if (open) closeSync(file);
    open = false;
  };
  /** Is what has the hidden name still what was made under it? */
  const isOurs = () => {
    const [named, made] = [
      lstatSync(hidden, { throwIfNoEntry: false, bigint: true }),
      fstatSync(file, { bigint: true }),
    ];
    return named !== undefined && named.ino === made.ino && named.dev === made.dev;
  };
  return {
    file,
    path: process.platform === 'linux' ? `/proc/self/fd/${file}` : resolve(hidden),
    others,
    publish: () => {
      fsyncSync(file);
      if (!isOurs()) throw wrong(`${path}: somebody else removed or replaced what was written; try again`);
      const old = force ? statSync(path, { throwIfNoEntry: false }) : undefined;
      fchmodSync(file, old ? old.mode & 0o7777 : 0o666 & ~process.umask());
      // A link fails where the name has been taken meanwhile; a rename would overwrite it.
      if (old) renameSync(hidden, real);
      else {
        try {
          linkSync(hidden, path);
        } catch (error) {
          const code = (error as NodeJS.ErrnoException).code;
          if (code === 'EEXIST')
            throw wrong(`${path}: the file exists by now; choose another name or overwrite it with {force}`);
          // A file system without links.
          if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') throw error;
          renameSync(hidden, path);
        }
        rmSync(hidden, { force: true });
      }
      close();
      syncFolder(dirname(path));
    },
    discard: () => {
      if (open && isOurs()) rmSync(hidden, { force: true });
      close();
    },
  };
}

/** Of a hidden file that was not made here. */
export function leftBehind(other: string): string {
  return `${other} is half an output that another process is writing or has left; remove it where nobody is writing it`;
}

const SUFFIX = '.partial';
/** Room for the rest of a name of 255 bytes. */
const LONGEST_PREFIX = 150;

function prefixOf(path: string): string {
  const name = `.${basename(path)}.`;
  return Buffer.byteLength(name) <= LONGEST_PREFIX ? name : `.${digest(name)}.`;
}

/** Remove what processes of this space that are dead have left of this output; the names of what others may be writing. */
function removeStale(path: string): string[] {
  const folder = dirname(path);
  const prefix = prefixOf(path);
  const others: string[] = [];
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(SUFFIX)) continue;
    const [, space, pid] =
      /^([0-9a-f]+)-(\d+)-[0-9a-f]+$/.exec(name.slice(prefix.length, -SUFFIX.length)) ?? [];
    // A name of another form may belong to an output of another name.
    if (pid === undefined && !/^\d+$/.test(name.slice(prefix.length, -SUFFIX.length))) continue;
    if (space === processSpace() && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
    else if (space !== processSpace() || Number(pid) !== process.pid) others.push(join(folder, name));
  }
  return others;
}

let space: string | undefined;

/** Where process numbers mean the same: this boot of this machine, and in it this namespace (a container has its own). */
function processSpace(): string {
  space ??= digest(
    [
      () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'),
      () => readlinkSync('/proc/self/ns/pid'),
      hostname,
    ]
      .map((part) => {
        try {
          return part();
        } catch {
          return '';
        }
      })
      .join('\n'),
  ).slice(0, 12);
  return space;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function isRunning(pid: number): boolean {
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
