// Does one shift lose more than another at every ε? With C(x) = Σ max(0, P − x·Q) convex and piecewise linear, C_a ≥ C_b everywhere if
// it holds at the corners of C_a: between them C_a is linear and C_b convex. Decided in integers.

import { geometricFactor, lastIndex, type Pmf } from '../pmf/index.js';
import { extendWindow } from '../privacy/index.js';

/** Outputs by falling P/Q, with the sums of P and Q over all up to each. */
export interface Sorted {
  readonly over: readonly bigint[];
  readonly under: readonly bigint[];
  readonly overSums: readonly bigint[];
  readonly underSums: readonly bigint[];
}

/** Of p against p moved by `shift`, in one scale for all shifts up to `adjacency`; null where the tails are too long for integers. */
export function sortedPairs(pmf: Pmf, shift: number, adjacency: number): Sorted | null {
  const extended = extendWindow(pmf, adjacency, 4096);
  if (!extended.exact) return null;
  const { lower, from } = extended;
  const [first, last] = [pmf.from, lastIndex(pmf)];
  const none = { num: 0n, den: 1n };
  const [l, r] = [pmf.left ? geometricFactor(pmf.left) : none, pmf.right ? geometricFactor(pmf.right) : none];
  const unit = l.den * r.den;
  const low = shift > 0 && pmf.left ? first - shift : first;
  const high = shift < 0 && pmf.right ? last - shift : last;
  const pairs: [bigint, bigint][] = [];
  for (let i = low; i <= high; i++) {
    const [outer, inner] = shift > 0 ? [i, i + shift] : [i + shift, i];
    let times = unit;
    if (pmf.right && outer > last - pmf.right.period && outer <= last) times += r.num * l.den;
    if (pmf.left && inner < first + pmf.left.period && inner >= first) times += l.num * r.den;
    const over = lower[i - from]!;
    if (over > 0n) pairs.push([over * times, (lower[i - from + shift] ?? 0n) * times]);
  }
  pairs.sort(([p, q], [r, s]) => {
    const difference = r * q - p * s;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  });
  let [p, q] = [0n, 0n];
  const overSums = pairs.map(([over]) => {
    p += over;
    return p;
  });
  const underSums = pairs.map(([, under]) => {
    q += under;
    return q;
  });
  return { over: pairs.map(([over]) => over), under: pairs.map(([, under]) => under), overSums, underSums };
}

/** C_a ≥ C_b at every x ≥ 0? */
export function dominates(a: Sorted, b: Sorted): boolean {
  let j = 0;
  for (let i = 0; i < a.over.length; i++) {
    // At x = over / under, all up to here count, with nothing or more than nothing.
    const [num, den] = [a.over[i]!, a.under[i]!];
    while (j < b.over.length && b.over[j]! * den > b.under[j]! * num) j++;
    const own = a.overSums[i]! * den - a.underSums[i]! * num;
    const other = j === 0 ? 0n : b.overSums[j - 1]! * den - b.underSums[j - 1]! * num;
    if (own < other) return false;
  }
  // At x = 0 both are the whole mass, and beyond the last corner C_a stays as it is.
  return true;
}
