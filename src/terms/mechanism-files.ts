// The mechanisms of a release as files beside the output: readers need them.

import { type Mechanism, textOfIndex, writeMechanism } from '../mechanism/index.js';
import type { ProtectedColumn } from './columns.js';

/** A mechanism as it was used, with what readers need to know of the columns it is for. */
export interface MechanismFile {
  readonly path: string;
  /** The columns that it was used for. */
  readonly columns: readonly string[];
  readonly text: string;
}

/** One file for all columns that share mechanism, clamp and rounding. */
export function mechanismFiles(
  columns: readonly ProtectedColumn[],
  stem: string,
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
    stem,
  );
  return shared.map((group, i) => {
    const { mechanism } = group[0]!;
    const release = { columns: group.map(({ name }) => name), ...afterwards(group[0]!) };
    return {
      path: paths[i]!,
      columns: release.columns,
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
export function pathsBeside(names: readonly string[], ending: string, stem: string): string[] {
  const plain = names.map((name) => name.replace(/[^\p{L}\p{N}_-]+/gu, '_'));
  return plain.map((name, i) => {
    if (plain.length === 1) return `${stem}.${ending}`;
    const twin = plain.slice(0, i).filter((other) => other.toLowerCase() === name.toLowerCase()).length;
    return `${stem}.${name}${twin === 0 ? '' : `-${twin + 1}`}.${ending}`;
  });
}
