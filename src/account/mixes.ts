// The worst of very many mixes of laws: all of them are looked at, from above, with transforms that are worked out once; from below
// the worst one stands for itself.

import { isOurs } from '../error/index.js';
import type { Around, Bracket } from './aliases.js';
import { type Inversion, invertBlurred } from './blurred.js';
import { type Choice, lawsOf, type Mix, mixCount, mostOf, sumOf } from './choices.js';
import { type Composition, compose, infiniteOf, sharedProgressions } from './composition.js';
import { invertOnLattice } from './lattice.js';
import { type Losses, UNIT } from './losses.js';
import { progressionOf } from './progression.js';
import { type Component, coarse, cumulantOf, estimateAt, tiltBound, tiltFor, tiltForDelta } from './tilt.js';

export interface Mixed extends Composition {
  /** Did the pair that dominates all mixes have to stand for them? */
  readonly isDominated: boolean;
}

/** What the worst mix costs; `above` dominates them all, and is asked where they are too much work. */
export function composeMixes(choices: readonly Choice[], above: () => Composition): Mixed {
  let isDominated = false;
  const laws = lawsOf(choices);
  const own = laws.map(({ losses }) => progressionOf(losses));
  const shared = sharedProgressions(laws, own);
  const placeOf = new Map(laws.map(({ losses }, i) => [losses, (shared ?? own)[i]!]));
  const invert = (some: readonly Choice[], c: number, around: Around, most: number): Inversion | null => {
    const progressions = lawsOf(some).map(({ losses }) => placeOf.get(losses)!);
    try {
      return (shared ? invertOnLattice : invertBlurred)(some, progressions, c, around, { most });
    } catch (error) {
      if (isOurs(error, 'argument')) return null;
      throw error;
    }
  };
  const reaches = laws.map(({ losses }) => reachOf(losses));
  const isQuick = shared !== null || areSimilar(choices);
  const quickly = (epsilon: number): number => roughly(choices, epsilon).most;
  /** Of all mixes whose δ(ε) may be above `floor`: the largest upper bound, and its mix. */
  const worstAt = (epsilon: number, floor: number): Worst => {
    const { fall, typical, boundOf } = roughly(choices, epsilon);
    let worst: Worst = { upper: floor, components: typical, fall, isAbove: false };
    // Whatever is not known to be at most so much is not taken for it.
    const take = (upper: number, components: () => Component[]) => {
      if (!(upper <= worst.upper))
        worst = { ...worst, upper: upper < 1 ? upper : 1, components: components() };
    };
    const { left, count } = narrowed(choices, (mix) => {
      const bound = boundOf(mix);
      // Beyond all its losses only the infinite one is left, and the bound is near.
      if (sumOf(mix, reaches) < epsilon) take(bound, () => mixed(choices, mix));
      else return !(bound <= floor);
      return false;
    });
    if (count === 0) return worst;
    if (mixCount(left) <= FEW) {
      for (const mix of mixesOf(left))
        take(compose(mixed(left, mix)).deltaAt(epsilon).upper, () => mixed(left, mix));
      return worst;
    }
    const around = { epsilon, logDelta: estimateAt(typical, fall, epsilon) };
    const inversion = isQuick
      ? invert(left, fall, around, (shared ? MOST_TERMS : MOST_BLURRED_TERMS) / count)
      : null;
    if (inversion === null) {
      isDominated = true;
      return { ...worst, upper: above().deltaAt(epsilon).upper, isAbove: true };
    }
    const some = lawsOf(left);
    for (const mix of mixesOf(left)) {
      const infinite = infiniteOf(some.map(({ losses }, i) => ({ losses, times: mix[i]! }))).upper;
      take((inversion.upperAt(mix, epsilon) + infinite) * (1 + 4 * UNIT), () => mixed(left, mix));
    }
    return worst;
  };
  const deltaAt = (epsilon: number): Bracket => {
    const first = compose(roughly(choices, epsilon).typical).deltaAt(epsilon);
    if (first.lower >= 1 - NEARLY_ALL) return { lower: first.lower, upper: 1 };
    const { upper, components } = worstAt(epsilon, first.lower);
    const worst = compose(components).deltaAt(epsilon);
    return { lower: Math.max(first.lower, worst.lower), upper: Math.max(first.upper, upper) };
  };
  const epsilonAt = (delta: number): Bracket => {
    // With the most infinite loss there may be no ε; with the largest losses it is largest for δ = 0.
    let found = compose(purest(choices, ({ infinite }) => infinite.upper)).epsilonAt(delta);
    if (delta === 0 && found.upper < Infinity)
      return compose(purest(choices, ({ loss }) => loss.at(-1)!)).epsilonAt(delta);
    for (let tries = 0; tries < 2 && found.upper < Infinity; tries++) {
      const next = compose(roughly(choices, found.upper).typical).epsilonAt(delta);
      if (next.upper > found.upper) found = next;
    }
    for (let tries = 0; tries < MOST_TRIES && found.upper < Infinity; tries++) {
      const { upper, components, fall, isAbove } = worstAt(found.upper, delta);
      if (upper <= delta) return found;
      if (isAbove) return { ...found, upper: above().epsilonAt(delta).upper };
      const next = compose(components).epsilonAt(delta);
      // The bound for all mixes is a little above that of one.
      const further = found.upper + (Math.log(upper / delta) / fall) * 1.5 ** tries + 4 * UNIT * found.upper;
      found = {
        lower: Math.max(found.lower, next.lower),
        upper: next.upper > found.upper ? next.upper : further,
      };
    }
    return { ...found, upper: Infinity };
  };
  return {
    method: shared ? 'native' : 'grid',
    get isDominated() {
      return isDominated;
    },
    deltaAt,
    epsilonAt,
    quickly,
  };
}

interface Worst {
  readonly upper: number;
  readonly components: readonly Component[];
  /** About how fast log δ falls with ε. */
  readonly fall: number;
  /** Does the bound come from the pair that dominates all? */
  readonly isAbove: boolean;
}

const MOST_TRIES = 60;
/** Frequencies of all mixes together. */
const MOST_TERMS = 200_000_000;
const MOST_BLURRED_TERMS = 10_000_000;
/** Where δ is nearer to 1 than this it is taken for 1. */
const NEARLY_ALL = 1e-9;
/** Mixes up to which each is looked at by itself. */
const FEW = 40;

/** Each choice given to the law of which this is largest. */
function purest(choices: readonly Choice[], of: (losses: Losses) => number): Component[] {
  return choices.map(({ laws, times }) => {
    const values = laws.map(of);
    return { losses: laws[values.indexOf(Math.max(...values))]!, times };
  });
}

/** Upper bounds on δ(ε) of all mixes by one tilt, which is the best for a mix that loses much. */
function roughly(choices: readonly Choice[], epsilon: number) {
  let typical = purest(choices, ({ finite }) => finite);
  let fall = tiltFor(typical, epsilon);
  for (let round = 0; round < 2; round++) {
    typical = purest(choices, (losses) => cumulantOf(coarse(losses), fall).value);
    fall = tiltFor(typical, epsilon);
  }
  const laws = lawsOf(choices);
  const values = laws.map(({ losses }) => {
    const { value, error } = cumulantOf(coarse(losses), fall);
    return value + error + 2 ** -51 * Math.abs(value);
  });
  const finite = laws.map(({ losses }) => -Math.log1p(-losses.infinite.upper));
  const reaches = laws.map(({ losses }) => reachOf(losses));
  /** From a bound on the largest sum, on K and on −log of the chance of none but finite losses. */
  const bound = (reach: number, value: number, infinite: number) =>
    (reach < epsilon ? 0 : tiltBound(value, fall, epsilon)) - Math.expm1(-infinite) * (1 + 1e-9);
  return {
    fall,
    typical,
    boundOf: (mix: Mix) => bound(sumOf(mix, reaches), sumOf(mix, values), sumOf(mix, finite)),
    most: bound(
      mostOf(choices, (i) => reaches[i]!),
      mostOf(choices, (i) => values[i]!),
      mostOf(choices, (i) => finite[i]!),
    ),
  };
}

/** The largest loss, from above, so that many of them may be added up. */
function reachOf({ loss, lossError }: Losses): number {
  const largest = loss.at(-1)!;
  return largest + 2 * lossError + 2 ** -40 * Math.abs(largest);
}

/** Choices that leave all mixes that are wanted, and few others: what these have in common is no choice any more. */
function narrowed(choices: readonly Choice[], isWanted: (mix: Mix) => boolean) {
  const least = lawsOf(choices).map(({ times }) => times);
  let count = 0;
  for (const mix of mixesOf(choices)) {
    if (!isWanted(mix)) continue;
    count++;
    for (let i = 0; i < least.length; i++) least[i] = Math.min(least[i]!, mix[i]!);
  }
  let law = 0;
  const left = choices.flatMap(({ laws, times }) => {
    const common = laws.map((losses) => ({ laws: [losses], times: least[law++]! }));
    const open = times - common.reduce((sum, { times: taken }) => sum + taken, 0);
    return [{ laws, times: open }, ...common].filter((choice) => choice.times > 0);
  });
  return { left, count };
}

/** Are the laws of each choice so near to each other that many mixes matter? */
function areSimilar(choices: readonly Choice[]): boolean {
  const typical = purest(choices, ({ finite }) => finite);
  const c = tiltForDelta(typical, Math.log(1e-6));
  const values = lawsOf(choices).map(({ losses }) => cumulantOf(coarse(losses), c).value);
  const spread = mostOf(choices, (i) => values[i]!) + mostOf(choices, (i) => -values[i]!);
  return spread <= 5;
}

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
