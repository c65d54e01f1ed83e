// The law of the privacy loss of additive noise at one shift, from the integers: L = log p(i) / p(i + shift) with i drawn from p.
// Beyond the window the ratios repeat with the tails, so finitely many losses stand for all.

import { invalid } from '../error/index.js';
import {
  add,
  bitLength,
  multiply,
  one,
  type Rational,
  rational,
  toNumberNear,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { remembered } from '../mechanism/index.js';
import { lastIndex, type Pmf, type Tail, tailBlock } from '../pmf/index.js';
import { extendWindow } from '../privacy/index.js';

/** Losses with their probabilities, and the probability of none at all: an output that the other dataset cannot give. */
export interface Losses {
  /** Ascending. */
  readonly loss: Float64Array;
  readonly mass: Float64Array;
  /** The mass of the finite losses. */
  readonly finite: number;
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
/** Below this a mass is counted as infinite loss: too small for doubles. */
const SMALLEST = 1e-280;
/** The same where an end of the window has infinite loss anyhow: too small for any δ that is asked for. */
const NEXT_TO_NOTHING = 1e-80;

/** Of the outputs of p against p moved by `shift`: every loss within `lossError` of the integers' (proofs/account.md). */
export function lossesOf(pmf: Pmf, shift: number): Losses {
  const reach = Math.abs(shift);
  // Without tails the weights are all there is.
  const bare = { lower: pmf.weights, from: pmf.from, scale: 1n };
  const { lower, from, scale } = pmf.left || pmf.right ? extended(pmf, reach) : bare;
  const [first, last] = [pmf.from, lastIndex(pmf)];
  const low = shift > 0 && pmf.left ? first - shift : first;
  const high = shift < 0 && pmf.right ? last - shift : last;
  const [leftFactor, rightFactor] = [factorOf(pmf.left), factorOf(pmf.right)];
  const everything = wholeOf(pmf);
  const whole = { num: everything.num * scale, den: everything.den };
  const doubles = doublesOf(lower);
  const unit = unitOf(whole);
  const massAt = (at: number) =>
    unit > 0 && doubles[at]! < LONG ? doubles[at]! * unit : massOf(lower[at]!, whole);
  const loss = new Float64Array(high - low + 1);
  const mass = new Float64Array(high - low + 1);
  const least = pmf.left || pmf.right ? SMALLEST : NEXT_TO_NOTHING;
  let [count, tiny, lost] = [0, 0, 0];
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
    const size = doubles[i - from]!;
    const probability = massAt(i - from) * times;
    if (under === 0n) {
      const repeated = add(inRight ? rightFactor.exact : zero, inLeft ? leftFactor.exact : zero);
      infinite = add(infinite, multiply(rational(over), add(one, repeated)));
    } else if (probability < least) {
      tiny += Math.max(probability * (1 + ROUNDINGS), SMALLEST);
      // In the other dataset it may be likely.
      lost += massAt(i - from + shift) * times;
    } else {
      loss[count] = logRatio(over, under, size, doubles[i - from + shift]!);
      mass[count++] = probability;
    }
  }
  const part = ({ num, den }: Rational) => toNumberUp({ num: num * whole.den, den: den * whole.num });
  const none = infinite.num === 0n ? 0 : part(infinite);
  return sorted(
    loss.subarray(0, count),
    mass.subarray(0, count),
    {
      lower: none * (1 - 4 * UNIT),
      upper: none + tiny,
    },
    ((alone === 0n ? 0 : part({ num: alone, den: 1n })) + lost) * (1 + 64 * UNIT),
  );
}

/** The sum of all weights as a fraction that is not reduced: numerators and denominators are long, and used once. */
export const wholeOf: (pmf: Pmf) => Rational = remembered((pmf: Pmf) => {
  let sum = 0n;
  for (const weight of pmf.weights) sum += weight;
  let whole: Rational = { num: sum, den: 1n };
  for (const side of ['left', 'right'] as const) {
    const factor = factorOf(pmf[side]).exact;
    let block = 0n;
    for (const weight of tailBlock(pmf, side)) block += weight;
    whole = { num: whole.num * factor.den + block * factor.num * whole.den, den: whole.den * factor.den };
  }
  return whole;
});

/** In ascending order, equal ones together. */
export function sorted(
  loss: Float64Array,
  mass: Float64Array,
  infinite: Losses['infinite'],
  missing: number,
  error = 0,
): Losses {
  const n = loss.length;
  let [rises, falls, largest] = [true, true, 0];
  for (let i = 0; i < n; i++) {
    largest = Math.max(largest, Math.abs(loss[i]!));
    if (i > 0 && loss[i]! < loss[i - 1]!) rises = false;
    if (i > 0 && loss[i]! > loss[i - 1]!) falls = false;
  }
  const order =
    rises || falls ? null : Uint32Array.from(loss, (_, i) => i).sort((a, b) => loss[a]! - loss[b]!);
  const same = ROUNDINGS * largest;
  const [values, masses] = [new Float64Array(n), new Float64Array(n)];
  let count = 0;
  for (let k = 0; k < n; k++) {
    const i = order ? order[k]! : rises ? k : n - 1 - k;
    if (count > 0 && loss[i]! - values[count - 1]! <= same) masses[count - 1]! += mass[i]!;
    else {
      values[count] = loss[i]!;
      masses[count++] = mass[i]!;
    }
  }
  return {
    loss: values.subarray(0, count),
    mass: masses.subarray(0, count),
    finite: 1 - infinite.upper,
    infinite,
    missing,
    // Close weights were subtracted first.
    lossError: error + 2 * same + (largest < CLOSE / 2 ? 0 : 8 * UNIT),
    massError: ROUNDINGS + UNIT * (n - count + 1),
  };
}

/** Bits of all points that are written out. */
const MOST_BITS = 4e9;

/** The window and so many points of its tails. */
function extended(pmf: Pmf, reach: number) {
  const bits = tailBits(pmf, reach);
  if (bits * (pmf.weights.length + 2 * reach) > MOST_BITS)
    throw invalid(
      `adjacency: expected fewer steps, got ${reach}: the tails fall by 2^−${bits} within them, which is too long to be written out; there is no privacy left`,
    );
  return extendWindow(pmf, reach, bits);
}

/** Bits with which the furthest point of the tails that is written out keeps a relative precision of 2^−80. */
function tailBits(pmf: Pmf, reach: number): number {
  const decay = (tail: Tail | null) =>
    tail === null ? 0 : (Math.ceil(reach / tail.period) + 1) * -Math.log2(toNumberNear(tail.ratio));
  return Math.ceil(decay(pmf.left) + decay(pmf.right)) + 192;
}

function factorOf(tail: Tail | null) {
  if (tail === null) return { exact: zero, near: 0 };
  const { num, den } = tail.ratio;
  const exact = { num, den: den - num };
  return { exact, near: toNumberUp(exact) };
}

/** Weights as doubles, each right to half a unit in the last place, or infinite. */
function doublesOf(weights: readonly bigint[]): Float64Array {
  const doubles = new Float64Array(weights.length);
  for (let i = 0; i < weights.length; i++) doubles[i] = Number(weights[i]!);
  return doubles;
}

/** One over the whole, or 0 where that is too small for a double. */
function unitOf({ num, den }: Rational): number {
  return bitLength(num) - bitLength(den) < 1000 ? toNumberUp({ num: den, den: num }) : 0;
}

/** A weight as a part of the whole. */
function massOf(weight: bigint, { num, den }: Rational): number {
  return toNumberNear({ num: weight * den, den: num });
}

/** Weights whose ratio is closer to 1 than this are subtracted before they are divided. */
const CLOSE = 2 ** -10;
/** Beyond this, doubles are no shortcut. */
const LONG = 1e300;

/** log a/b, right to a few units in the last place also where the two are close. */
function logRatio(a: bigint, b: bigint, over: number, under: number): number {
  if (over < LONG && under < LONG) {
    const ratio = over / under;
    // The difference of long integers takes time, and tells more only where they are close.
    return Math.abs(ratio - 1) < CLOSE ? Math.log1p(Number(a - b) / under) : Math.log(ratio);
  }
  const [long, short] = [bitLength(a), bitLength(b)];
  if (Math.abs(long - short) <= 1) return Math.log1p(toNumberNear({ num: a - b, den: b }));
  const bits = BigInt(Math.abs(long - short));
  const rest = long > short ? { num: a, den: b << bits } : { num: a << bits, den: b };
  return Math.log(toNumberNear(rest)) + (long - short) * Math.LN2;
}
