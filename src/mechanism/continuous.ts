// Before and after discretising: a density beside the noise that is made from it, on the given lattice and on finer ones.

import type { Moments, PureLoss } from '../density/index.js';
import { invalid, isOurs } from '../error/index.js';
import { divide, type Enclosure, integer, multiply, type Rational } from '../exact/index.js';
import { type Continuous, type Noise, specOf } from '../noise/index.js';
import { type Guarantee, guaranteeOf } from './guarantee.js';
import type { Utility } from './utility.js';

export interface BeforeAndAfter {
  readonly continuous: Continuous;
  readonly pure: PureLoss;
  readonly profile: readonly { readonly epsilon: Rational; readonly delta: Enclosure }[];
  readonly moments: Moments;
  /** On the given lattice and on finer ones. */
  readonly discrete: readonly Discrete[];
  /** May the density's figures be used for the noise on the lattice? */
  readonly mayBeUsed: boolean;
}

export interface Discrete {
  readonly step: Rational;
  readonly pure: Rational | null;
  /** At the same ε as the density's. */
  readonly deltas: readonly Rational[];
  readonly utility: Utility;
}

/** Parts of the step that are looked at. */
const FINER = [1, 2, 4, 8];

/** `adjacency` in steps of the noise. */
export function beforeAndAfter(
  noise: Noise,
  adjacency: number,
  epsilons: readonly Rational[],
): BeforeAndAfter {
  const { continuous, step } = noise;
  if (!continuous)
    throw invalid(
      `continuous: ${specOf(noise)} comes from no density; use gaussian, laplace, staircase, uniform, exponential, or cdf:path for your own`,
    );
  const distance = multiply(integer(adjacency), step);
  const { density } = continuous;
  const discrete = FINER.flatMap((parts): Discrete[] => {
    const guarantee = parts === 1 ? guaranteeOf(noise, adjacency) : finer(continuous, step, adjacency, parts);
    if (guarantee === null) return [];
    return [
      {
        step: guarantee.noise.step,
        pure: guarantee.pure?.epsilonUpper ?? null,
        deltas: epsilons.map(guarantee.deltaAt),
        utility: guarantee.utility(),
      },
    ];
  });
  return {
    continuous,
    pure: density.pure(distance),
    profile: epsilons.map((epsilon) => ({ epsilon, delta: density.deltaAt(distance, epsilon) })),
    moments: density.moments(),
    discrete,
    mayBeUsed: continuous.rounding !== null,
  };
}

/** Null where the lattice would be too fine. */
function finer({ at }: Continuous, step: Rational, adjacency: number, parts: number): Guarantee | null {
  try {
    return guaranteeOf(at(divide(step, integer(parts))), adjacency * parts);
  } catch (error) {
    if (isOurs(error, 'argument')) return null;
    throw error;
  }
}
