// The law of the privacy loss of additive noise at one shift, from the integers: L = log p(i) / p(i + shift) with i drawn from p.
// Beyond the window the ratios repeat with the tails, so finitely many losses stand for all.

import {
  add,
  bitLength,
  divide,
  multiply,
  one,
  type Rational,
  rational,
  toNumberNear,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { geometricFactor, lastIndex, type Pmf, type Tail, total } from '../pmf/index.js';
import { extendWindow } from '../privacy/index.js';

/** Losses with their probabilities, and the probability of none at all: an output that the other dataset cannot give. */
export interface Losses {
  /** Ascending. */
  readonly loss: Float64Array;
  readonly mass: Float64Array;
  /** Bounds on the mass of infinite loss. */
  readonly infinite: { readonly lower: number; readonly upper: number };
  /** At least the probability, in the other dataset, of outputs that this one cannot give. */
  readonly missing: number;
  /** No loss is off by more than this. */
  readonly lossError: number;
  /** No mass is off by more than this part of itself. */
  readonly massError: number;
}

/** Half the distance of 1 to the next double. */
export const UNIT = 2 ** -53;
/** A mass or a loss is the result of a few roundings; Math.log and its like are right to 2 units in the last place. */
const ROUNDINGS = 12 * UNIT;
/** Below this a mass is counted as infinite loss: too small for doubles, and for any δ. */
const SMALLEST = 1e-280;

/** Of the outputs of p against p moved by `shift`: every loss within `lossError` of the integers' (proofs/account.md). */
export function lossesOf(pmf: Pmf, shift: number): Losses {
  const extended = extendWindow(pmf, Math.abs(shift), tailBits(pmf, Math.abs(shift)));
  const { lower, from, scale } = extended;
  const [first, last] = [pmf.from, lastIndex(pmf)];
  const low = shift > 0 && pmf.left ? first - shift : first;
  const high = shift < 0 && pmf.right ? last - shift : last;
  const [leftFactor, rightFactor] = [factorOf(pmf.left), factorOf(pmf.right)];
  const whole = multiply(rational(scale), total(pmf));
  const toMass = massOf(whole);
  const loss = new Float64Array(high - low + 1);
  const mass = new Float64Array(high - low + 1);
  let [count, tiny] = [0, 0];
  let infinite = zero;
  // Beyond an end without tail, what the other dataset gives.
  let alone = 0n;
  if (shift > 0 && !pmf.left) for (const weight of pmf.weights.slice(0, shift)) alone += weight * scale;
  if (shift < 0 && !pmf.right) for (const weight of pmf.weights.slice(shift)) alone += weight * scale;
  for (let i = low; i <= high; i++) {
    const over = lower[i - from]!;
    if (over === 0n) {
      alone += lower[i - from + shift] ?? 0n;
      continue;
    }
    // A point of the outermost block stands for all its repetitions.
    const [outer, inner] = shift > 0 ? [i, i + shift] : [i + shift, i];
    const inRight = pmf.right !== null && outer > last - pmf.right.period && outer <= last;
    const inLeft = pmf.left !== null && inner < first + pmf.left.period && inner >= first;
    const times = 1 + (inRight ? rightFactor.near : 0) + (inLeft ? leftFactor.near : 0);
    const under = lower[i - from + shift] ?? 0n;
    const probability = toMass(over) * times;
    if (under === 0n) {
      const repeated = add(inRight ? rightFactor.exact : zero, inLeft ? leftFactor.exact : zero);
      infinite = add(infinite, multiply(rational(over), add(one, repeated)));
    } else if (probability < SMALLEST) tiny += SMALLEST;
    else {
      loss[count] = logRatio(over, under);
      mass[count++] = probability;
    }
  }
  const none = divide(infinite, whole);
  return sorted(
    loss.subarray(0, count),
    mass.subarray(0, count),
    {
      lower: infinite.num === 0n ? 0 : toNumberUp(none) * (1 - 4 * UNIT),
      upper: infinite.num === 0n ? tiny : toNumberUp(none) + tiny,
    },
    alone === 0n ? 0 : toNumberUp(divide(rational(alone), whole)),
  );
}

/** In ascending order, equal ones together. */
export function sorted(
  loss: Float64Array,
  mass: Float64Array,
  infinite: Losses['infinite'],
  missing: number,
  error = 0,
): Losses {
  const order = Uint32Array.from(loss, (_, i) => i);
  if (loss.some((value, i) => i > 0 && value < loss[i - 1]!)) order.sort((a, b) => loss[a]! - loss[b]!);
  const largest = loss.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const same = ROUNDINGS * largest;
  const [values, masses] = [new Float64Array(loss.length), new Float64Array(loss.length)];
  let count = 0;
  for (const i of order) {
    if (count > 0 && loss[i]! - values[count - 1]! <= same) masses[count - 1]! += mass[i]!;
    else {
      values[count] = loss[i]!;
      masses[count++] = mass[i]!;
    }
  }
  return {
    loss: values.slice(0, count),
    mass: masses.slice(0, count),
    infinite,
    missing,
    lossError: error + 2 * same,
    massError: ROUNDINGS + UNIT * (loss.length - count + 1),
  };
}

/** Bits with which the furthest point of the tails that is written out keeps a relative precision of 2^−80. */
function tailBits(pmf: Pmf, reach: number): number {
  const decay = (tail: Tail | null) =>
    tail === null ? 0 : (Math.ceil(reach / tail.period) + 1) * -Math.log2(toNumberNear(tail.ratio));
  return Math.ceil(decay(pmf.left) + decay(pmf.right)) + 192;
}

function factorOf(tail: Tail | null) {
  const exact = tail === null ? zero : geometricFactor(tail);
  return { exact, near: toNumberNear(exact) };
}

/** A weight as a part of the whole. */
function massOf(whole: Rational): (weight: bigint) => number {
  const { num, den } = whole;
  const unit = bitLength(num) - bitLength(den) < 1000 ? toNumberNear({ num: den, den: num }) : 0;
  return (weight) => {
    const double = Number(weight);
    return unit > 0 && double < LONG ? double * unit : toNumberNear({ num: weight * den, den: num });
  };
}

/** Beyond this, doubles are no shortcut. */
const LONG = 1e300;

/** log a/b, right to a few units in the last place also where the two are close. */
function logRatio(a: bigint, b: bigint): number {
  const [over, under] = [Number(a), Number(b)];
  if (over < LONG && under < LONG) {
    const ratio = over / under;
    return ratio > 0.5 && ratio < 2 ? Math.log1p(Number(a - b) / under) : Math.log(ratio);
  }
  const [long, short] = [bitLength(a), bitLength(b)];
  if (Math.abs(long - short) <= 1) return Math.log1p(toNumberNear({ num: a - b, den: b }));
  const bits = BigInt(Math.abs(long - short));
  const rest = long > short ? { num: a, den: b << bits } : { num: a << bits, den: b };
  return Math.log(toNumberNear(rest)) + (long - short) * Math.LN2;
}
