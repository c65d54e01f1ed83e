// p-Wasserstein distances for p = 2 and ∞ on the line: what is u-th of the one becomes what is u-th of the other, for all u at once
// [QHFL, Definition 3], in doubles. They measure utility, no guarantee rests on them.

import { invalid } from '../error/index.js';
import { compare, toNumberNear } from '../exact/index.js';
import { asMasses, type Masses, reachOf, WIDEST, widened } from './distance.js';
import { lastIndex, type Pmf } from './pmf.js';

/** Tails beyond it do not matter, although squares of their distances grow. */
const LITTLE = 1e-24;

/** Wasserstein-2 in data units: the root of the mean square of how far masses move. */
export function wassersteinTwo(first: Pmf | Masses, second: Pmf | Masses): number {
  const [a, b] = [asMasses(first), asMasses(second)];
  if (compare(a.step, b.step) !== 0) throw invalid('distance: expected two mass functions of the same step');
  const [p, q] = [writtenOut(a), writtenOut(b)];
  let [i, j, sum] = [0, 0, 0];
  let [left, other] = [p.masses[0]!, q.masses[0]!];
  for (;;) {
    const moved = Math.min(left, other);
    sum += moved * (p.from + i - q.from - j) ** 2;
    left -= moved;
    other -= moved;
    while (left <= 0 && i < p.masses.length) left = p.masses[++i] ?? 0;
    while (other <= 0 && j < q.masses.length) other = q.masses[++j] ?? 0;
    // What is left of either is rounding.
    if (i >= p.masses.length || j >= q.masses.length) return Math.sqrt(sum) * toNumberNear(a.step);
  }
}

/**
 * Wasserstein-∞ of input + noise from the input, in data units, is how far noise goes at the most, whatever the input: its greatest
 * value becomes the output's greatest, and its least the output's least.
 */
export function wassersteinMost(noise: Pmf): number {
  if (noise.left || noise.right) return Infinity;
  return Math.max(Math.abs(noise.from), Math.abs(lastIndex(noise))) * toNumberNear(noise.step);
}

/** With tails as far as they matter. */
function writtenOut(masses: Masses): { readonly from: number; readonly masses: Float64Array } {
  const reach = (side: 'left' | 'right') => (masses[side] ? reachOf(masses, side, LITTLE) : 0);
  const from = masses.from - reach('left');
  const to = masses.from + masses.p.length - 1 + reach('right');
  if (to - from > WIDEST)
    throw invalid(`distance: expected a window of at most ${WIDEST} points, got ${to - from}`);
  return { from, masses: widened(masses, from, to).p };
}
