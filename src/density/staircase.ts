// The staircase density: (1 − ρ)/2w·ρ^j on w·j ≤ |x| < w·(j + 1). Of shifts up to m the largest is the worst, as it falls on either side
// of 0. With m = q·w + r, f(x − m)/f(x) beyond m is ρ^−q, or ρ^−(q + 1) on the last r of each stair; between 0 and m it is ρ to the
// difference of the two stairs; below 0 it is at most 1.

import {
  add,
  divide,
  type Enclosure,
  exactly,
  exactText,
  exp,
  floor,
  integer,
  log,
  minimum,
  multiply,
  one,
  power,
  type Rational,
  rational,
  subtract,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { type Density, notNegative } from './density.js';

const BITS = 256;

/** The staircase density. */
export function staircaseDensity(width: Rational, ratio: Rational): Density {
  const [w, r] = [toNumberNear(width), toNumberNear(ratio)];
  // Σ over stairs of (1 − ρ)·ρ^j times the mean of |x| and x² on the stair
  const [first, second] = [r / (1 - r), (r * (1 + r)) / (1 - r) ** 2];
  return {
    text: `the staircase density with stairs of ${exactText(width)}, each ${exactText(ratio)} times the one before`,
    pure: (adjacency) => {
      const { stairs, rest } = split(adjacency, width);
      const count = integer(rest.num > 0n ? stairs + 1 : stairs);
      const loss = log(rational(ratio.den, ratio.num), 160);
      return {
        epsilon: { lower: multiply(count, loss.lower), upper: multiply(count, loss.upper) },
        where:
          rest.num > 0n
            ? 'on the last part of each stair beyond m, for the shift m'
            : 'at every x from m on, for the shift m',
      };
    },
    deltaAt: (adjacency, epsilon) => deltaAt(width, ratio, adjacency, epsilon),
    moments: () => ({ mean: 0, meanAbs: w * (first + 0.5), meanSquare: w * w * (second + first + 1 / 3) }),
  };
}

function split(adjacency: Rational, width: Rational) {
  const stairs = Number(floor(divide(adjacency, width)));
  return { stairs, rest: subtract(adjacency, multiply(integer(stairs), width)) };
}

function deltaAt(width: Rational, ratio: Rational, adjacency: Rational, epsilon: Rational): Enclosure {
  const { stairs, rest } = split(adjacency, width);
  const growth = exp(epsilon, BITS);
  const of = (n: number) => (n === 0 ? exactly(one) : power(ratio, n, BITS));
  /** 1 − e^ε·ρ^n */
  const excess = (n: number): Enclosure => {
    const { lower, upper } = of(n);
    return {
      lower: subtract(one, multiply(growth.upper, upper)),
      upper: subtract(one, multiply(growth.lower, lower)),
    };
  };
  const gap = subtract(one, ratio);
  const other = subtract(width, rest);
  let [lower, upper] = [zero, zero];
  const take = (length: Rational, factor: Enclosure, { lower: low, upper: high }: Enclosure) => {
    if (high.num <= 0n) return;
    lower = add(lower, multiply(length, multiply(factor.lower, notNegative(low))));
    upper = add(upper, multiply(length, multiply(factor.upper, high)));
  };
  // Beyond m: stair after stair the same, each ρ times the one before.
  const all = exactly(divide(one, gap));
  take(other, all, excess(stairs));
  take(rest, all, excess(stairs + 1));
  // From m down to 0 the stairs of the one, j = 0, 1, …, meet those of the other, n − j: ρ^j − e^ε·ρ^(n − j), as long as it is above 0;
  // j = 0 … J add up to (1 − ρ^(J + 1))/(1 − ρ)·(1 − e^ε·ρ^(n − J)).
  for (const [length, n] of [
    [rest, stairs],
    [other, stairs - 1],
  ] as const) {
    const last = lastAbove((j) => n - 2 * j > 0 && excess(n - 2 * j).upper.num > 0n, Math.floor(n / 2));
    if (last < 0) continue;
    const sum = of(last + 1);
    const stretch = {
      lower: divide(subtract(one, sum.upper), gap),
      upper: divide(subtract(one, sum.lower), gap),
    };
    take(length, stretch, excess(n - last));
  }
  const height = divide(gap, multiply(integer(2), width));
  return { lower: multiply(lower, height), upper: minimum(one, multiply(upper, height)) };
}

/** The largest j from 0 to `most` for which this holds, if it holds for all before it; −1 where it never does. */
function lastAbove(holds: (j: number) => boolean, most: number): number {
  let [low, high] = [-1, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
