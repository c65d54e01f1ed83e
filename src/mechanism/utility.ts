// What noise does to a record, in doubles: utility only. Worked out once for each mass function.

import {
  add,
  compare,
  divide,
  integer,
  multiply,
  type Rational,
  rational,
  toNumberNear,
} from '../exact/index.js';
import type { Noise } from '../noise/index.js';
import {
  errorQuantile,
  type LogConcave,
  leastIndex,
  moments,
  type Pmf,
  standardDeviation,
} from '../pmf/index.js';
import { remembered } from './remembered.js';

/** Moments of the noise, in data units: near the exact ones of its integers. */
export const utilityOf = remembered((pmf: Pmf) => {
  const exact = moments(pmf);
  const [mean, std] = [toNumberNear(exact.mean), standardDeviation(exact)];
  return {
    mean: Math.abs(mean) < NOTHING * std ? 0 : mean,
    meanAbs: toNumberNear(exact.meanAbsolute),
    meanSquare: toNumberNear(exact.meanSquare),
    variance: toNumberNear(exact.variance),
    std,
  };
});

/** Beside the noise itself, what integers leave of a mean of 0 is nothing. */
const NOTHING = 1e-9;

/** The same of a noise that may only be looked at on a coarser lattice, which changes E|θ| by the square of its step. */
export function utilityOfNoise(noise: Noise, pmf: Pmf): Utility {
  const own = utilityOf(pmf);
  if (!noise.outline) return own;
  const coarser = noise.outline(2).approximate({ adjacency: 1, cut: OUTLINE_CUT }).pmf;
  const ratio = toNumberNear(divide(noise.step, pmf.step)) ** 2;
  const meanAbs = own.meanAbs + ((own.meanAbs - utilityOf(coarser).meanAbs) / 3) * (1 - ratio);
  return { ...own, meanAbs };
}

/** How deep noise is cut that is only looked at. */
export const OUTLINE_CUT = 96;

export type Utility = Readonly<ReturnType<typeof utilityOf>>;

const SHARES = [50n, 90n, 95n, 99n];

export interface ErrorQuantile {
  readonly probability: number;
  readonly error: number;
}

/** How far off a record is at most, with each of a few probabilities. */
export const errorQuantiles: (pmf: Pmf) => ErrorQuantile[] = remembered((pmf) =>
  SHARES.map((share) => ({
    probability: Number(share) / 100,
    error: toNumberNear(errorQuantile(pmf, rational(share, 100n))),
  })),
);

/** The same from a distribution function: for noise that is only looked at on a coarser lattice. */
export function errorQuantilesOf({ above, below }: LogConcave, step: Rational): ErrorQuantile[] {
  const beyond = (t: number) => add(above(t + 1, 64).upper, below(-t - 1, 64).upper);
  return SHARES.map((share) => {
    const reached = (t: number) => compare(beyond(t), rational(100n - share, 100n)) <= 0;
    return {
      probability: Number(share) / 100,
      error: toNumberNear(multiply(integer(leastIndex(reached, 0)), step)),
    };
  });
}
