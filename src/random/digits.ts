// The distribution a sampler's table is made of: outcomes on a stretch of the lattice around the bulk of
// the mass, and one outcome each for what lies left and right of it; and, to any number of binary
// digits, lower bounds on their probabilities.

import { divideDown, multiply, power, type Rational, rational, toNumberNear } from '../exact/index.js';
import {
  geometricFactor,
  lastIndex,
  type Pmf,
  probabilities,
  type Tail,
  tailWeight,
  total,
} from '../pmf/index.js';

export interface Stretch {
  readonly low: number;
  readonly high: number;
  /** Whole periods of each tail inside the stretch; 0 also where it ends within the window. */
  readonly leftPeriods: number;
  readonly rightPeriods: number;
}

/** Draws outside the stretch are slow: it covers all but about this much of the mass where it can. */
const OUTSIDE = 2 ** -20;

/** The shortest stretch with little mass outside, of at most `most` points. */
export function chooseStretch(pmf: Pmf, most: number): Stretch {
  const periods = (tail: Tail | null) => {
    if (!tail) return 0;
    const decay = -Math.log1p(-toNumberNear({ num: tail.ratio.den - tail.ratio.num, den: tail.ratio.den }));
    return Math.max(0, Math.min(Math.ceil(-Math.log(OUTSIDE / 4) / decay), Math.floor(most / tail.period)));
  };
  const last = lastIndex(pmf);
  const [leftMost, rightMost] = [periods(pmf.left), periods(pmf.right)];
  const from = pmf.from - leftMost * (pmf.left?.period ?? 0);
  const to = last + rightMost * (pmf.right?.period ?? 0);
  const { p, beyond } = probabilities(pmf, from, to);
  let [first, end] = [0, p.length - 1];
  let [left, right] = [beyond.left.mass, beyond.right.mass];
  // Drop points from the end with less mass outside, while little is outside or too much inside; an end
  // of the window stays, so that tails start where they should.
  while (first < end) {
    const [fromLeft, fromRight] = [from + first < last, from + end > pmf.from];
    const takeLeft = fromLeft && (!fromRight || left + p[first]! <= right + p[end]!);
    const outside = left + right + (takeLeft ? p[first]! : p[end]!);
    // What doubles cannot tell (NaN) ends the search too: any stretch gives the same law.
    if (!(fromLeft || fromRight) || (!(outside <= OUTSIDE) && end - first + 1 <= most)) break;
    if (takeLeft) left += p[first++]!;
    else right += p[end--]!;
  }
  return wholePeriods(pmf, from + first, from + end, most);
}

/** Does the stretch leave next to nothing of the mass outside? */
export function isCovered(pmf: Pmf, stretch: Stretch): boolean {
  const mass = total(pmf);
  const [left, right] = (['left', 'right'] as const).map((side) => {
    const { num, den } = outsideWeight(pmf, stretch, side, 64);
    return toNumberNear({ num: num * mass.den, den: den * mass.num });
  });
  return left! + right! <= 4 * OUTSIDE;
}

/** Shorten a stretch that ends inside a tail to whole periods of it, or let it end with the window. */
function wholePeriods(pmf: Pmf, low: number, high: number, most: number): Stretch {
  const last = lastIndex(pmf);
  const inTail = (beyond: number, tail: Tail | null) =>
    beyond > 0 && tail ? Math.ceil(beyond / tail.period) : 0;
  const fit = (leftPeriods: number, rightPeriods: number): Stretch => ({
    low: leftPeriods > 0 ? pmf.from - leftPeriods * pmf.left!.period : Math.max(low, pmf.from),
    high: rightPeriods > 0 ? last + rightPeriods * pmf.right!.period : Math.min(high, last),
    leftPeriods,
    rightPeriods,
  });
  let [leftPeriods, rightPeriods] = [inTail(pmf.from - low, pmf.left), inTail(high - last, pmf.right)];
  let stretch = fit(leftPeriods, rightPeriods);
  while (stretch.high - stretch.low + 1 > most && leftPeriods + rightPeriods > 0) {
    if (leftPeriods >= rightPeriods) leftPeriods--;
    else rightPeriods--;
    stretch = fit(leftPeriods, rightPeriods);
  }
  return stretch;
}

/**
 * Lower bounds on p·2^bits as integers for each point of the stretch, then for everything left and
 * everything right of it. Bounds for more bits are never worse.
 */
export function lowerDigits(pmf: Pmf, stretch: Stretch, bits: number): bigint[] {
  const mass = total(pmf);
  const shift = BigInt(bits);
  const guard = 64n;
  const scaled = (weight: bigint, extra = 0n) => divideDown((weight * mass.den) << (shift + extra), mass.num);
  const last = lastIndex(pmf);
  const [first, end] = [Math.max(stretch.low, pmf.from), Math.min(stretch.high, last)];
  const window = pmf.weights.slice(first - pmf.from, end - pmf.from + 1).map((weight) => scaled(weight));
  const outward = (tail: Tail | null, block: readonly bigint[], periods: number): bigint[] => {
    if (!tail || periods === 0) return [];
    // ratio and values rounded down, with guard bits to spare
    const precision = BigInt(bits + 128);
    const ratio = (tail.ratio.num << precision) / tail.ratio.den;
    const values = block.map((weight) => scaled(weight, guard));
    const points: bigint[] = [];
    for (let j = 0; j < periods; j++) {
      for (let i = 0; i < values.length; i++) {
        values[i] = (values[i]! * ratio) >> precision;
        points.push(values[i]! >> guard);
      }
    }
    return points;
  };
  const leftBlock = pmf.left ? pmf.weights.slice(0, pmf.left.period).reverse() : [];
  const rightBlock = pmf.right ? pmf.weights.slice(-pmf.right.period) : [];
  const left = outward(pmf.left, leftBlock, stretch.leftPeriods).reverse();
  const right = outward(pmf.right, rightBlock, stretch.rightPeriods);
  const outside = (['left', 'right'] as const).map((side) => {
    const weight = outsideWeight(pmf, stretch, side, bits + 64);
    return divideDown((weight.num * mass.den) << shift, weight.den * mass.num);
  });
  return [...left, ...window, ...right, ...outside];
}

/** A lower bound on the weight beyond one end of the stretch; exact where the end is not inside a tail. */
function outsideWeight(pmf: Pmf, stretch: Stretch, side: 'left' | 'right', bits: number): Rational {
  const periods = side === 'left' ? stretch.leftPeriods : stretch.rightPeriods;
  const tail = pmf[side];
  if (periods > 0 && tail) {
    const block = (
      side === 'left' ? pmf.weights.slice(0, tail.period) : pmf.weights.slice(-tail.period)
    ).reduce((a, b) => a + b, 0n);
    return multiply(multiply(rational(block), geometricFactor(tail)), power(tail.ratio, periods, bits).lower);
  }
  const cut = windowOutside(pmf, stretch, side).reduce((a, b) => a + b, 0n);
  const beyond = tailWeight(pmf, side);
  return rational(cut * beyond.den + beyond.num, beyond.den);
}

/** The window's weights beyond one end of the stretch, from the stretch outward. */
export function windowOutside(
  pmf: Pmf,
  { low, high }: Pick<Stretch, 'low' | 'high'>,
  side: 'left' | 'right',
): bigint[] {
  return side === 'left'
    ? pmf.weights.slice(0, Math.max(0, low - pmf.from)).reverse()
    : pmf.weights.slice(Math.max(0, high - pmf.from + 1));
}
