// The families of priors, one file each: what is publicly known of the data.

import { gaussian } from './gaussian.js';
import { poisson } from './poisson.js';
import type { PriorFamily } from './prior.js';
import { point, uniform } from './uniform.js';

/** Every family with parameters; `table` and `column` take rows instead. */
export const priorFamilies: readonly PriorFamily[] = [gaussian, poisson, uniform, point];

export { columnPmf } from './column.js';
export { paidOf, paidWords, priorRows, roundedPmf, splitPaid, writePrior } from './file.js';
export { buildPrior, type Gain, type Paid, type Prior, type PriorFamily } from './prior.js';
