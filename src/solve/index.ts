// Linear programmes in doubles. Nothing they return is trusted: what it is worth is proved elsewhere.

export { type NearRows, nearRows } from './band.js';
export { type BandedProgramme, type BandedStop, solveBanded } from './banded.js';
export { factor, solve } from './cholesky.js';
export { type InteriorPoint, interiorPoint, type Stop } from './interior-point.js';
export type { Iterate } from './iterate.js';
export { bestMix } from './mix.js';
export { combine, dots } from './products.js';
export { dot, type Programme, type SparseRows, setSquares } from './programme.js';
export { priceOf, type Ranged, rangedBound } from './ranged.js';
export { Sum, type Twofold, twofold } from './twofold.js';
