// What a release and the priors that it paid for cost one person together.

import { readCost, type WrittenCost, written } from '../account/index.js';
import { add } from '../exact/index.js';
import type { ProtectedColumn } from '../terms/index.js';

/** For one person: the release's own cost, and that of the priors of its columns. */
export function totalCost(own: WrittenCost, columns: readonly Pick<ProtectedColumn, 'gain'>[]): WrittenCost {
  const all = [own, ...columns.flatMap(({ gain }) => gain?.paid ?? [])].map(readCost);
  return written(
    all.reduce((a, b) => ({ epsilon: add(a.epsilon, b.epsilon), delta: add(a.delta, b.delta) })),
  );
}
