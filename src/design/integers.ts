// From the solvers' doubles to integers: a double is an integer times a power of two, so nothing is rounded.

import { fromNumber, type Rational } from '../exact/index.js';
import { makePmf, type Pmf } from '../pmf/index.js';
import { powersOf } from './pure.js';

/** Below this part of the largest probability, steady descent does as well as anything. */
const NEGLIGIBLE = 1e-22;

/**
 * A mixture of level functions with their steady descent as tails: from where all of them descend, or from
 * where what they do no longer matters.
 */
export function purePmf(
  solution: { readonly reach: number; readonly parts: readonly { share: number; levels: Int32Array }[] },
  { adjacency: m, q, symmetric }: { adjacency: number; q: number; symmetric: boolean },
  step: Rational,
): Pmf {
  const { reach } = solution;
  const count = 2 * reach + 1;
  let mixed = new Float64Array(count);
  let [low, high] = [count, 0];
  for (const { share, levels } of solution.parts) {
    const powers = powersOf(q, levels);
    let mass = 0;
    for (let i = 0; i < count; i++) {
      const weight = i < m || i >= count - m ? 1 / (1 - q) : 1;
      mass += weight * powers[levels[i]!]!;
    }
    for (let i = 0; i < count; i++) mixed[i]! += (share / mass) * powers[levels[i]!]!;
    high = Math.max(high, descendsFrom(levels, m));
    low = Math.min(low, count - 1 - descendsFrom(levels.slice().reverse(), m));
  }
  if (symmetric) {
    mixed = mixed.map((v, i) => (v + mixed[count - 1 - i]!) / 2);
    high = Math.max(high, count - 1 - low);
    low = count - 1 - high;
  }
  const right = endOf(mixed, high, m, q);
  const left = endOf(mixed.slice().reverse(), count - 1 - low, m, q);
  // Each side is written outward from the middle; where a side ends in forced descent its last block is new.
  const p = [...left.slice(reach + 1).reverse(), ...right.slice(reach)];
  const tail = { period: m, ratio: fromNumber(q) };
  return makePmf({ step, from: -(left.length - 1 - reach), weights: toIntegers(p), left: tail, right: tail });
}

/** Noise without tails; its ends are cut as long as what is cut is at most `cut` in all. */
export function finitePmf(p: Float64Array, reach: number, cut: number, step: Rational): Pmf {
  let [first, last, dropped] = [0, p.length - 1, 0];
  for (;;) {
    const left = p[first]! <= p[last]!;
    dropped += p[left ? first : last]!;
    if (dropped > cut || first >= last) break;
    if (left) first++;
    else last--;
  }
  const weights = toIntegers(Array.from(p.subarray(first, last + 1)));
  return makePmf({ step, from: first - reach, weights, left: null, right: null });
}

/** The least index such that from m points before it on, levels never fall and rise by one every m points. */
function descendsFrom(levels: Int32Array, m: number): number {
  let k = levels.length - 1;
  while (k - m >= 0 && levels[k] === levels[k - m]! + 1 && levels[k]! >= levels[k - 1]!) k--;
  return Math.min(levels.length - 1, k + m - 1);
}

/** The values up to `end`, or up to where they are negligible and one more block that is valid after any. */
function endOf(p: Float64Array, end: number, m: number, q: number): Float64Array {
  const middle = (p.length - 1) / 2;
  const largest = p.reduce((a, b) => Math.max(a, b));
  let last = end;
  for (let k = end; k > middle + m && p[k]! < NEGLIGIBLE * largest; k--) last = k;
  if (last === end) return p.slice(0, Math.max(end, middle + m) + 1);
  const block = p.subarray(last - m + 1, last + 1).reduce((a, b) => Math.max(a, b)) * q;
  const values = new Float64Array(last + 1 + m);
  values.set(p.subarray(0, last + 1));
  return values.fill(block, last + 1);
}

function toIntegers(p: readonly number[]): bigint[] {
  const least = p.reduce((a, b) => (b > 0 && b < a ? b : a), Infinity);
  const scale = 2 ** (56 - Math.floor(Math.log2(least)));
  return p.map((v) => BigInt(v * scale));
}
