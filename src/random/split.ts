// Noise whose tails reach too far for one table is drawn in two steps. A tail falls by the same ratio every period, so a block of
// whole periods looks like every other: which block (the quotient) and where in it (the remainder) are independent, and each has a
// small table of its own. proofs/sampler.md shows that the law is exact.

import {
  divide,
  divideDown,
  multiply,
  one,
  power,
  type Rational,
  rational,
  subtract,
  toNumberNear,
} from '../exact/index.js';
import { geometricFactor, lastIndex, type Pmf, type Tail, total } from '../pmf/index.js';

export interface Split {
  /** Lattice points to a block, and blocks to the right of the window. */
  readonly block: number;
  readonly rights: number;
  /** Of an outcome (points of the window, blocks to the right, blocks to the left) and a place in a block. */
  readonly valueAt: (outcome: number, place: number) => bigint;
  /** Where the outermost blocks end. */
  readonly low: number;
  readonly high: number;
  /** Lower bounds on 2^bits times the probability of every outcome, and of what lies left and right of all of them. */
  readonly outer: (bits: number) => bigint[];
  /** The same of every place in a block, counted outward. */
  readonly inner: (bits: number) => bigint[];
}

/** Blocks of both tails reach to where about this much of the mass is left. */
const OUTSIDE = 2 ** -24;
/** Bits beyond those asked for that all values are worked out with. */
const GUARD = 96;

/** Null where there is no tail, or two that differ: then nothing can be split. */
export function splitOf(pmf: Pmf, mostOutcomes: number): Split | null {
  const { left, right } = pmf;
  const tail = right ?? left;
  if (!tail || (left && right && !isMirrored(pmf))) return null;
  const fall = -Math.log1p(-toNumberNear({ num: tail.ratio.den - tail.ratio.num, den: tail.ratio.den }));
  const periods = Math.ceil(-Math.log(OUTSIDE) / fall);
  const sides = (left ? 1 : 0) + (right ? 1 : 0);
  const window = pmf.weights.length;
  // As many places as blocks, about.
  const wanted = Math.ceil(Math.sqrt((periods * sides) / tail.period));
  const inBlock = Math.max(1, Math.min(wanted, Math.floor(mostOutcomes / tail.period)));
  const most = Math.floor((mostOutcomes - window - 3) / sides);
  const blocks = Math.min(Math.ceil(periods / inBlock), most);
  if (!(blocks >= 1)) return null;
  return build(pmf, tail, inBlock, blocks);
}

/** Both tails fall alike, and their blocks are the same outward. */
function isMirrored({ left, right, weights }: Pmf): boolean {
  if (left!.period !== right!.period) return false;
  if (left!.ratio.num * right!.ratio.den !== right!.ratio.num * left!.ratio.den) return false;
  return weights.slice(0, left!.period).every((weight, i) => weight === weights.at(-1 - i));
}

function build(pmf: Pmf, tail: Tail, inBlock: number, blocks: number): Split {
  const last = lastIndex(pmf);
  const block = inBlock * tail.period;
  const [rights, lefts] = [pmf.right ? blocks : 0, pmf.left ? blocks : 0];
  const window = pmf.weights.length;
  const valueAt = (outcome: number, place: number): bigint => {
    if (outcome < window) return BigInt(pmf.from + outcome);
    const isLeft = outcome >= window + rights;
    const distance = (outcome - window - (isLeft ? rights : 0)) * block + place + 1;
    return BigInt(isLeft ? pmf.from - distance : last + distance);
  };
  // Outward.
  const pattern = pmf.right ? pmf.weights.slice(-tail.period) : pmf.weights.slice(0, tail.period).reverse();
  const sum = pattern.reduce((a, b) => a + b, 0n);
  const mass = total(pmf);
  /** ratio^n from below and above. */
  const powers = (n: number, bits: number) => power(tail.ratio, n, bits + GUARD);
  return {
    ...{ block, rights, valueAt },
    low: pmf.from - lefts * block,
    high: last + rights * block,
    outer(bits) {
      const own = pmf.weights.map((weight) => divideDown((weight * mass.den) << BigInt(bits), mass.num));
      // All of a tail, as a part of the whole; and the part of it that is in its first block.
      const whole = divide(multiply(rational(sum), geometricFactor(tail)), mass);
      const { lower, upper } = powers(inBlock, bits);
      const falls = falling(multiply(whole, subtract(one, upper)), lower, blocks, bits);
      const beyond = fixed(multiply(whole, powers(inBlock * blocks, bits).lower), bits);
      return [
        ...own,
        ...(rights > 0 ? falls : []),
        ...(lefts > 0 ? falls : []),
        lefts > 0 ? beyond : 0n,
        rights > 0 ? beyond : 0n,
      ];
    },
    inner(bits) {
      // ratio^j·(1 − ratio) / (1 − ratio^n), times the pattern's share.
      const part = divide(subtract(one, tail.ratio), subtract(one, powers(inBlock, bits).lower));
      const columns = pattern.map((weight) =>
        falling(multiply(part, rational(weight, sum)), tail.ratio, inBlock, bits),
      );
      return Array.from({ length: block }, (_, i) => columns[i % tail.period]![Math.floor(i / tail.period)]!);
    },
  };
}

/** ⌊first·ratio^n·2^bits⌋ for n = 0 … count − 1, or a little less. */
function falling(first: Rational, ratio: Rational, count: number, bits: number): bigint[] {
  const work = bits + GUARD;
  const step = fixed(ratio, work);
  let value = fixed(first, work);
  return Array.from({ length: count }, () => {
    const digits = value >> BigInt(GUARD);
    value = (value * step) >> BigInt(work);
    return digits;
  });
}

/** ⌊x·2^bits⌋ */
function fixed({ num, den }: Rational, bits: number): bigint {
  return divideDown(num << BigInt(bits), den);
}
