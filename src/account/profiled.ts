// A pair that dominates every shift of wide noise, from its exact profile at a few points: as many losses, however fine the lattice is.

import { fromNumber, toNumberUp } from '../exact/index.js';
import { profileOf, rememberedBy } from '../mechanism/index.js';
import { isUnimodal, type Pmf } from '../pmf/index.js';
import { lawThrough } from './dots.js';
import { type Losses, UNIT } from './losses.js';

/** Points on either side of ε = 0. */
const POINTS = 16;
/** Losses beyond which those of noise take too long to be added up. */
const WIDEST = 20_000;
/** Shifts times losses beyond which they take too long to be looked at one by one. */
const MOST_WORK = 2e7;
/** Noise without a largest ratio is looked at up to where δ(ε) falls by no more than this, or up to this ε. */
const NEXT_TO_NOTHING = 1e-9;
const FARTHEST = 64;

/** Would the losses of every shift take too long? Of unimodal noise one shift is enough. */
export function isWide(pmf: Pmf, adjacency: number): boolean {
  const { length } = pmf.weights;
  return (
    length + adjacency > WIDEST || (!isUnimodal(pmf) && 2 * adjacency * (length + adjacency) > MOST_WORK)
  );
}

/** The chords of δ(ε), which is convex in e^ε; below ε = 0 by exchanging the two (proofs/account.md, Guesses). */
export const profiledLaw = rememberedBy((pmf: Pmf, adjacency: number): Losses => {
  const profile = profileOf(pmf, adjacency);
  const deltaAt = (epsilon: number) => toNumberUp(profile.deltaAt(fromNumber(epsilon)).upper);
  const { supRatio } = profile;
  let end = supRatio.finite ? toNumberUp(supRatio.epsilon(160).upper) : 1 / 8;
  const last = supRatio.finite ? 0 : deltaAt(FARTHEST);
  if (!supRatio.finite) while (end < FARTHEST && deltaAt(end) - last > NEXT_TO_NOTHING) end *= 2;
  const above = Array.from({ length: POINTS + 1 }, (_, k) => (end * k) / POINTS);
  const deltas = above.map(deltaAt);
  // More than any rounding of what it is taken from.
  const rest = deltas[POINTS]! * (1 + 32 * UNIT);
  const below = above.slice(1).reverse();
  const nodes = [...below.map((epsilon) => -epsilon), ...above];
  const values = [
    ...below.map((epsilon, i) => -Math.expm1(-epsilon) + Math.exp(-epsilon) * deltas[POINTS - i]!),
    ...deltas,
  ].map((value) => Math.max(0, value * (1 + 16 * UNIT) - rest));
  return lawThrough(nodes, values, {
    infinite: { lower: 0, upper: rest },
    missing: rest,
    top: Math.max(0, 1 - rest) * (1 + 4 * UNIT),
    off: 8 * UNIT * end,
    rounding: 8 * UNIT * (nodes.length + 16),
  });
});
