// A program as those who carry out a release: it finds the job by the environment, and the key on descriptor 3, as often as it wants.

import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cannot } from '../../error/index.js';
import { makeFifo } from '../../files/index.js';
import type { Work } from './drive.js';
import type { Pinned } from './pinned.js';

/** Where a pipe finds its job. */
export const JOB_VARIABLE = 'DISCREET_JOB';

/** The command's own output goes to standard output, or to standard error where that is taken. */
export function commandWork(command: readonly string[], signal: AbortSignal, output: 'inherit' | 2): Work {
  const run: Work['run'] = async ({ ticket, key }) => {
    const folder = mkdtempSync(join(tmpdir(), 'discreet-'));
    const job = join(folder, 'job.json');
    const keys = endless(key);
    try {
      writeFileSync(job, JSON.stringify(ticket), { mode: 0o600 });
      await spawned(command, job, keys.file, signal, output);
      checkDone(folder, ticket.pinned ?? [], ticket.id);
      return { rows: null };
    } finally {
      keys.close();
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return { ready: async () => checkProgram(command[0]!), run };
}

/** A partition that is whole leaves a mark beside the job. */
export function markDone(job: string, file: Pinned, id: string | null): void {
  writeFileSync(join(dirname(job), markOf(file, id)), '', { mode: 0o600 });
}

/** What was fed to a pipe and is no input of the driver's leaves one as well: some of its noise may be out. */
export function markStray(job: string): void {
  writeFileSync(join(dirname(job), STRAY), '', { mode: 0o600 });
}

const STRAY = 'stray';
const OPEN = 'open-';

/** What goes to standard output cannot be taken back: until it is known what a pipe was fed, a mark says so. Returns what removes it. */
export function markOpen(job: string): () => void {
  const path = join(dirname(job), `${OPEN}${randomUUID()}`);
  writeFileSync(path, '', { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Without an id, parts may be equal in all but their name; with one, only such as have no rows. */
function markOf({ name, sha256 }: Pinned, id: string | null): string {
  return id === null ? createHash('sha256').update(`${sha256} ${name}`).digest('hex') : sha256;
}

/** A command may end well without having done all of its work. */
function checkDone(folder: string, pinned: readonly Pinned[], id: string | null): void {
  if (existsSync(join(folder, STRAY)))
    throw cannot(
      'a pipe was fed something that is none of the inputs, and noise of it may have left; delete what it wrote',
    );
  if (readdirSync(folder).some((name) => name.startsWith(OPEN)))
    throw cannot(
      'a pipe to standard output ended before its input did, so that nobody knows what it was fed, and some of it has left; where pipes are stopped and run again, let them write with -o',
    );
  const missing = pinned.filter((file) => !existsSync(join(folder, markOf(file, id))));
  if (missing.length > 0)
    throw cannot(
      `the command ended well, but ${missing[0]!.name}${missing.length > 1 ? ` and ${missing.length - 1} more of ${pinned.length} inputs` : ''} went through no pipe: its output is not whole`,
    );
}

/** Before anything is charged for it. */
function checkProgram(program: string): void {
  const folders = program.includes('/') ? [''] : (process.env.PATH ?? '').split(':');
  const there = folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!there)
    throw cannot(
      `cannot run ${program}: there is no such program, or it must not be run. Nothing was released or charged`,
    );
}

/** Whole keys and no piece of one: a pipe takes writes of this size as they are, so that many may read side by side. */
const SIZE = 4096;
const AGAIN = 20;

/** A pipe that always holds more copies, so that any number of processes can read one each. */
function endless(key: Uint8Array): { readonly file: number; readonly close: () => void } {
  const fifo = makeFifo();
  // For both ends, so that neither waits for the other: this one is handed on.
  const file = openSync(fifo.path, constants.O_RDWR);
  const own = openSync(fifo.path, constants.O_WRONLY | constants.O_NONBLOCK);
  fifo.close();
  const copies = Buffer.alloc(SIZE);
  for (let at = 0; at < SIZE; at += key.length) copies.set(key, at);
  const fill = () => {
    try {
      for (;;) writeSync(own, copies);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  };
  fill();
  const timer = setInterval(fill, AGAIN);
  return {
    file,
    close: () => {
      clearInterval(timer);
      copies.fill(0);
      closeSync(own);
      closeSync(file);
    },
  };
}

function spawned(
  [program, ...args]: readonly string[],
  job: string,
  keys: number,
  signal: AbortSignal,
  output: 'inherit' | 2,
): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(program!, args, {
      stdio: ['inherit', output, 'inherit', keys],
      env: { ...process.env, [JOB_VARIABLE]: job },
    });
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop);
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'there is no such program' : error.message;
      fail(cannot(`cannot run ${program}: ${why}`));
    });
    child.on('exit', (code, ended) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) fail(signal.reason);
      else if (code === 0) done();
      else fail(cannot(`the command ended with ${ended ?? `exit code ${code}`}`));
    });
  });
}
