// What a release still lets somebody learn of one record, by how far apart the values are that they waver between.

import {
  add,
  ceiling,
  divide,
  exp,
  integer,
  multiply,
  one,
  parseDecimal,
  type Rational,
  rational,
  subtract,
  toDecimal,
  toDecimalUp,
  toNumberUp,
} from '../exact/index.js';
import type { Charge } from '../ledger/index.js';
import { type Mechanism, profileOf, rememberedBy } from '../mechanism/index.js';
import type { Pmf } from '../pmf/index.js';

/** What can still be learned of a record by somebody who wavers between two values so far apart. */
export interface Learnable {
  readonly distance: string;
  /** Is it the distance that the guarantee is for, in whole steps? */
  readonly own: boolean;
  /** Upper bounds: on ε at this distance (null where none suffices alone), on δ at the charged ε, and on how often the better guess is right. */
  readonly epsilon: string | null;
  readonly delta: string;
  readonly guess: number;
}

/** What can still be learned at the distances that matter, of noise that was charged so. */
export function learnableOf(
  mechanism: Mechanism,
  { adjacency, epsilon }: Pick<Charge, 'adjacency' | 'epsilon'>,
) {
  return learnable(mechanism, `${adjacency} ${epsilon}`);
}

const MOST_DISTANCE = 1_000_000;

/** One step, half the adjacency, all of it, twice and five times as much. */
const learnable = rememberedBy(({ pmf }: Mechanism, charge: string): Learnable[] => {
  const [adjacency, epsilon] = charge.split(' ').map((text) => parseDecimal(text)) as [Rational, Rational];
  const steps = stepsOf(adjacency, pmf);
  const distances = [...new Set([1, Math.ceil(steps / 2), steps, 2 * steps, 5 * steps])].filter(
    (d) => d <= MOST_DISTANCE,
  );
  return distances.map((distance) => {
    const profile = profileOf(pmf, distance);
    const { supRatio } = profile;
    const advantage = profile.deltaAt(rational(0n)).upper;
    return {
      distance: toDecimal(multiply(integer(distance), pmf.step)),
      own: distance === steps,
      epsilon: supRatio.finite ? toDecimalUp(supRatio.epsilon(160).upper, 7) : null,
      delta: toDecimalUp(profile.deltaAt(epsilon).upper, 7),
      guess: toNumberUp(multiply(add(one, advantage), rational(1n, 2n))),
    };
  });
});

/** Whole steps that a value moves by at most, for a distance in data units: rounded to the lattice, values can be that far apart. */
export function stepsOf(distance: Rational, { step }: Pick<Pmf, 'step'>): number {
  return Number(ceiling(divide(distance, step)));
}

/** Belief that starts at one half and meets odds of e^ε. */
export function beliefUpper(epsilon: string | null): number | null {
  if (epsilon === null) return null;
  const odds = exp(parseDecimal(epsilon), 64).upper;
  return toNumberUp(subtract(one, { num: odds.den, den: odds.num + odds.den }));
}
