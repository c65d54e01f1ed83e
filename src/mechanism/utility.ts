// What noise does to a record, in doubles: utility only. Worked out once for each mass function.

import { rational, toNumberNear } from '../exact/index.js';
import { errorQuantile, moments, type Pmf, standardDeviation } from '../pmf/index.js';
import { remembered } from './remembered.js';

export interface Utility {
  readonly mean: number;
  readonly meanAbs: number;
  readonly meanSquare: number;
  readonly variance: number;
  readonly std: number;
}

/** Moments of the noise, in data units: near the exact ones of its integers. */
export const utilityOf: (pmf: Pmf) => Utility = remembered((pmf) => {
  const exact = moments(pmf);
  return {
    mean: toNumberNear(exact.mean),
    meanAbs: toNumberNear(exact.meanAbsolute),
    meanSquare: toNumberNear(exact.meanSquare),
    variance: toNumberNear(exact.variance),
    std: standardDeviation(exact),
  };
});

const SHARES = [50n, 90n, 95n, 99n];

/** How far off a record is at most, with each of a few probabilities. */
export const errorQuantiles: (pmf: Pmf) => { probability: number; error: number }[] = remembered((pmf) =>
  SHARES.map((share) => ({
    probability: Number(share) / 100,
    error: toNumberNear(errorQuantile(pmf, rational(share, 100n))),
  })),
);
