// What is made of the columns and their shares: as few parts as do as well, and a mean of 0 where that is asked for.

import type { LevelColumn, PureProblem } from './level-column.js';

/** Fewer parts where they do as well: the single best one, else those that matter. */
export function tidy(columns: readonly LevelColumn[], shares: Float64Array, value: number) {
  const limit = value * (1 + 1e-8);
  const single = columns.find((column) => valueOfMixture([column], [1]) <= limit);
  if (single) return [{ share: 1, column: single }];
  for (const least of [1e-4, 1e-6, 1e-8]) {
    const kept = Array.from(shares, (share, j) => ({ share, column: columns[j]! })).filter(
      ({ share }) => share > least,
    );
    const total = kept.reduce((sum, { share }) => sum + share, 0);
    const parts = kept.map(({ share, column }) => ({ share: share / total, column }));
    const changed = valueOfMixture(
      parts.map(({ column }) => column),
      parts.map(({ share }) => share),
    );
    if (changed <= limit) return parts;
  }
  // What is left of a share below this is rounding.
  return Array.from(shares, (share, j) => ({ share, column: columns[j]! })).filter(
    ({ share }) => share > 1e-12,
  );
}

/** Where the mean must be 0, what is left of it is taken off by the mirror image of a part. */
export function balanced(problem: PureProblem, parts: readonly { share: number; column: LevelColumn }[]) {
  const plain = parts.map(({ share, column }) => ({ share, levels: column.levels }));
  if (!problem.unbiased) return plain;
  const mean = parts.reduce((sum, { share, column }) => sum + share * column.mean, 0);
  // Symmetric noise has no more than rounding.
  if (Math.abs(mean) < 1e-12) return plain;
  const furthest = parts.reduce((a, b) => (b.column.mean * mean > a.column.mean * mean ? b : a)).column;
  if (!(furthest.mean * mean > 0)) return plain;
  const share = mean / (mean + furthest.mean);
  return [
    ...plain.map((part) => ({ ...part, share: part.share * (1 - share) })),
    { share, levels: furthest.levels.slice().reverse() },
  ];
}

function valueOfMixture(columns: readonly LevelColumn[], shares: readonly number[]): number {
  const sums = new Float64Array(columns[0]!.rows.length);
  let value = 0;
  columns.forEach(({ rows, linear }, j) => {
    value += shares[j]! * linear;
    for (let k = 0; k < sums.length; k++) sums[k]! += shares[j]! * rows[k]!;
  });
  for (const v of sums) value += Math.abs(v);
  return value;
}

export function fingerprint(levels: Int32Array): number {
  let hash = 0;
  for (const level of levels) hash = (Math.imul(hash, 31) + level) | 0;
  return hash;
}
