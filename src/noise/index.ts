// The families of noise, one file each.

import { canonical } from './canonical.js';
import { exponential } from './exponential.js';
import { discreteGaussian, gaussian } from './gaussian.js';
import { gengViswanath } from './geng-viswanath.js';
import { geometric } from './geometric.js';
import { laplace } from './laplace.js';
import type { Family } from './noise.js';
import { staircase } from './staircase.js';
import { uniform } from './uniform.js';

/** Every family with parameters; `table` and `cdf` take rows instead. */
export const families: readonly Family[] = [
  gaussian,
  laplace,
  staircase,
  uniform,
  exponential,
  discreteGaussian,
  geometric,
  gengViswanath,
  canonical,
];

export { bellBits, bellCells, bellPoints } from './_bell.js';
export { cdfNoise } from './cdf.js';
export {
  type Continuous,
  type Dial,
  type Family,
  MOST_ADJACENCY,
  type Noise,
  type Parameter,
  type Precision,
  specOf,
  type Target,
} from './noise.js';
export { pmfNoise, type TableRow, tableNoise, tablePmf } from './table.js';
export {
  canonical,
  discreteGaussian,
  exponential,
  gaussian,
  gengViswanath,
  geometric,
  laplace,
  staircase,
  uniform,
};
