// The distribution behind a released column, and its figures.

export type { Cell } from './cells.js';
export { type Counted, groupsOf, recoverCounted } from './counted.js';
export type { Figure, Interval } from './figures.js';
export { type Foretold, foretell } from './foretold.js';
export type { Support } from './kernel.js';
export { type Outlined, outlined } from './outlined.js';
export {
  type Bar,
  type RecoverOptions,
  type Recovery,
  recover,
  recoverCounts,
  releaseIn,
  type Share,
} from './recover.js';
export type { Smoothed } from './smoothing.js';
export { type Told, told, toldInterval, toldWithin, type Unit } from './told.js';
