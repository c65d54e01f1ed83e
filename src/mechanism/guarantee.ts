// The figures of a noise: upper bounds on those of the ideal noise and of its compiled integers alike.
// From p ≤ (1 + η)·w and p ≥ (1 − η)·w up to a mass τ outside, any event S and shift s give
// P(S − s) − e^ε·P(S) ≤ (1 + η)·[W(S − s) − e^(ε − 3η)·W(S)] + τ.

import {
  add,
  compare,
  divide,
  integer,
  maximum,
  minimum,
  multiply,
  one,
  type Rational,
  subtract,
  zero,
} from '../exact/index.js';
import type { Noise } from '../noise/index.js';
import type { Approximation, Pmf } from '../pmf/index.js';
import {
  bestSplit,
  type Profile,
  privacyProfile,
  type RatioWitness,
  reachesSup,
  supRatio,
} from '../privacy/index.js';
import { closedFormOf, scaleUp, sumUp } from './closed-form.js';
import { CUT, cutFor } from './mechanism.js';
import {
  type ErrorQuantile,
  errorQuantiles,
  errorQuantilesOf,
  OUTLINE_CUT,
  type Utility,
  utilityOfNoise,
} from './utility.js';

export interface Guarantee {
  readonly noise: Noise;
  readonly adjacency: number;
  /** Its compiled integers; of a coarser lattice where it is too wide to be looked at point by point. */
  readonly pmf: Pmf;
  /** How far off a record is at most, with each of a few probabilities. */
  readonly errorQuantiles: () => readonly ErrorQuantile[];
  /** Moments, in data units: near the exact ones. */
  readonly utility: () => Utility;
  readonly pure: { readonly epsilonUpper: Rational; readonly witness: RatioWitness } | null;
  /** Where the largest ratio is attained, or the point of zero probability that rules pure DP out. */
  readonly witness: RatioWitness;
  /** An upper bound on δ at ε. */
  readonly deltaAt: (epsilon: Rational) => Rational;
  /** What Theorem 2 gives at ε with the best split of the compiled noise. */
  readonly theoremTwoAt: (epsilon: Rational) => Rational;
  /** Upper bound on the least ε at δ; null where there is none, or none within reach of the window. */
  readonly epsilonAt: (delta: Rational) => Rational | null;
}

/** Figures that bound both the ideal noise and its compiled integers from above (proofs/compile.md). */
export function guaranteeOf(noise: Noise, adjacency: number): Guarantee {
  const levels = new Map<number, { approximation: Approximation; profile: Profile }>();
  const at = (cut: number) => {
    let level = levels.get(cut);
    if (!level) {
      const approximation = noise.approximate({ adjacency, cut });
      level = { approximation, profile: privacyProfile(approximation.pmf, adjacency) };
      levels.set(cut, level);
    }
    return level;
  };
  // Noise with geometric tails has few integers, and they say it all.
  const closed = noise.pureEpsilon(adjacency) ? null : closedFormOf(noise, adjacency);
  const shown = noise.outline ? noise.outline().approximate({ adjacency: 1, cut: OUTLINE_CUT }).pmf : null;
  const pmf = shown ?? at(CUT).approximation.pmf;
  const sup = shown ? supRatio(shown, 1) : at(CUT).profile.supRatio;
  const ideal = noise.pureEpsilon(adjacency);
  // Compiling rounds toward less loss, so the ideal figure bounds both; checked, not assumed.
  const pure =
    sup.finite && ideal
      ? {
          epsilonUpper: reachesSup(sup, ideal.upper)
            ? ideal.upper
            : maximum(ideal.upper, sup.epsilon(512).upper),
          witness: sup.witness,
        }
      : null;

  const deltaAt = (epsilon: Rational): Rational => {
    if (pure && compare(pure.epsilonUpper, epsilon) <= 0) return zero;
    if (closed) return closed.deltaAt(epsilon);
    // As deep as the integers are cut that `compile` makes for a claim of this figure.
    for (let cut = CUT; ; cut *= 2) {
      const level = at(cut);
      const { relative, outside } = level.approximation.error(epsilon);
      const slack = multiply(integer(3), relative);
      const nearby = compare(epsilon, slack) >= 0 ? subtract(epsilon, slack) : zero;
      const compiled = level.profile.deltaAt(nearby).upper;
      const shifted = compare(epsilon, slack) < 0 ? sumUp(compiled, slack) : compiled;
      const value = sumUp(relative.num === 0n ? shifted : scaleUp(shifted, relative), outside);
      if (value.num === 0n || cutFor(value) <= cut) return minimum(value, one);
    }
  };

  const epsilonAt = (delta: Rational): Rational | null => {
    if (delta.num === 0n) return pure ? pure.epsilonUpper : null;
    if (compare(deltaAt(zero), delta) <= 0) return zero;
    if (closed) return closed.epsilonAt(delta);
    const level = at(cutFor(delta));
    let reach = integer(1000);
    for (;;) {
      const { relative, outside } = level.approximation.error(reach);
      if (compare(outside, delta) >= 0) return pure ? pure.epsilonUpper : null;
      const target = divide(subtract(delta, outside), add(one, relative));
      const compiled = level.profile.epsilonAt(target);
      if (compiled === null) return pure ? pure.epsilonUpper : null;
      const epsilon =
        compiled.num === 0n && relative.num === 0n ? zero : add(compiled, multiply(integer(3), relative));
      if (compare(epsilon, reach) <= 0) return pure ? minimum(epsilon, pure.epsilonUpper) : epsilon;
      reach = multiply(epsilon, integer(2));
    }
  };

  const theoremTwoAt = (epsilon: Rational): Rational =>
    pure && compare(pure.epsilonUpper, epsilon) <= 0
      ? zero
      : closed
        ? closed.splitAt(epsilon)
        : bestSplit(at(cutFor(deltaAt(epsilon))).approximation.pmf, adjacency, epsilon).deltaUpper;

  return {
    noise,
    adjacency,
    pmf,
    errorQuantiles: () =>
      shown && noise.law ? errorQuantilesOf(noise.law, noise.step) : errorQuantiles(pmf),
    utility: () => utilityOfNoise(noise, pmf),
    pure,
    witness: sup.witness,
    deltaAt,
    theoremTwoAt,
    epsilonAt,
  };
}
