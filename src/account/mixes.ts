// The worst of very many mixes of laws: all of them are looked at, from above, with transforms that are worked out once; from below
// the worst one stands for itself.

import type { Around, Bracket } from './aliases.js';
import { invertBlurred } from './blurred.js';
import { type Choice, lawsOf, type Mix, mostOf } from './choices.js';
import { type Composition, compose, infiniteOf, sharedProgressions, tiltBound } from './composition.js';
import { invertOnLattice } from './lattice.js';
import { type Losses, UNIT } from './losses.js';
import { progressionOf } from './progression.js';
import { type Component, coarse, cumulantOf, estimateAt, tiltFor } from './tilt.js';

/** What the worst mix costs. */
export function composeMixes(choices: readonly Choice[]): Composition {
  const laws = lawsOf(choices);
  const own = laws.map(({ losses }) => progressionOf(losses));
  const shared = sharedProgressions(laws, own);
  const invert = (c: number, around: Around) =>
    shared ? invertOnLattice(choices, shared, c, around) : invertBlurred(choices, own, c, around);
  /** Each choice given to the law of which this is largest. */
  const purest = (of: (losses: Losses) => number): Component[] =>
    choices.map(({ laws: some, times }) => {
      const values = some.map(of);
      return { losses: some[values.indexOf(Math.max(...values))]!, times };
    });
  const reach = laws.map(({ losses }) => losses.loss.at(-1)! + 2 * losses.lossError);
  const most = mostOf(choices, (i) => reach[i]!);
  const typical = purest(({ finite }) => finite);
  /** The mix whose upper bound is largest, and about how fast log δ falls there. */
  const worstAt = (epsilon: number) => {
    const fall = tiltFor(typical, epsilon);
    const isBeyond = epsilon > most + 16 * UNIT * Math.abs(most);
    const around = { epsilon, logDelta: estimateAt(typical, fall, epsilon) };
    const inversion = isBeyond ? null : invert(fall, around);
    let worst = { upper: -1, mix: [] as number[], fall };
    for (const mix of mixesOf(choices)) {
      const finite = inversion?.upperAt(mix, epsilon) ?? 0;
      const upper = Math.min(
        1,
        (finite + infiniteOf(laws.map(({ losses }, i) => ({ losses, times: mix[i]! }))).upper) *
          (1 + 4 * UNIT),
      );
      if (upper > worst.upper) worst = { upper, mix: Array.from(mix), fall };
    }
    return worst;
  };
  const deltaAt = (epsilon: number): Bracket => {
    const { upper, mix } = worstAt(epsilon);
    const own = compose(mixed(choices, mix)).deltaAt(epsilon);
    return { lower: own.lower, upper: Math.max(own.upper, upper) };
  };
  const epsilonAt = (delta: number): Bracket => {
    // With the most infinite loss there may be no ε; with the largest losses it is largest for δ = 0.
    let found = compose(purest(({ infinite }) => infinite.upper)).epsilonAt(delta);
    if (delta === 0 && found.upper < Infinity)
      return compose(purest(({ loss }) => loss.at(-1)!)).epsilonAt(delta);
    for (let tries = 0; tries < MOST_TRIES && found.upper < Infinity; tries++) {
      const { upper, mix, fall } = worstAt(found.upper);
      if (upper <= delta) return found;
      const next = compose(mixed(choices, mix)).epsilonAt(delta);
      // The bound for all mixes is a little above that of one.
      const further = found.upper + (Math.log(upper / delta) / fall) * 1.5 ** tries + 4 * UNIT * found.upper;
      found = {
        lower: Math.max(found.lower, next.lower),
        upper: next.upper > found.upper ? next.upper : further,
      };
    }
    return { ...found, upper: Infinity };
  };
  const quickly = (epsilon: number): number => {
    const c = tiltFor(typical, epsilon);
    const values = laws.map(({ losses }) => {
      const { value, error } = cumulantOf(coarse(losses), c);
      return value + error + 2 ** -51 * Math.abs(value);
    });
    const infinite = infiniteOf(purest((losses) => losses.infinite.upper));
    return (
      tiltBound(
        mostOf(choices, (i) => values[i]!),
        c,
        epsilon,
      ) + infinite.upper
    );
  };
  return { method: shared ? 'native' : 'grid', deltaAt, epsilonAt, quickly };
}

const MOST_TRIES = 60;

/** The releases of a mix. */
export function mixed(choices: readonly Choice[], mix: Mix): Component[] {
  return choices
    .flatMap(({ laws }) => laws)
    .flatMap((losses, i) => (mix[i]! > 0 ? [{ losses, times: mix[i]! }] : []));
}

/** Every way to give the releases of each choice to its laws. One array serves all: it is written over. */
export function* mixesOf(choices: readonly Choice[]): Generator<number[]> {
  const mix = choices.flatMap(({ laws }) => laws.map(() => 0));
  yield* shared(choices, mix, 0, 0, 0, choices[0]!.times);
}

function* shared(
  choices: readonly Choice[],
  mix: number[],
  choice: number,
  law: number,
  at: number,
  left: number,
): Generator<number[]> {
  const { laws } = choices[choice]!;
  const isLast = law === laws.length - 1;
  for (let own = isLast ? left : 0; own <= left; own++) {
    mix[at] = own;
    if (!isLast) yield* shared(choices, mix, choice, law + 1, at + 1, left - own);
    else if (choice === choices.length - 1) yield mix;
    else yield* shared(choices, mix, choice + 1, 0, at + 1, choices[choice + 1]!.times);
  }
}
