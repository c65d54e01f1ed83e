// Families of noise at a target, each calibrated and certified: what a design is compared with, and must not lose to.

import { isOurs } from '../error/index.js';
import { exactText, integer, multiply, type Rational, zero } from '../exact/index.js';
import { type Certificate, calibrate, type Mechanism } from '../mechanism/index.js';
import { specOf, type Target } from '../noise/index.js';
import { parseFamily } from '../spec/index.js';

export interface Calibrated {
  readonly name: string;
  /** The calibrated noise. */
  readonly noise: string;
  readonly mechanism: Mechanism;
  readonly certificate: Certificate;
}

const PURE = ['laplace', 'geometric', 'staircase:width=5', 'staircase:width=20', 'geng-viswanath'] as const;
const APPROXIMATE = ['canonical', 'gaussian', 'discrete-gaussian'] as const;

/** Steps of adjacency beyond which a staircase's block is not calibrated to δ. */
const LONG = 10_000;

let latest: { readonly key: string; readonly found: Map<string, Calibrated | null> } | null = null;

/** Families that can be at a target. */
export function familyNames({ delta }: Target): readonly string[] {
  return delta.num > 0n ? [...PURE, ...APPROXIMATE] : PURE;
}

/** A family that cannot meet the target, or not within its limits, is left out. */
export function familiesAt(target: Target, step: Rational): readonly Calibrated[] {
  return familyNames(target).flatMap((name) => familyAt(name, target, step) ?? []);
}

/** Null where it cannot. What was found for the latest target is kept. */
export function familyAt(name: string, target: Target, step: Rational): Calibrated | null {
  const { epsilon, delta, adjacency } = target;
  const key = [epsilon, delta, step].map(({ num, den }) => `${num}/${den}`).join() + adjacency;
  if (latest?.key !== key) latest = { key, found: new Map() };
  const known = latest.found.get(name);
  if (known !== undefined) return known;
  const { family, values } = parseFamily(name);
  const own =
    family.name === 'geng-viswanath'
      ? { ...values, adjacency: exactText(multiply(integer(adjacency), step)) }
      : values;
  // Of long blocks each trial takes a second, and what so little δ saves is in the design's own candidates.
  const isLong = family.name === 'geng-viswanath' && adjacency > LONG;
  const at = isLong ? { ...target, delta: zero } : target;
  let found: Calibrated | null = null;
  try {
    const { noise, mechanism, certificate } = calibrate(family, own, at, step);
    found = { name, noise: specOf(noise), mechanism, certificate };
  } catch (error) {
    if (!isOurs(error)) throw error;
  }
  latest.found.set(name, found);
  return found;
}

/** Standard deviations in steps from which on a Gaussian rounded down and the discrete one differ by a hundredth part at most. */
const WIDE = 50;
/** Of a Gaussian's window, about. */
const DEVIATIONS = 60;
const CLEARLY = 1.05;

/** Families that may be as good as a value, with δ > 0. A wide Gaussian that is clearly worse is looked at in the quicker of its two forms alone. */
export function rivals(
  target: Target,
  step: Rational,
  best: number,
  worth: (found: Calibrated) => number,
): readonly Calibrated[] {
  const discrete = familyAt('discrete-gaussian', target, step);
  const isFar =
    discrete !== null &&
    discrete.mechanism.pmf.weights.length >= DEVIATIONS * WIDE &&
    worth(discrete) > CLEARLY * best;
  return familyNames(target)
    .filter((name) => !isFar || !name.endsWith('gaussian'))
    .flatMap((name) => familyAt(name, target, step) ?? []);
}
