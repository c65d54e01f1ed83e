// What the paper says of each mechanism, and the verdict on it; its figures, claims and simulations.

export { type CheckedClaim, type ClaimVerdict, claims } from './claims.js';
export { errata } from './errata.js';
export {
  defaultCut,
  type Estimate,
  type Judgement,
  judge,
  paperEstimates,
  type Verdict,
} from './estimate.js';
export { lawOf } from './law.js';
export type { Cell, Chart, Point, Reproduction, Section, Table } from './section.js';
export { type Builder, sections } from './sections.js';
export { type Entry, furtherInputs, mechanismsAt, paperInputs } from './setting.js';
export {
  batchesOf,
  drawnOnce,
  empiricalDistance,
  histogram,
  type Simulation,
  simulate,
  summarise,
} from './simulate.js';
export { theoremThreeClaims } from './theorem-three.js';
export { meanAbsolute } from './walk.js';
