// The distribution behind a released column, and its figures.

export type { Figure, Interval } from './figures.js';
export {
  type RecoverOptions,
  type Recovery,
  recover,
  recoverCounts,
  releaseIn,
  type Share,
} from './recover.js';
