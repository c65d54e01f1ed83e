// Releases to take account of.

import type { Repeated } from '../../src/account/index.js';
import { rational } from '../../src/exact/index.js';
import { type Pmf, windowPmf } from '../../src/pmf/index.js';
import { parseNoise } from '../../src/spec/index.js';

export const step = rational(1n);
export const noise = (text: string, adjacency = 1): Pmf =>
  parseNoise(text, step, () => []).approximate({ adjacency, cut: 400 }).pmf;
export const release = (
  pmf: Pmf,
  adjacency: number,
  times: number,
  more: Partial<Repeated> = {},
): Repeated => ({
  ...{ pmf, adjacency, times, of: 'rows', sampling: null },
  ...more,
});
export const pmfOf = (weights: readonly number[]) => windowPmf(step, -1, weights.map(BigInt));
