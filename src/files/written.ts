// Files that are written whole or not at all, and refused before any work is done.

import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { cannot, invalid, isOurs, wrong } from '../error/index.js';
import { isPostgres } from '../postgres/index.js';
import { type HiddenFile, hiddenFile, leftBehind, writeAll } from './hidden.js';
import { checkKept } from './kept.js';
import { sameFile } from './same.js';
import { systemWords } from './system-words.js';

/** Refuse an output that exists or cannot be written; `-` is standard output. */
export function checkOutput(path: string | undefined, force: boolean): void {
  if (path === undefined || path === '-') return;
  if (path === '') throw invalid('output: expected a file name, got none');
  checkKept(path);
  if (!existsSync(dirname(path)))
    throw wrong(`${path}: the folder ${dirname(path)} does not exist; make it first`);
  try {
    accessSync(existsSync(path) ? dirname(realpathSync(path)) : dirname(path), constants.W_OK);
  } catch (error) {
    throw cannot(`${path}: cannot be written: ${systemWords(error)}`);
  }
  if (!existsSync(path)) {
    if (lstatSync(path, { throwIfNoEntry: false }))
      throw wrong(`${path}: this link leads nowhere; remove it or choose another name`);
    return;
  }
  if (!statSync(path).isFile()) throw wrong(`${path}: expected a regular file, got a folder or a device`);
  if (!force) throw wrong(`${path}: the file exists; choose another name or overwrite it with {force}`);
}

/** Several outputs: each writable, no two the same. */
export function checkOutputs(paths: readonly (string | undefined)[], force: boolean): void {
  const given = paths.filter((path) => path !== undefined);
  const files = given.filter((path) => path !== '-').map((path) => resolve(path));
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined) throw wrong(`${twice}: two outputs have this name; choose another for one`);
  for (const path of given) checkOutput(path, force);
}

/** A file that appears under its name only when it is complete. */
export function writeFile(
  path: string,
  force: boolean,
  note: (text: string) => void,
  produce: (write: (bytes: Uint8Array) => void) => void,
): void {
  let file: HiddenFile | null = null;
  try {
    file = hiddenFile(path, force);
    const { file: target, others } = file;
    for (const other of others) note(leftBehind(other));
    produce((bytes) => writeAll(target, bytes));
    file.publish();
  } catch (error) {
    if (isOurs(error) || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw cannot(`${path}: cannot be written: ${systemWords(error)}`);
  } finally {
    file?.discard();
  }
}

/** A text file that appears whole or not at all. */
export function writeText(path: string, text: string, force: boolean, note: (text: string) => void): void {
  checkOutput(path, force);
  writeFile(path, force, note, (write) => write(Buffer.from(text)));
}

/** No file is written that is read, or written twice, or that is the ledger: {force} does not change that. */
export function checkPaths(read: readonly string[], written: readonly string[], ledger: string): void {
  const files = (paths: readonly string[]) => paths.filter((path) => path !== '-' && !isPostgres(path));
  const outputs = files(written);
  const ledgers = isPostgres(ledger) ? [] : existsSync(ledger) ? [ledger, realpathSync(ledger)] : [ledger];
  const own = ledgers.flatMap((name) => ['', '-journal', '-wal', '-shm'].map((end) => `${name}${end}`));
  for (const [i, path] of outputs.entries()) {
    if (own.some((name) => sameFile(path, name)))
      throw wrong(`${path}: this is the ledger; choose another name`);
    if (files(read).some((other) => sameFile(path, other)))
      throw wrong(`${path}: the output is the input, or another file that is read; choose another name`);
    if (outputs.some((other, k) => k < i && sameFile(path, other)))
      throw wrong(`${path}: two outputs have this name; choose another for one`);
  }
  if (!isPostgres(ledger) && files(read).some((path) => sameFile(path, ledger)))
    throw wrong(`${ledger}: this is the input; choose another name for the ledger`);
}
