// Linear programmes in doubles. Nothing they return is trusted: what it is worth is proved elsewhere.

export { nearRows } from './band.js';
export { solveBanded } from './banded.js';
export { type InteriorPoint, interiorPoint, type Stop } from './interior-point.js';
export type { Iterate } from './iterate.js';
export type { Programme, SparseRows } from './programme.js';
