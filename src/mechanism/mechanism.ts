// A mechanism is what is certified and sampled: integer weights and tails, an adjacency, and a claim.

import { bitLength, type Rational } from '../exact/index.js';
import { type Noise, specOf } from '../noise/index.js';
import type { Pmf } from '../pmf/index.js';

export interface Claim {
  readonly epsilon: Rational;
  /** Zero is a pure claim. */
  readonly delta: Rational;
}

export interface Mechanism {
  readonly pmf: Pmf;
  /** In steps. */
  readonly adjacency: number;
  readonly claim: Claim;
  /** How it was made; not part of the proof. */
  readonly origin: Readonly<Record<string, unknown>>;
}

/** Bits of mass that may be cut off noise without geometric tails, unless a smaller δ is in play. */
export const CUT = 400;
/** No window is cut deeper than this. */
export const DEEPEST_CUT = 12_800;

/** The integers for a noise, cut far below the claim's δ. Whether they keep the claim, `certify` tells. */
export function compile(noise: Noise, adjacency: number, claim: Claim): Mechanism {
  const { pmf } = noise.approximate({ adjacency, cut: cutFor(claim.delta) });
  return { pmf, adjacency, claim, origin: { noise: specOf(noise) } };
}

/** The cut at which truncation is negligible beside δ: the usual one, doubled as often as needed. */
export function cutFor(delta: Rational): number {
  const bits = delta.num === 0n ? 0 : bitLength(delta.den) - bitLength(delta.num);
  let cut = CUT;
  while (cut < bits + 64 && cut < DEEPEST_CUT) cut *= 2;
  return cut;
}
