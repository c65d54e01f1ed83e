// The mechanisms of a release as files beside the output: readers need them.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { checkOutput, writeText } from '../files/index.js';
import { type Mechanism, textOfIndex, writeMechanism } from '../mechanism/index.js';
import type { MechanismFile, ProtectedColumn } from './job.js';
import type { Place } from './places/index.js';

/** One file for all columns that share mechanism, clamp and rounding. */
export function mechanismFiles(
  columns: readonly ProtectedColumn[],
  output: Place,
  input: Place,
  hash: (mechanism: Mechanism) => string,
): MechanismFile[] {
  const groups = new Map<string, ProtectedColumn[]>();
  for (const column of columns) {
    const { clamp, roundTo } = afterwards(column);
    const key = JSON.stringify([hash(column.mechanism), clamp, roundTo]);
    groups.set(key, [...(groups.get(key) ?? []), column]);
  }
  const shared = [...groups.values()];
  const paths = pathsBeside(
    shared.map(([first]) => first!.name),
    'mechanism.json',
    output,
    input,
  );
  return shared.map((group, i) => {
    const { mechanism } = group[0]!;
    const release = { columns: group.map(({ name }) => name), ...afterwards(group[0]!) };
    return {
      path: paths[i]!,
      text: writeMechanism({ ...mechanism, origin: { ...mechanism.origin, release } }),
    };
  });
}

/** What was done to the values of a column after noise was added, in data units. */
function afterwards({ lattice, finish }: ProtectedColumn) {
  const { low, high, roundTo } = finish;
  return {
    clamp:
      low === -lattice.limit && high === lattice.limit
        ? null
        : [textOfIndex(low, lattice), textOfIndex(high, lattice)],
    roundTo: roundTo === 1n ? null : textOfIndex(roundTo, lattice),
  };
}

/** Files beside the output, one for each of the columns. */
export function pathsBeside(names: readonly string[], ending: string, output: Place, input: Place): string[] {
  const stem = output.path ?? output.beside ?? basename(output.name ?? input.name ?? 'release');
  const plain = names.map((name) => name.replace(/[^\p{L}\p{N}_-]+/gu, '_'));
  return plain.map((name, i) => {
    if (plain.length === 1) return `${stem}.${ending}`;
    const twin = plain.slice(0, i).filter((other) => other.toLowerCase() === name.toLowerCase()).length;
    return `${stem}.${name}${twin === 0 ? '' : `-${twin + 1}`}.${ending}`;
  });
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
