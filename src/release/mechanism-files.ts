// The mechanism files of a release, written and taken back, and how they are named.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { checkOutput, writeText } from '../files/index.js';
import type { MechanismFile } from '../terms/index.js';
import type { Place } from './places/index.js';

/** What the names of files beside an output begin with. */
export function stemOf(output: Place, input: Place): string {
  return output.path ?? output.beside ?? basename(output.name ?? input.name ?? 'release');
}

/** Those that are not there yet, as they may be from a process that was killed. */
function missing(files: readonly MechanismFile[]): MechanismFile[] {
  return files.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
}

/** Refuse what would overwrite other files. */
export function checkMechanismFiles(files: readonly MechanismFile[], force: boolean): void {
  for (const { path } of missing(files)) checkOutput(path, force);
}

/** Returns what puts everything back, for an output that does not appear after all. */
export function writeMechanismFiles(
  files: readonly MechanismFile[],
  force: boolean,
  note: (text: string) => void,
): () => void {
  const before = missing(files).map(({ path, text }) => {
    const old = existsSync(path) ? readFileSync(path, 'utf8') : null;
    writeText(path, text, force, note);
    return { path, old };
  });
  return () => {
    for (const { path, old } of before)
      if (old === null) rmSync(path, { force: true });
      else writeText(path, old, true, note);
  };
}
