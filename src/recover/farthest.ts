// The most that the mean of f can be over all distributions whose likelihood is at most `allowed` below the greatest.
//
// For any multiplier τ > 0 it is at most max_π (f·π + (likelihood − least) / τ): whatever the solver does, what is told is a bound
// outward. The likelihood is concave, so a mix of two distributions, one that is likely enough and one that is not, is likely enough
// up to a known share of the other: what f is there is surely reached. Multipliers are searched between the two until both agree.

import { meanOver, mixed, mostLikely, type Seen, type Spikes } from './spikes.js';

/** The best distribution for a multiplier: what f is there, and how much likelihood was given for it. */
interface Point {
  readonly tau: number;
  readonly at: Spikes;
  readonly value: number;
  readonly used: number;
}

export interface Farthest {
  /** What f is at most; the greatest of all its values, where it may be that. */
  readonly bound: number;
  /** What f is in some distribution that is likely enough. */
  readonly held: number;
  /** A distribution near the end. */
  readonly at: Spikes;
  readonly isTop: boolean;
  /** Neither the bound nor what is reached is near the end: the search gave up. */
  readonly isLoose: boolean;
}

/** Of its way from the most likely distribution, how much further out than what is reached a bound may lie. */
const NEAR = 0.02;
const MOST_MULTIPLIERS = 40;
/** From one multiplier to the next, while nothing is unlikely yet. */
const STRIDES = [1.5, 16] as const;
/** Of a bracket of multipliers, in logarithms, what is cut off at least. */
const CUT = 0.1;
/** What is left of the way to the top, where it counts as reached. */
const REACHED = 1e-9;

/** `isEnough` ends a search early, where that much is all that is asked. What was found for one room serves the next. */
export function farthestOf(
  seen: Seen,
  best: Spikes,
  f: Float64Array,
  tolerance: number,
): (allowed: number, isEnough?: (found: Pick<Farthest, 'bound' | 'held'>) => boolean) => Farthest {
  const top = f.reduce((a, b) => Math.max(a, b));
  const bottom = f.reduce((a, b) => Math.min(a, b));
  const least = meanOver(best, f);
  const path: Point[] = [{ tau: 0, at: best, value: least, used: 0 }];
  const solve = (tau: number, start: Spikes) => {
    const at = mostLikely(
      seen,
      f.map((v) => tau * v),
      tolerance,
      start,
    );
    path.push({ tau, at, value: meanOver(at, f), used: Math.max(0, best.likelihood - at.likelihood) });
    path.sort((a, b) => a.tau - b.tau);
  };
  return (allowed, isEnough) => {
    for (let solved = 0; ; solved++) {
      const first = path.findIndex(({ used }) => used > allowed);
      const [inside, outside] = first < 0 ? [path.at(-1)!, null] : [path[first - 1]!, path[first]!];
      if (top - inside.value <= REACHED * (top - bottom))
        return { bound: top, held: top, at: inside.at, isTop: true, isLoose: false };
      const share = outside ? (allowed - inside.used) / (outside.used - inside.used) : 0;
      const held = outside ? inside.value + share * (outside.value - inside.value) : inside.value;
      const bound = path.reduce(
        (low, { tau, at, value, used }) =>
          tau > 0 ? Math.min(low, value + (allowed - used + at.gap) / tau) : low,
        top,
      );
      const isNear = bound - held <= NEAR * (bound - least);
      const isDone = isNear || isEnough?.({ bound, held }) === true;
      if (isDone || solved >= MOST_MULTIPLIERS) {
        const { at } = outside && share > 0.5 ? outside : inside;
        return { bound, held, at, isTop: false, isLoose: !isDone };
      }
      if (outside)
        solve(between(inside, outside, allowed, solved % 2 === 1), mixed(seen, inside.at, outside.at, share));
      else solve(further(inside, allowed, top - least), inside.at);
    }
  };
}

/** A first multiplier, or a greater one: where likelihoods are quadratic, what is used grows with the square. */
function further({ tau, used }: Point, allowed: number, left: number): number {
  if (tau === 0) return (20 * allowed) / left;
  return (
    tau * Math.max(STRIDES[0], Math.min(STRIDES[1], Math.sqrt(allowed / Math.max(used, 1e-9 * allowed))))
  );
}

/** By turns where tangents of both ends cross, and where a quadratic through both would use what is allowed. */
function between(inside: Point, outside: Point, allowed: number, isTangent: boolean): number {
  const high = Math.log(outside.tau);
  const low = inside.tau > 0 ? Math.log(inside.tau) : high - Math.log(STRIDES[1]);
  const tangent = (outside.used - inside.used) / (outside.value - inside.value);
  const quadratic =
    inside.used > 0 && inside.tau > 0
      ? low + (Math.log(allowed / inside.used) / Math.log(outside.used / inside.used)) * (high - low)
      : high + Math.log(allowed / outside.used) / 2;
  const wanted = isTangent && tangent > 0 ? Math.log(tangent) : quadratic;
  const cut = CUT * (high - low);
  return Math.exp(
    Math.max(low + cut, Math.min(high - cut, Number.isFinite(wanted) ? wanted : (low + high) / 2)),
  );
}
