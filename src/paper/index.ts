// What the paper says of each mechanism, and the verdict on it; its simulations.

export {
  defaultCut,
  type Estimate,
  type Judgement,
  judge,
  paperEstimates,
  type Verdict,
} from './estimate.js';
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
