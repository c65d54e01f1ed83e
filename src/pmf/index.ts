// Mass functions on a lattice: build, moments, convolve, distance.

export { convolve, unrolled } from './convolve.js';
export {
  type Approximation,
  type ApproximationError,
  type DistributionFunction,
  discretize,
  withoutError,
} from './discretize.js';
export {
  type Beyond,
  jensenShannon,
  kullbackLeibler,
  type Masses,
  outputOf,
  probabilities,
  toMasses,
  totalVariation,
  wasserstein,
  widened,
} from './distance.js';
export { jsTerm, klTerm } from './divergence.js';
export { convolveDoubles, DIRECT } from './fourier.js';
export type { LogConcave } from './log-concave.js';
export {
  cumulativeWeight,
  errorQuantile,
  leastIndex,
  type Moments,
  moments,
  quantile,
  standardDeviation,
} from './moments.js';
export {
  FURTHEST,
  geometricFactor,
  isUnimodal,
  lastIndex,
  makePmf,
  mirror,
  type Pmf,
  type Tail,
  tailBlock,
  tailWeight,
  total,
  type Value,
  valueAt,
  windowPmf,
} from './pmf.js';
