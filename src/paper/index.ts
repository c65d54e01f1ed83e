// What the paper says of each mechanism, and the verdict on it; its figures, claims and simulations.

export { type Claim, claims, errata } from './claims.js';
export {
  defaultCut,
  type Estimate,
  type Judgement,
  judge,
  paperEstimates,
  type Verdict,
} from './estimate.js';
export { type Reproduction, sections } from './figures.js';
export type { Cell, Chart, Section, Table } from './section.js';
export { furtherInputs, mechanismsAt, paperInputs } from './setting.js';
export {
  batchesOf,
  empiricalDistance,
  histogram,
  type Law,
  lawOf,
  meanAbsolute,
  type Simulation,
  type Summary,
  simulate,
  summarise,
} from './simulate.js';
