// Noise before it is put on a lattice: what privacy its density gives, when one record moves by at most m, in data units.

import { type Enclosure, one, type Rational, subtract, zero } from '../exact/index.js';

export interface Density {
  /** As in “the normal density with σ = 10”. */
  readonly text: string;
  /** The supremum of log f(x − s) / f(x) over all x and shifts |s| ≤ m, and where it is; or why there is none. */
  readonly pure: (adjacency: Rational) => PureLoss;
  /** The least δ at ε. */
  readonly deltaAt: (adjacency: Rational, epsilon: Rational) => Enclosure;
  /** The mean, E|ϑ| and E ϑ². */
  readonly moments: () => Moments;
}

export type PureLoss =
  | { readonly epsilon: Enclosure; readonly where: string }
  | { readonly epsilon: null; readonly reason: string };

/** In doubles: utility, no privacy. */
export interface Moments {
  readonly mean: number;
  readonly meanAbs: number;
  readonly meanSquare: number;
}

/** What is left of 1, at least 0. */
export function complement({ lower, upper }: Enclosure): Enclosure {
  return { lower: notNegative(subtract(one, upper)), upper: notNegative(subtract(one, lower)) };
}

export function notNegative(x: Rational): Rational {
  return x.num < 0n ? zero : x;
}
