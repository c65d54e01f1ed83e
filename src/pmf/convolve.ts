// The distribution of a sum of independent variables, exactly, by Kronecker substitution: the
// weights become digits of two huge integers, and one product gives all sums of products.

import { invalid } from '../error/index.js';
import { bitLength, compare } from '../exact/index.js';
import { makePmf, type Pmf } from './pmf.js';

/**
 * The mass function of X + Y. One of the two may have tails: beyond the other's reach the sum then
 * repeats with the same period and ratio. Two tails on one side would not be geometric any more.
 */
export function convolve(a: Pmf, b: Pmf): Pmf {
  if (compare(a.step, b.step) !== 0) throw invalid('convolve: expected two mass functions of the same step');
  const [finite, other] = a.left || a.right ? [b, a] : [a, b];
  if (finite.left || finite.right)
    throw invalid('convolve: expected at least one mass function without tails, got two with tails');
  // Unroll the other's tails over the finite one's reach, so that the sums at the seam are complete.
  const reach = finite.weights.length - 1;
  const bits = [other.left, other.right].reduce(
    (sum, tail) => sum + (tail ? Math.ceil(reach / tail.period) * bitLength(tail.ratio.den) : 0),
    0,
  );
  if (bits * (other.weights.length + 2 * reach) > MOST_BITS)
    throw invalid(
      'convolve: expected tails whose exact weights fit into memory over the reach of the other mass function; use outputOf, in doubles',
    );
  const padded = unrolled(other, reach);
  const sums = productOfSeries(finite.weights, padded.weights);
  const start = other.left ? reach : 0;
  const end = sums.length - (other.right ? reach : 0);
  return makePmf({
    step: a.step,
    from: finite.from + padded.from + start,
    weights: sums.slice(start, end),
    left: other.left,
    right: other.right,
  });
}

/** The same mass function, scaled, with its window extended by `reach` points into each tail. */
export function unrolled(pmf: Pmf, reach: number): Pmf {
  if (reach === 0 || (!pmf.left && !pmf.right)) return pmf;
  const powers = (period: number) => Math.ceil(reach / period);
  let scale = 1n;
  for (const tail of [pmf.left, pmf.right]) if (tail) scale *= tail.ratio.den ** BigInt(powers(tail.period));
  const weights = pmf.weights.map((weight) => weight * scale);
  if (pmf.right) {
    const { period, ratio } = pmf.right;
    for (let i = 0; i < reach; i++) weights.push((weights[weights.length - period]! * ratio.num) / ratio.den);
  }
  weights.reverse();
  if (pmf.left) {
    const { period, ratio } = pmf.left;
    for (let i = 0; i < reach; i++) weights.push((weights[weights.length - period]! * ratio.num) / ratio.den);
  }
  weights.reverse();
  return { ...pmf, from: pmf.left ? pmf.from - reach : pmf.from, weights };
}

/** Exact weights of more bits than this in all are not attempted. */
const MOST_BITS = 2e9;

function productOfSeries(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  const longest = (series: readonly bigint[]) => series.reduce((most, w) => (w > most ? w : most), 0n);
  const bits =
    bitLength(longest(a)) + bitLength(longest(b)) + bitLength(BigInt(Math.min(a.length, b.length)));
  const digits = Math.ceil(bits / 4);
  const pack = (series: readonly bigint[]) =>
    BigInt(
      `0x${[...series]
        .reverse()
        .map((w) => w.toString(16).padStart(digits, '0'))
        .join('')}`,
    );
  const length = a.length + b.length - 1;
  const text = (pack(a) * pack(b)).toString(16).padStart(length * digits, '0');
  return Array.from({ length }, (_, i) => {
    const end = text.length - i * digits;
    return BigInt(`0x${text.slice(end - digits, end)}`);
  });
}
