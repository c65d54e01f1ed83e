// Moments and quantiles, computed exactly from the integers and only then turned into doubles.

import { invalid } from '../error/index.js';
import {
  add,
  compare,
  divide,
  type Enclosure,
  exactly,
  integer,
  multiply,
  one,
  power,
  type Rational,
  rational,
  subtract,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { geometricFactor, lastIndex, type Pmf, tailBlock, tailWeight, total } from './pmf.js';

/** In data units (multiples of the step); exact. */
export interface Moments {
  readonly mean: Rational;
  readonly meanAbsolute: Rational;
  readonly meanSquare: Rational;
  readonly variance: Rational;
}

/** The exact moments of the integers, tails included. */
export function moments(pmf: Pmf): Moments {
  const mass = total(pmf);
  let first = 0n;
  let absolute = 0n;
  let second = 0n;
  pmf.weights.forEach((weight, i) => {
    const k = BigInt(pmf.from + i);
    const moment = k * weight;
    first += moment;
    absolute += k < 0n ? -moment : moment;
    second += k * moment;
  });
  const left = tailMoments(pmf, 'left');
  const right = tailMoments(pmf, 'right');
  const all = (window: bigint, l: Rational, r: Rational) => divide(add(add(rational(window), l), r), mass);
  const mean = multiply(pmf.step, all(first, left.first, right.first));
  const meanSquare = multiply(multiply(pmf.step, pmf.step), all(second, left.second, right.second));
  return {
    mean,
    meanAbsolute: multiply(pmf.step, all(absolute, left.absolute, right.absolute)),
    meanSquare,
    variance: subtract(meanSquare, multiply(mean, mean)),
  };
}

/** The standard deviation, in doubles: utility only. */
export function standardDeviation(of: Moments): number {
  return Math.sqrt(toNumberNear(of.variance));
}

/** The least t in data units with P(|θ| ≤ t) ≥ probability: how far off a record is that often at most. */
export function errorQuantile(pmf: Pmf, probability: Rational): Rational {
  checkProbability('errorQuantile', probability);
  const cumulative = cumulativeWeight(pmf);
  const wanted = multiply(probability, total(pmf));
  const reached = (t: number) =>
    compare(subtract(cumulative(t).lower, cumulative(-t - 1).upper), wanted) >= 0;
  return multiply(pmf.step, integer(leastIndex(reached, 0)));
}

/** The least value in data units with P(θ ≤ value) ≥ probability. */
export function quantile(pmf: Pmf, probability: Rational): Rational {
  checkProbability('quantile', probability);
  const cumulative = cumulativeWeight(pmf);
  const wanted = multiply(probability, total(pmf));
  const reached = (k: number) => compare(cumulative(k).lower, wanted) >= 0;
  return multiply(pmf.step, integer(leastIndex(reached, pmf.from)));
}

/** k ↦ bounds on the weight of all points up to k; they agree except far out in a tail. */
export function cumulativeWeight(pmf: Pmf): (index: number) => Enclosure {
  const prefix: bigint[] = [0n];
  for (const weight of pmf.weights) prefix.push(prefix[prefix.length - 1]! + weight);
  const everything = total(pmf);
  const leftAll = tailWeight(pmf, 'left');
  const last = lastIndex(pmf);
  return (index) => {
    if (index < pmf.from) return weightBeyond(pmf, 'left', pmf.from - 1 - index);
    if (index <= last) return exactly(add(leftAll, rational(prefix[index - pmf.from + 1]!)));
    const beyond = weightBeyond(pmf, 'right', index - last);
    return { lower: subtract(everything, beyond.upper), upper: subtract(everything, beyond.lower) };
  };
}

/** The weight of a tail beyond its first `skip` points. */
function weightBeyond(pmf: Pmf, side: 'left' | 'right', skip: number): Enclosure {
  const tail = pmf[side];
  if (!tail) return exactly(zero);
  const block = tailBlock(pmf, side);
  const outward = side === 'left' ? [...block].reverse() : block;
  let before = 0n;
  let rest = 0n;
  outward.forEach((weight, i) => {
    if (i < skip % tail.period) before += weight;
    else rest += weight;
  });
  // The rest of the block that `skip` ends in, and all later ones, whole.
  const { num, den } = tail.ratio;
  const sum = rational(rest * (den - num) + (before + rest) * num, den - num);
  const repeated = power(tail.ratio, Math.floor(skip / tail.period) + 1);
  // So far out the digits are not worth their length.
  if (repeated.upper.num << 4000n < repeated.upper.den)
    return { lower: zero, upper: { num: sum.num, den: sum.den << 4000n } };
  return { lower: multiply(repeated.lower, sum), upper: multiply(repeated.upper, sum) };
}

/** Σ k, Σ |k|, Σ k² over one tail. */
function tailMoments(
  pmf: Pmf,
  side: 'left' | 'right',
): { first: Rational; absolute: Rational; second: Rational } {
  const tail = pmf[side];
  if (!tail) return { first: zero, absolute: zero, second: zero };
  const sign = side === 'left' ? -1n : 1n;
  const start = side === 'left' ? pmf.from : lastIndex(pmf) - tail.period + 1;
  const period = BigInt(tail.period) * sign;
  let weight = 0n;
  let first = 0n;
  let second = 0n;
  tailBlock(pmf, side).forEach((w, i) => {
    const k = BigInt(start + i);
    weight += w;
    first += k * w;
    second += k * k * w;
  });
  // Σ_{j≥1} r^j = a, Σ j·r^j = b, Σ j²·r^j = c
  const r = tail.ratio;
  const gap = r.den - r.num;
  const a = geometricFactor(tail);
  const b = rational(r.num * r.den, gap * gap);
  const c = rational(r.num * r.den * (r.den + r.num), gap * gap * gap);
  const scaled = (x: Rational, factor: bigint) => multiply(x, rational(factor));
  const firstAll = add(scaled(a, first), scaled(b, period * weight));
  const secondAll = add(
    add(scaled(a, second), scaled(b, 2n * period * first)),
    scaled(c, period * period * weight),
  );
  return { first: firstAll, absolute: add(scaled(firstAll, sign), crossing(pmf, side)), second: secondAll };
}

/** What Σ |k| misses where a tail passes over zero: twice Σ k·w over the points on the other side. */
function crossing(pmf: Pmf, side: 'left' | 'right'): Rational {
  const tail = pmf[side]!;
  // In mirrored coordinates the tail runs from `edge` down through 1 to 0 and beyond.
  const edge = side === 'left' ? pmf.from - 1 : -lastIndex(pmf) - 1;
  if (edge <= 0) return zero;
  const block = side === 'left' ? [...tailBlock(pmf, side)].reverse() : tailBlock(pmf, side);
  const whole = Math.floor(edge / tail.period);
  let weight = 0n;
  let first = 0n;
  block.forEach((w, i) => {
    weight += w;
    first += w * BigInt(edge - i);
  });
  // Repetitions j = 0 … whole − 1 with weight r^(j+1) at positions shifted by −j·period: Σ r^(j+1) and Σ j·r^(j+1).
  const r = tail.ratio;
  const gap = subtract(one, r);
  const beyond = power(r, whole).upper;
  // Less than 2^−2000 of the whole is not worth its digits: these figures end as doubles.
  const last = beyond.num << 2000n < beyond.den ? zero : beyond;
  const plain = divide(multiply(r, subtract(one, last)), gap);
  const rising = divide(multiply(r, subtract(plain, multiply(integer(whole), last))), gap);
  const full = subtract(
    multiply(rational(first), plain),
    multiply(rational(weight * BigInt(tail.period)), rising),
  );
  let part = zero;
  for (let i = 0; i < edge - whole * tail.period; i++)
    part = add(
      part,
      multiply(rational(block[i]! * BigInt(edge - whole * tail.period - i)), multiply(last, r)),
    );
  return multiply(integer(2), add(full, part));
}

function checkProbability(name: string, probability: Rational): void {
  if (probability.num <= 0n || probability.num >= probability.den)
    throw invalid(
      `${name}: expected a probability above 0 and below 1, got ${probability.num}/${probability.den}`,
    );
}

/** Beyond this, doubles do not count by ones. */
const FURTHEST = 2 ** 52;

/** The least index that satisfies a monotone condition, found by doubling and halving around a guess. */
export function leastIndex(reached: (index: number) => boolean, guess: number): number {
  let step = 1;
  let high = guess;
  while (!reached(high)) {
    if (high > FURTHEST)
      throw invalid('quantile: expected noise within 2^52 steps; it is spread wider, so use a larger step');
    high += step;
    step *= 2;
  }
  step = 1;
  let low = high - 1;
  while (reached(low)) {
    high = low;
    low -= step;
    step *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reached(middle)) high = middle;
    else low = middle;
  }
  return high;
}
