// An infinite prior, cut where next to nothing is left.

import { exactText, integer, multiply } from '../exact/index.js';
import { makePmf, type Pmf, total } from '../pmf/index.js';
import type { Prior } from './prior.js';

/** One part in this many may be cut off. */
const CUT = 1_000_000_000_000n;

/** Drop the ends as long as what is dropped in all stays below 1e-12. */
export function trimmed(pmf: Pmf): Omit<Prior, 'spec'> {
  const mass = total(pmf);
  const allowed = mass.num / mass.den / CUT;
  let [first, last, dropped] = [0, pmf.weights.length - 1, 0n];
  for (;;) {
    const left = pmf.weights[first]! <= pmf.weights[last]!;
    dropped += pmf.weights[left ? first : last]!;
    if (dropped >= allowed) break;
    if (left) first++;
    else last--;
  }
  while (pmf.weights[first] === 0n) first++;
  while (pmf.weights[last] === 0n) last--;
  const at = (i: number) => exactText(multiply(integer(pmf.from + i), pmf.step));
  return {
    pmf: makePmf({ ...pmf, from: pmf.from + first, weights: pmf.weights.slice(first, last + 1) }),
    cut: `cut to ${at(first)} … ${at(last)}, less than 1e-12 of it lies outside`,
  };
}
