// What the paper says of each mechanism, and the verdict on it.

export {
  defaultCut,
  type Estimate,
  type Judgement,
  judge,
  paperEstimates,
  type Verdict,
} from './estimate.js';
