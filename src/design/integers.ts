// From the solvers' doubles to integers: a double is an integer times a power of two, so nothing is rounded.

import { fromNumber, type Rational, rational } from '../exact/index.js';
import { makePmf, moments, type Pmf, total, windowPmf } from '../pmf/index.js';

/** Below this binary part of the largest probability, steady descent does as well as anything. */
const NEGLIGIBLE = -73;

/** Positive numbers as mantissa·2^exponent, mantissas in [½, 1): between far bumps noise leaves the range of doubles. */
interface Scaled {
  readonly mantissas: Float64Array;
  readonly exponents: Int32Array;
}

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
  const parts = solution.parts.flatMap(({ share, levels }) =>
    symmetric
      ? [
          { share: share / 2, levels },
          { share: share / 2, levels: levels.slice().reverse() },
        ]
      : [{ share, levels }],
  );
  let [low, high] = [count - 1, 0];
  const shares = parts.map(({ share, levels }) => {
    let mass = 0;
    for (let i = 0; i < count; i++) mass += (i < m || i >= count - m ? 1 / (1 - q) : 1) * q ** levels[i]!;
    high = Math.max(high, descendsFrom(levels, m));
    low = Math.min(low, count - 1 - descendsFrom(levels.slice().reverse(), m));
    return share / mass;
  });
  const mixed = mix(
    parts.map(({ levels }) => levels),
    shares,
    q,
  );
  if (symmetric) {
    // The same to the last digit, whatever the order of the sums.
    mixed.mantissas.set(mixed.mantissas.slice(reach + 1).reverse(), 0);
    mixed.exponents.set(mixed.exponents.slice(reach + 1).reverse(), 0);
  }
  const right = endOf(mixed, high, m, q);
  const left = endOf(reversed(mixed), count - 1 - low, m, q);
  // Each side is written outward from the middle; where a side ends in forced descent its last block is new.
  const mantissas = [...left.mantissas.slice(reach + 1).reverse(), ...right.mantissas.slice(reach)];
  const exponents = [...left.exponents.slice(reach + 1).reverse(), ...right.exponents.slice(reach)];
  const tail = { period: m, ratio: fromNumber(q) };
  const from = -(left.mantissas.length - 1 - reach);
  return makePmf({ step, from, weights: toIntegers(mantissas, exponents), left: tail, right: tail });
}

/** Noise as it is written, with tails that repeat its outermost blocks. */
export function writtenPmf(
  { from, p }: { readonly from: number; readonly p: Float64Array },
  { adjacency: m, q }: { adjacency: number; q: number },
  step: Rational,
): Pmf {
  const { mantissas, exponents } = scaledOf(p);
  const weights = toIntegers(mantissas, exponents);
  const tail = { period: m, ratio: fromNumber(q) };
  return makePmf({ step, from, weights, left: tail, right: tail });
}

/** Noise without tails; its ends are cut as long as what is cut is at most `cut` in all. */
export function finitePmf(p: Float64Array, reach: number, cut: number, step: Rational): Pmf {
  let [first, last, dropped] = [0, p.length - 1, 0];
  // Both ends alike, so that symmetric noise stays so.
  while (first < last && dropped + p[first]! + p[last]! <= cut) dropped += p[first++]! + p[last--]!;
  while (p[first] === 0) first++;
  while (p[last] === 0) last--;
  const { mantissas, exponents } = scaledOf(p.subarray(first, last + 1));
  const weights = toIntegers(mantissas, exponents);
  return windowPmf(step, first - reach, weights);
}

/**
 * The same with a mean of exactly 0: what the mean lacks is added to the weight next to 0 on the other side. Where that weight
 * belongs to the block of a tail it stays as it is.
 */
export function centredExactly(pmf: Pmf): Pmf {
  const { mean } = moments({ ...pmf, step: { num: 1n, den: 1n } });
  const mass = total(pmf);
  const moment = rational(mean.num * mass.num, mean.den * mass.den);
  const at = (moment.num > 0n ? -1 : 1) - pmf.from;
  const [first, last] = [pmf.left?.period ?? 0, pmf.weights.length - 1 - (pmf.right?.period ?? 0)];
  if (moment.num === 0n || at < first || at > last) return pmf;
  const missing = moment.num > 0n ? moment.num : -moment.num;
  const weights = pmf.weights.map((weight, i) => weight * moment.den + (i === at ? missing : 0n));
  return makePmf({ ...pmf, weights });
}

/** The least index such that from m points before it on, levels never fall and rise by one every m points. */
function descendsFrom(levels: Int32Array, m: number): number {
  let k = levels.length - 1;
  while (k - m >= 0 && levels[k] === levels[k - m]! + 1 && levels[k]! >= levels[k - 1]!) k--;
  return Math.min(levels.length - 1, k + m - 1);
}

/** Σ share·q^level at every point. */
function mix(levels: readonly Int32Array[], shares: readonly number[], q: number): Scaled {
  const count = levels[0]!.length;
  const most = levels.reduce(
    (top, own) =>
      Math.max(
        top,
        own.reduce((a, b) => Math.max(a, b)),
      ),
    0,
  );
  const powers: Scaled = { mantissas: new Float64Array(most + 1), exponents: new Int32Array(most + 1) };
  for (let i = 0, [mantissa, exponent] = [0.5, 1]; i <= most; i++) {
    powers.mantissas[i] = mantissa;
    powers.exponents[i] = exponent;
    const [next, moved] = split(mantissa * q);
    [mantissa, exponent] = [next, exponent + moved];
  }
  const mixed: Scaled = { mantissas: new Float64Array(count), exponents: new Int32Array(count) };
  for (let i = 0; i < count; i++) {
    let top = -Infinity;
    for (const own of levels) top = Math.max(top, powers.exponents[own[i]!]!);
    let sum = 0;
    for (let j = 0; j < levels.length; j++) {
      const level = levels[j]![i]!;
      sum += shares[j]! * powers.mantissas[level]! * 2 ** (powers.exponents[level]! - top);
    }
    const [mantissa, moved] = split(sum);
    mixed.mantissas[i] = mantissa;
    mixed.exponents[i] = top + moved;
  }
  return mixed;
}

function reversed({ mantissas, exponents }: Scaled): Scaled {
  return { mantissas: mantissas.slice().reverse(), exponents: exponents.slice().reverse() };
}

/** The values up to `end`, or up to where they are negligible and one more block that is valid after any. */
function endOf({ mantissas, exponents }: Scaled, end: number, m: number, q: number): Scaled {
  const middle = (mantissas.length - 1) / 2;
  const largest = exponents.reduce((a, b) => Math.max(a, b));
  let last = end;
  for (let k = end; k > middle + m && exponents[k]! < largest + NEGLIGIBLE; k--) last = k;
  const length = (last === end ? Math.max(end, middle + m) : last) + 1;
  const kept = { mantissas: mantissas.slice(0, length), exponents: exponents.slice(0, length) };
  if (last === end) return kept;
  let at = last;
  for (let k = last - m + 1; k <= last; k++) {
    const above = exponents[k]! - exponents[at]!;
    if (above > 0 || (above === 0 && mantissas[k]! > mantissas[at]!)) at = k;
  }
  const [mantissa, moved] = split(mantissas[at]! * q);
  const grown = { mantissas: new Float64Array(length + m), exponents: new Int32Array(length + m) };
  grown.mantissas.set(kept.mantissas);
  grown.exponents.set(kept.exponents);
  grown.mantissas.fill(mantissa, length);
  grown.exponents.fill(exponents[at]! + moved, length);
  return grown;
}

/** Mantissa in [½, 1) and exponent of a positive double; 0 is 0·2^0. */
function split(value: number): [number, number] {
  if (value === 0) return [0, 0];
  let exponent = Math.floor(Math.log2(value)) + 1;
  // In two steps, for 2^1074 is no double.
  let mantissa = value * 2 ** -(exponent >> 1) * 2 ** -(exponent - (exponent >> 1));
  if (mantissa >= 1) [mantissa, exponent] = [mantissa / 2, exponent + 1];
  if (mantissa < 0.5) [mantissa, exponent] = [mantissa * 2, exponent - 1];
  return [mantissa, exponent];
}

function scaledOf(p: Float64Array): Scaled {
  const [mantissas, exponents] = [new Float64Array(p.length), new Int32Array(p.length)];
  for (let i = 0; i < p.length; i++) [mantissas[i], exponents[i]] = split(p[i]!) as [number, number];
  return { mantissas, exponents };
}

function toIntegers(mantissas: ArrayLike<number>, exponents: ArrayLike<number>): bigint[] {
  let least = Infinity;
  for (let i = 0; i < mantissas.length; i++) if (mantissas[i]! > 0) least = Math.min(least, exponents[i]!);
  return Array.from({ length: mantissas.length }, (_, i) =>
    mantissas[i] === 0 ? 0n : BigInt(mantissas[i]! * 2 ** 53) << BigInt(exponents[i]! - least),
  );
}
