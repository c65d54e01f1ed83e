// A job for tests: columns whose noise is given, so that what comes out is known.

import { rational } from '../../src/exact/index.js';
import { compile } from '../../src/index.js';
import { finishOf, latticeOf } from '../../src/mechanism/index.js';
import type { RowsJob } from '../../src/rows/index.js';

const mechanism = compile('geometric:scale=5', { epsilon: 1, adjacency: 5 });

export function jobOf(names: readonly string[], more: Partial<RowsJob> = {}): RowsJob {
  const lattice = latticeOf(rational(1n));
  return {
    columns: names.map((name) => ({ name, mechanism, lattice, finish: finishOf(lattice, null, null) })),
    skipInvalid: false,
    reading: null,
    passed: [],
    part: null,
    person: null,
    guard: { budget: [], earlier: [] },
    ...more,
  };
}
