// Releases that may each follow one of several laws, and mixes of them. What is additive over releases is worked out once for each law.

import { type Losses, UNIT } from './losses.js';
import { type Part, type Spectrum, spectrumOf } from './spectrum.js';
import type { Component } from './tilt.js';

/** Releases that may each follow any one of several laws. */
export interface Choice {
  readonly laws: readonly Losses[];
  readonly times: number;
}

/** How many releases follow each law, in the order of the choices and of their laws. */
export type Mix = ArrayLike<number>;

/** All laws, each as often as it may be followed at most. */
export function lawsOf(choices: readonly Choice[]): Component[] {
  return choices.flatMap(({ laws, times }) => laws.map((losses) => ({ losses, times })));
}

/** How many mixes there are; infinite where they are very many. */
export function mixCount(choices: readonly Choice[]): number {
  let count = 1;
  for (const { laws, times } of choices)
    for (let k = 1; k < laws.length; k++) {
      count *= (times + k) / k;
      if (count > VERY_MANY) return Infinity;
    }
  return Math.round(count);
}

const VERY_MANY = 10_000_000;

/** What a mix gives, if each release of a law gives so much. */
export function sumOf(mix: Mix, values: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += mix[i]! * values[i]!;
  return sum;
}

/** The most that a mix can give, if each release of a law gives so much. */
export function mostOf(choices: readonly Choice[], of: (law: number) => number): number {
  let [sum, law] = [0, 0];
  for (const { laws, times } of choices) {
    let most = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < laws.length; j++) most = Math.max(most, of(law++));
    sum += times * most;
  }
  return sum;
}

/** Π φ^times at so many frequencies, as a function of the mix: laws without an alternative are put together once. */
export function spectrumOfMix(
  choices: readonly Choice[],
  parts: readonly Part[],
  turn: number,
  first: number,
  count: number,
): (mix: Mix) => Spectrum {
  const isFixed = choices.flatMap(({ laws }) => laws.map(() => laws.length === 1));
  const fixed = spectrumOf(
    parts.filter((_, i) => isFixed[i]),
    turn,
    first,
    count,
  );
  const free = parts.flatMap((part, law) =>
    isFixed[law] ? [] : [{ law, own: spectrumOf([{ ...part, times: 1 }], turn, first, count) }],
  );
  if (free.length === 0) return () => fixed;
  return (mix) => {
    const [log, phase] = [fixed.log.slice(), fixed.phase.slice()];
    const [most, off] = [fixed.most.slice(), fixed.off.slice()];
    for (const { law, own } of free) {
      const times = mix[law]!;
      if (times === 0) continue;
      for (let n = 0; n < count; n++) {
        log[n]! += times * own.log[n]!;
        phase[n]! += times * own.phase[n]!;
        most[n]! += times * own.most[n]!;
        // Phases may cancel, their roundings do not.
        off[n]! += times * (own.off[n]! + 4 * UNIT * Math.abs(own.phase[n]!));
      }
    }
    return { first, log, phase, most, off };
  };
}

/** The same, kept for the last mix that was asked for. */
export function rememberedMix<T>(of: (mix: Mix) => T): (mix: Mix) => T {
  let known: { readonly mix: number[]; readonly value: T } | null = null;
  return (mix) => {
    if (!known?.mix.every((times, i) => times === mix[i])) known = { mix: Array.from(mix), value: of(mix) };
    return known.value;
  };
}
