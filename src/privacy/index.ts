// Theorem 1, Theorem 2 and the exact profile; each check returns a witness.

export { type ExtendedWindow, extendWindow } from './extended-window.js';
export { type ClosedProfile, logConcaveProfile } from './log-concave.js';
export { type DeltaBound, type Profile, privacyProfile } from './profile.js';
export { type RatioWitness, reachesSup, type SupRatio, supRatio } from './sup-ratio.js';
export {
  type BestSplit,
  bestSplit,
  type Interval,
  type SplitGuarantee,
  splitGuarantee,
} from './theorem-two.js';
