// Few outcomes: every sum of losses written out with its probability.

import type { Bracket } from './aliases.js';
import { UNIT } from './losses.js';
import type { Component } from './tilt.js';

/** Sums up to which they are written out; more where each law has a loss or three. */
const MOST = 60_000;
const MOST_SHORT = 1_200_000;
/** Beyond, binomial coefficients are too large for doubles. */
const MOST_TIMES = 900;

/** δ(ε) of the finite losses by adding up over all sums, or null where there are too many. */
export function writtenOut(components: readonly Component[]): ((epsilon: number) => Bracket) | null {
  // One release is its own sum, however many losses it has.
  const single = components.length === 1 && components[0]!.times === 1;
  const isShort = components.every(({ losses }) => losses.loss.length <= 3);
  if (!single && countOfSums(components) > (isShort ? MOST_SHORT : MOST)) return null;
  let sums: Sums = { loss: Float64Array.of(0), mass: Float64Array.of(1) };
  for (const component of components) sums = crossed(sums, powerOf(component));
  const { loss, mass } = sums;
  let [off, relative] = [0, 64 * UNIT];
  for (const { losses, times } of components) {
    const largest = Math.max(Math.abs(losses.loss[0] ?? 0), Math.abs(losses.loss.at(-1) ?? 0));
    off += times * (losses.lossError + 4 * UNIT * largest) * 2;
    relative += times * (losses.massError + 8 * UNIT);
  }
  // Logarithms up to 700 are off by as many units.
  relative += UNIT * (components.length + 8) + (single ? 0 : 4096 * UNIT);
  const highest = loss.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  const at = (epsilon: number) => {
    let [sum, parts] = [0, 0];
    // In blocks, so that rounding grows with their number only. Those of a single release ascend.
    for (let j = single ? firstAbove(loss, epsilon) : 0; j < loss.length; j++) {
      if (loss[j]! > epsilon) parts -= mass[j]! * Math.expm1(epsilon - loss[j]!);
      if (j % 256 === 255) {
        sum += parts;
        parts = 0;
      }
    }
    return sum + parts;
  };
  const rounding = relative + UNIT * (256 + loss.length / 256);
  // What is too small for doubles is lost; it is counted here.
  const lost = single ? 0 : loss.length * 1e-300;
  return (epsilon) => {
    const slack = off + 4 * UNIT * Math.abs(epsilon);
    if (epsilon - slack >= highest) return { lower: 0, upper: 0 };
    return {
      lower: at(epsilon + slack) * (1 - rounding),
      upper: at(epsilon - slack) * (1 + rounding) + lost,
    };
  };
}

/** Where ascending losses are larger than this. */
function firstAbove(loss: Float64Array, epsilon: number): number {
  let [low, high] = [0, loss.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (loss[middle]! > epsilon) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many sums there are, with repetitions; infinite where they are too many to be written out. */
export function countOfSums(components: readonly Component[]): number {
  let count = 1;
  for (const { losses, times } of components) {
    if (times > MOST_TIMES && losses.loss.length > 1) return Infinity;
    // Ways to share `times` among so many losses.
    for (let k = 1; k < losses.loss.length && count <= MOST_SHORT; k++) count *= (times + k) / k;
    if (count > MOST_SHORT) return Infinity;
  }
  return count;
}

interface Sums {
  readonly loss: Float64Array;
  readonly mass: Float64Array;
}

/** All sums of `times` losses of one law. */
function powerOf({ losses, times }: Component): Sums {
  const { loss, mass } = losses;
  if (times === 1) return { loss, mass };
  const sums: [number, number][] = [];
  const share = (j: number, left: number, sum: number, weight: number) => {
    if (j === loss.length - 1) {
      sums.push([sum + left * loss[j]!, powered(weight, mass[j]!, left)]);
      return;
    }
    // C(left, k)·mass^k, one k after the other
    let own = weight;
    for (let k = 0; k <= left; k++) {
      share(j + 1, left - k, sum + k * loss[j]!, own);
      own *= (mass[j]! * (left - k)) / (k + 1);
    }
  };
  if (loss.length > 0) share(0, times, 0, 1);
  return { loss: Float64Array.from(sums, ([sum]) => sum), mass: Float64Array.from(sums, ([, p]) => p) };
}

/** weight·mass^times, also where the power alone is too small for a double. */
function powered(weight: number, mass: number, times: number): number {
  const power = mass ** times;
  return power > 1e-280 || weight === 0
    ? weight * power
    : Math.exp(Math.log(weight) + times * Math.log(mass));
}

function crossed(a: Sums, b: Sums): Sums {
  const loss = new Float64Array(a.loss.length * b.loss.length);
  const mass = new Float64Array(loss.length);
  let n = 0;
  for (let i = 0; i < a.loss.length; i++)
    for (let j = 0; j < b.loss.length; j++) {
      loss[n] = a.loss[i]! + b.loss[j]!;
      mass[n++] = a.mass[i]! * b.mass[j]!;
    }
  return { loss, mass };
}
