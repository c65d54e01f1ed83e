// Large losses that hardly ever happen, as samples have them: of one release in a thousand million, and a thousand times all others.
// They blow up every tilt, and say nothing at the δ that is asked for. Without them a release is a mix of one that has none, and of one
// that may be infinite loss from above, and nothing from below (proofs/account.md).

import { grown, growthOf, tailsOf } from './aliases.js';
import type { Losses } from './losses.js';
import {
  type Component,
  coarse,
  epsilonOf,
  tiltBound,
  tiltFor,
  tiltForDelta,
  totalCumulant,
} from './tilt.js';

/** Of δ: what is set apart for all releases together. */
const APART = 1e-9;
/** Periods that are so many times shorter without what is rare make up for it. */
const SHORTER = 4;

/** The same without losses that all together are a tiny part of δ; null where that makes nothing easier. */
export function withoutRare(components: readonly Component[], logDelta: number): Component[] | null {
  const kept = withoutMass(components, APART * Math.exp(logDelta));
  if (kept.some(({ losses }) => losses.loss.length === 0)) return null;
  if (kept.every(({ losses }, i) => losses === components[i]!.losses)) return null;
  return periodOf(kept, logDelta) * SHORTER < periodOf(components, logDelta) ? kept : null;
}

/** A quick upper bound on δ(ε) of the finite losses: by the best of all tilts, with more or less of what is rare set apart. */
export function deltaAbout(components: readonly Component[], epsilon: number): number {
  const boundOf = (some: readonly Component[]) => {
    const rough = some.map(({ losses, times }) => ({ losses: coarse(losses), times }));
    const c = tiltFor(rough, epsilon);
    const { value, error } = totalCumulant(rough, c);
    return tiltBound(value + error, c, epsilon);
  };
  let least = Math.min(1, boundOf(components));
  for (let apart = 1e-6; apart > 1e-66; apart *= 1e-6) {
    if (apart > least) continue;
    const kept = withoutMass(components, apart);
    if (kept.every(({ losses }) => losses.loss.length > 0)) least = Math.min(least, boundOf(kept) + apart);
  }
  return least;
}

/** The same without a mass of rare losses, of all releases together. */
function withoutMass(components: readonly Component[], apart: number): Component[] {
  const all = components.reduce((sum, { times }) => sum + times, 0);
  return components.map(({ losses, times }) => ({ losses: withoutLargest(losses, apart / all), times }));
}

/** How far apart the terms of an inversion must be. */
function periodOf(components: readonly Component[], logDelta: number): number {
  const c = tiltForDelta(components, logDelta);
  const growths = components.map(({ losses }) => growthOf(losses, c, 0));
  const growth = grown(
    growths,
    components.map(({ times }) => times),
  );
  return tailsOf(growth, c, 0).periodFor({ epsilon: epsilonOf(components, c), logDelta });
}

/** Without the largest losses, up to a mass of `most`. */
function withoutLargest(law: Losses, most: number): Losses {
  const { loss, mass, finite, infinite } = law;
  let [count, cut] = [loss.length, 0];
  while (count > 0 && (cut + mass[count - 1]!) * (1 + 1e-9) <= most) cut += mass[--count]!;
  if (count === loss.length) return law;
  return {
    ...law,
    loss: loss.subarray(0, count),
    mass: mass.subarray(0, count),
    finite: finite - cut,
    infinite: { lower: infinite.lower, upper: infinite.upper + cut * (1 + 1e-9) },
  };
}
