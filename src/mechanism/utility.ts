// What noise does to a record, in doubles: utility only. Worked out once for each mass function.

import { rational, toNumberNear } from '../exact/index.js';
import { errorQuantile, moments, type Pmf, standardDeviation } from '../pmf/index.js';
import { remembered } from './remembered.js';

/** Moments of the noise, in data units: near the exact ones of its integers. */
export const utilityOf = remembered((pmf: Pmf) => {
  const exact = moments(pmf);
  return {
    mean: toNumberNear(exact.mean),
    meanAbs: toNumberNear(exact.meanAbsolute),
    meanSquare: toNumberNear(exact.meanSquare),
    variance: toNumberNear(exact.variance),
    std: standardDeviation(exact),
  };
});

export type Utility = Readonly<ReturnType<typeof utilityOf>>;

const SHARES = [50n, 90n, 95n, 99n];

/** How far off a record is at most, with each of a few probabilities. */
export const errorQuantiles: (pmf: Pmf) => { probability: number; error: number }[] = remembered((pmf) =>
  SHARES.map((share) => ({
    probability: Number(share) / 100,
    error: toNumberNear(errorQuantile(pmf, rational(share, 100n))),
  })),
);
