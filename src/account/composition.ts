// Many releases together, each with a known law of its loss: δ(ε) and ε(δ), always from below and from above.

import { isOurs } from '../error/index.js';
import type { Around, Bracket } from './aliases.js';
import { type Inversion, invertBlurred, type Limits } from './blurred.js';
import { writtenOut } from './few.js';
import { invertOnLattice } from './lattice.js';
import { UNIT } from './losses.js';
import { commonSpacing, type Progression, placed, progressionOf } from './progression.js';
import { deltaAbout, withoutRare } from './rare.js';
import { solved } from './solved.js';
import {
  type Component,
  coarse,
  epsilonOf,
  estimateAt,
  tiltBound,
  tiltFor,
  tiltForDelta,
  totalCumulant,
} from './tilt.js';

/** `native`: on an arithmetic progression; `few`: all sums written out; `grid`: blurred, on a grid of frequencies. */
export type Method = 'native' | 'few' | 'grid';

export interface Composition {
  /** Of what was worked out so far. */
  readonly method: Method;
  /** δ(ε). */
  readonly deltaAt: (epsilon: number) => Bracket;
  /** The least ε with δ(ε) ≤ delta; infinite where there is none. */
  readonly epsilonAt: (delta: number) => Bracket;
  /** An upper bound on δ(ε) that takes no time: by the best of all tilts, as Rényi divergences do. */
  readonly quickly: (epsilon: number) => number;
}

/** δ of independent losses added up, between bounds that hold (proofs/account.md). */
export function compose(given: readonly Component[]): Composition {
  const whole = composed(given);
  if (whole.method !== 'grid') return whole;
  let latest: { readonly power: number; readonly found: Composition } = { power: Infinity, found: whole };
  const near = (logDelta: number): Composition => {
    if (logDelta === Number.NEGATIVE_INFINITY) return whole;
    const power = Math.floor(logDelta / Math.LN10);
    if (latest.power !== power) {
      const kept = withoutRare(given, power * Math.LN10);
      latest = { power, found: kept ? composed(kept) : whole };
    }
    return latest.found;
  };
  return {
    ...whole,
    get method() {
      return latest.found.method;
    },
    deltaAt: (epsilon) => near(Math.log(deltaAbout(given, epsilon))).deltaAt(epsilon),
    epsilonAt: (delta) => (delta > 0 ? near(Math.log(delta)) : whole).epsilonAt(delta),
  };
}

/** With all its losses. */
function composed(given: readonly Component[]): Composition {
  const components = given.filter(({ losses }) => losses.loss.length > 0);
  const infinite = infiniteOf(given);
  const isCertain = components.length < given.length;
  const exact = isCertain ? () => ({ lower: 0, upper: 0 }) : writtenOut(components);
  const own = components.map(({ losses }) => progressionOf(losses));
  const shared = sharedProgressions(components, own);
  let method: Method = shared ? 'native' : exact ? 'few' : 'grid';
  const choices = components.map(({ losses, times }) => ({ laws: [losses], times }));
  const mix = components.map(({ times }) => times);
  const invert = (c: number, around: Around, limits: Limits = {}) => {
    // A progression of very many places is better blurred.
    const onLattice = shared ? orNull(() => invertOnLattice(choices, shared, c, around)) : null;
    method = onLattice ? 'native' : 'grid';
    const found =
      onLattice ?? orNull(() => invertBlurred(choices, own, c, around, limits), around.logDelta > NEGLIGIBLE);
    // So far out that a bound by the tilt alone is enough.
    if (!found) return (epsilon: number): Bracket => ({ lower: 0, upper: tiltedAt(c, epsilon) });
    const { lowerAt, upperAt } = found;
    return (epsilon: number): Bracket => ({ lower: lowerAt(mix, epsilon), upper: upperAt(mix, epsilon) });
  };
  const tiltedAt = (c: number, epsilon: number): number => {
    const { value, error } = totalCumulant(components, c);
    return tiltBound(value + error, c, epsilon);
  };
  let known: { readonly c: number; readonly deltaAt: (epsilon: number) => Bracket } | null = null;
  /** The last inversion serves as long as its tilt is near enough. */
  const inverted = (c: number, around: Around) => {
    if (!known || Math.abs(Math.log(known.c / c)) > NEAR) known = { c, deltaAt: invert(c, around) };
    return known.deltaAt;
  };
  const most = components.reduce((sum, { losses, times }) => sum + times * losses.loss.at(-1)!, 0);
  const finite = (epsilon: number): Bracket => {
    if (exact) return exact(epsilon);
    const slack = components.reduce((sum, { losses, times }) => sum + times * losses.lossError, 0) * 2;
    if (epsilon > most + slack + 8 * UNIT * Math.abs(most)) return { lower: 0, upper: 0 };
    const c = tiltFor(components, epsilon);
    const first = inverted(c, { epsilon, logDelta: estimateAt(components, c, epsilon) })(epsilon);
    if (first.upper - first.lower <= 1e-4 * first.upper) return first;
    // The estimate was too large: once more for what was found.
    known = {
      c,
      deltaAt: invert(c, {
        epsilon,
        logDelta: Math.log(Math.max(first.lower, first.upper * 1e-4, 1e-290)),
      }),
    };
    const second = known.deltaAt(epsilon);
    return { lower: Math.max(first.lower, second.lower), upper: Math.min(first.upper, second.upper) };
  };
  /** Below the largest loss δ is above 0, if only by what a double cannot hold. */
  const positive = (epsilon: number) => (epsilon < most ? Number.MIN_VALUE : 0);
  /** δ = 0: the largest loss there is. */
  const largest = (): Bracket => {
    const off = components.reduce(
      (sum, { losses, times }) => sum + times * losses.lossError,
      8 * UNIT * Math.abs(most),
    );
    if (infinite.upper > 0)
      return { lower: infinite.lower > 0 ? Infinity : Math.max(0, most - off), upper: Infinity };
    return { lower: Math.max(0, most - off), upper: Math.max(0, most + off) };
  };
  const deltaAt = (epsilon: number): Bracket => {
    const { lower, upper } = finite(epsilon);
    return {
      lower: Math.max(0, (lower + infinite.lower) * (1 - 4 * UNIT)),
      upper: Math.min(1, Math.max((upper + infinite.upper) * (1 + 4 * UNIT), positive(epsilon))),
    };
  };
  const withInfinite =
    (finiteAt: (epsilon: number) => Bracket) =>
    (epsilon: number): Bracket => {
      const { lower, upper } = finiteAt(epsilon);
      return {
        lower: (lower + infinite.lower) * (1 - 4 * UNIT),
        upper: (upper + infinite.upper) * (1 + 4 * UNIT),
      };
    };
  const epsilonAt = (delta: number): Bracket => {
    if (delta === 0) return largest();
    const left = { lower: delta - infinite.upper, upper: delta - infinite.lower };
    if (left.upper <= 0) return { lower: Infinity, upper: Infinity };
    const none = left.lower <= 0;
    const guide = Math.max(left.lower, left.upper * 1e-6);
    if (exact) return orZero(solved(deltaAt, delta, { high: most + 1 }), delta);
    // Too little is known of the infinite loss to say from above.
    if (none) return { lower: 0, upper: Infinity };
    const c = tiltForDelta(components, Math.log(guide));
    const finiteAt = inverted(c, { epsilon: epsilonOf(components, c), logDelta: Math.log(guide) });
    const first = solved(withInfinite(finiteAt), delta, {
      high: most + 1,
      guess: epsilonOf(components, c),
      slope: c,
    });
    const isWithin = (part: number) => first.upper - first.lower <= part * first.upper;
    // Far from what it was made for, an inversion is less close: once more, with one for each place, or a narrower blur.
    if (method === 'native' ? isWithin(1e-7) : isWithin(WIDE)) return orZero(first, delta);
    const place = { high: most + 1, guess: first.upper, slope: c };
    if (method === 'native') return orZero(solved(deltaAt, delta, place), delta);
    const around = {
      epsilon: first.upper < Infinity ? first.upper : epsilonOf(components, c),
      logDelta: Math.log(guide),
    };
    const narrow = withInfinite(invert(c, around, { fine: FINER }));
    const second = solved(narrow, delta, place);
    return orZero(
      { lower: Math.max(first.lower, second.lower), upper: Math.min(first.upper, second.upper) },
      delta,
    );
  };
  /** Where even ε = 0 has no more δ than this. */
  const orZero = (found: Bracket, delta: number): Bracket => {
    if (found.lower > 0) return found;
    if (deltaAt(0).upper <= delta) return { lower: 0, upper: 0 };
    // Where δ falls steeply a lower bound is found by halving.
    let [low, high] = [0, Math.min(found.upper, most + 1)];
    for (let i = 0; i < 40 && deltaAt(0).lower > delta; i++) {
      const middle = (low + high) / 2;
      if (deltaAt(middle).lower > delta) low = middle;
      else high = middle;
    }
    return { lower: low, upper: found.upper };
  };
  const quickly = (epsilon: number): number => {
    const rough = components.map(({ losses, times }) => ({ losses: coarse(losses), times }));
    const c = components.length === 0 ? 1 : tiltFor(components, epsilon);
    const { value, error } = totalCumulant(rough, c);
    return tiltBound(value + error, c, epsilon) + infinite.upper;
  };
  return {
    get method() {
      return method;
    },
    deltaAt,
    epsilonAt,
    quickly,
  };
}

/** What is too large to be worked out is null, or an error where it must be told. */
function orNull(work: () => Inversion, tell = false): Inversion | null {
  try {
    return work();
  } catch (error) {
    if (!tell && isOurs(error, 'argument')) return null;
    throw error;
  }
}

/** An interval for ε wider than this part of it is made narrower, by a blur for which this is aimed at. */
const WIDE = 8e-5;
const FINER = 6e-6;

/** The logarithm of a δ below which a bound from above will do. */
const NEGLIGIBLE = Math.log(1e-12);

/** Tilts that differ by less than this factor serve each other. */
const NEAR = 0.02;

/** 1 − Π (1 − p)^times, between bounds. */
export function infiniteOf(components: readonly Component[]): Bracket {
  let [lower, upper] = [0, 0];
  for (const { losses, times } of components) {
    lower += times * Math.log1p(-losses.infinite.lower);
    upper += times * Math.log1p(-losses.infinite.upper);
  }
  return {
    lower: -Math.expm1(lower) * (1 - 16 * UNIT),
    upper: Math.min(1, -Math.expm1(upper) * (1 + 16 * UNIT)),
  };
}

/** Progressions of one spacing for all, if the places they move losses to are near enough. */
export function sharedProgressions(
  components: readonly Component[],
  own: readonly (Progression | null)[],
): Progression[] | null {
  const spacings = own.flatMap((progression) => progression?.spacing ?? []);
  if (spacings.length < own.filter((_, i) => components[i]!.losses.loss.length > 1).length) return null;
  const spacing = spacings.length === 0 ? null : commonSpacing(spacings);
  if (spacing === null) return null;
  const found = components.map(({ losses }) => placed(losses, spacing));
  let [off, spread] = [0, 0];
  for (const [i, progression] of found.entries()) {
    const { losses, times } = components[i]!;
    if (!progression) return null;
    off += times * progression.off;
    spread += times * (losses.loss.at(-1)! - losses.loss[0]!) ** 2;
  }
  return off <= CLOSE * Math.sqrt(spread) ? (found as Progression[]) : null;
}

/** How far all losses together may be from their places, beside how far they may be apart. */
const CLOSE = 1e-9;
