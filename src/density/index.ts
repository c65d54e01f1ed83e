// Noise before it is put on a lattice: one file per shape of density.

export type { Density, Moments, PureLoss } from './density.js';
export { laplaceDensity } from './laplace.js';
export { normalDelta, normalDensityOf } from './normal.js';
export { exponentialDensity, uniformDensity } from './one-sided.js';
export { type Point, piecewiseDensity } from './piecewise.js';
export { staircaseDensity } from './staircase.js';
