// The exact privacy profile of additive noise: δ(ε) is the largest hockey-stick divergence over all
// shifts up to the adjacency, and the noise is (ε, δ)-DP if and only if δ ≥ δ(ε). Both directions are
// bounded, upper bounds rounded against the user; proofs/profile.md has the reasons.

import { invalid } from '../error/index.js';
import {
  add,
  compare,
  divide,
  exp,
  log,
  maximum,
  minimum,
  multiply,
  one,
  type Rational,
  rational,
  subtract,
  toNumberDown,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { isUnimodal, type Pmf } from '../pmf/index.js';
import { type ExtendedWindow, extendWindow } from './extended-window.js';
import { type ExpEpsilon, type HockeyStick, hockeyStick } from './hockey-stick.js';
import { type LargestShift, largestShift } from './largest-shift.js';
import { reachesSup, type SupRatio, supRatio } from './sup-ratio.js';

export interface DeltaBound {
  readonly upper: Rational;
  readonly lower: Rational;
  /** A shift, in steps, at which the lower bound is attained. */
  readonly shift: number;
}

export interface Profile {
  readonly supRatio: SupRatio;
  /** Is the noise (ε, δ)-DP? Decided in integers; what no precision can decide is denied. */
  readonly satisfies: (epsilon: Rational, delta: Rational) => boolean;
  /** δ(ε) for ε ≥ 0, to a relative width of about 2^−42. */
  readonly deltaAt: (epsilon: Rational) => DeltaBound;
  /** The limit of δ(ε) for large ε: the mass that some shift moves to points of zero probability. */
  readonly deltaAtInfinity: () => DeltaBound;
  /** An upper bound on the least ε with δ(ε) ≤ delta, off by about 2^−44 of it; null where there is none. */
  readonly epsilonAt: (delta: Rational) => Rational | null;
}

/** Relative width at which a bound is good enough, and the precisions tried on the way there. */
const WIDTH = rational(1n, 1n << 42n);
const FIRST_BITS = 512;
const FIRST_EXP_BITS = 256;
const MOST_BITS = 32_768;
/** δ never grows with ε: beyond this ε its value here is bound enough. */
const LARGEST = rational(200_000n);

/** The exact δ(ε) over every shift within the adjacency, each value with an upper bound and a witness (proofs/profile.md). */
export function privacyProfile(pmf: Pmf, adjacency: number): Profile {
  if (!Number.isSafeInteger(adjacency) || adjacency < 1)
    throw invalid(`adjacency: expected a whole number of steps of at least 1, got ${adjacency}`);
  const sup = supRatio(pmf, adjacency);
  const unimodal = isUnimodal(pmf);
  let bits = FIRST_BITS;
  let extended: ExtendedWindow | null = null;

  /** ε = null is infinity. With a threshold the search stops as soon as it is clear whether δ exceeds it. */
  const evaluate = (epsilon: Rational | null, threshold?: Rational): HockeyStick => {
    for (let expBits = FIRST_EXP_BITS; ; expBits *= 2) {
      extended ??= extendWindow(pmf, adjacency, bits);
      const window = extended;
      const factor = exponential(epsilon, expBits);
      const at = (shift: number) => hockeyStick(pmf, window, shift, factor);
      const [right, left] = [at(adjacency), at(-adjacency)];
      let best: LargestShift = compare(right.lower, left.lower) >= 0 ? right : left;
      best = { ...best, upper: maximum(right.upper, left.upper) };
      // Unimodal noise is at its worst at the largest shift (proofs/profile.md); other noise is searched.
      if (!unimodal) best = largestShift(pmf, window, adjacency, factor, at, best, threshold);
      if (
        best.limited &&
        threshold &&
        compare(best.upper, threshold) > 0 &&
        compare(best.lower, threshold) <= 0
      )
        throw invalid(
          `adjacency: too large to verify here: the noise has several peaks, and ${adjacency} steps are too many shifts to tell them apart; use a smaller adjacency, or allow a little more δ`,
        );
      if (expBits >= MOST_BITS || best.limited) return best;
      if (
        threshold ? compare(best.upper, threshold) <= 0 || compare(best.lower, threshold) > 0 : narrow(best)
      )
        return best;
      if (!window.exact && bits < MOST_BITS) {
        bits *= 2;
        extended = null;
      }
    }
  };

  const deltaAt = (epsilon: Rational): DeltaBound => {
    if (epsilon.num < 0n) throw invalid('epsilon: expected a value of at least 0');
    if (reachesSup(sup, epsilon)) return { upper: zero, lower: zero, shift: adjacency };
    if (compare(epsilon, LARGEST) > 0) return { ...deltaAt(LARGEST), lower: deltaAtInfinity().lower };
    const { upper, lower, shift } = evaluate(epsilon);
    return { upper: minimum(upper, one), lower, shift };
  };

  const satisfies = (epsilon: Rational, delta: Rational): boolean =>
    reachesSup(sup, epsilon) ||
    compare(delta, one) >= 0 ||
    (delta.num > 0n && compare(evaluate(minimum(epsilon, LARGEST), delta).upper, delta) <= 0);

  const deltaAtInfinity = (): DeltaBound =>
    sup.finite ? { upper: zero, lower: zero, shift: adjacency } : evaluate(null);

  const epsilonAt = (delta: Rational): Rational | null => {
    if (delta.num < 0n) throw invalid('delta: expected a value of at least 0');
    const pure = sup.finite ? sup.epsilon(160).upper : null;
    if (delta.num === 0n) return pure;
    if (compare(deltaAt(zero).upper, delta) <= 0) return zero;
    if (compare(deltaAtInfinity().upper, delta) > 0) return null;
    return invert(evaluate, delta, pure);
  };

  return { supRatio: sup, satisfies, deltaAt, deltaAtInfinity, epsilonAt };
}

function exponential(epsilon: Rational | null, bits: number): ExpEpsilon {
  if (epsilon === null) return { factor: null, log2: Infinity };
  return { factor: exp(epsilon, bits), log2: (toNumberDown(epsilon) + toNumberUp(epsilon)) / 2 / Math.LN2 };
}

function narrow({ upper, lower }: HockeyStick): boolean {
  if (upper.num === 0n) return true;
  const gap = upper.num * lower.den - lower.num * upper.den;
  return gap * WIDTH.den <= upper.num * lower.den * WIDTH.num;
}

/**
 * δ is convex and piecewise linear in e^ε. From below the root a tangent never overshoots it, so the
 * bracket closes from the left by tangents, and by halves while those are slow; the right end is
 * always a checked value.
 */
function invert(
  evaluate: (epsilon: Rational, threshold?: Rational) => HockeyStick,
  delta: Rational,
  pure: Rational | null,
): Rational {
  const satisfies = (epsilon: Rational) => compare(evaluate(epsilon, delta).upper, delta) <= 0;
  let low = zero;
  let high = pure ?? one;
  while (!pure && !satisfies(high)) {
    low = high;
    high = multiply(high, rational(2n));
  }
  for (;;) {
    const gap = subtract(high, low);
    if (compare(gap, multiply(high, FINE)) <= 0) return high;
    const tangent = tangentRoot(evaluate(low), delta);
    if (tangent && compare(tangent, low) > 0) {
      const reach = maximum(subtract(tangent, low), multiply(tangent, FINE));
      low = roundDown(minimum(tangent, high));
      // A point just beyond the tangent's root closes the bracket once tangents have converged.
      const beyond = roundUp(add(low, multiply(reach, rational(1n, 64n))));
      if (compare(beyond, high) < 0 && satisfies(beyond)) high = beyond;
    }
    const middle = roundUp(divide(add(low, high), rational(2n)));
    if (compare(middle, high) >= 0 || compare(middle, low) <= 0) return high;
    if (compare(subtract(high, low), multiply(high, FINE)) <= 0) return high;
    if (satisfies(middle)) high = middle;
    else low = middle;
  }
}

/** Relative precision of ε(δ). */
const FINE = rational(1n, 1n << 44n);

/** A lower bound on the ε at which the tangent over − e^ε·under meets delta. */
function tangentRoot({ over, under }: HockeyStick, delta: Rational): Rational | null {
  const num = over.num * delta.den - delta.num * over.den;
  if (num <= 0n || under.num === 0n) return null;
  const root: Rational = { num: num * under.den, den: over.den * delta.den * under.num };
  return root.num <= root.den ? null : log(short(root), 96).lower;
}

/** A fraction just below x with small integers. */
function short(x: Rational): Rational {
  return { num: (x.num << 200n) / x.den, den: 1n << 200n };
}

function roundDown(x: Rational): Rational {
  return rational((x.num << 80n) / x.den, 1n << 80n);
}

function roundUp(x: Rational): Rational {
  return rational(-((-x.num << 80n) / x.den) + 1n, 1n << 80n);
}
