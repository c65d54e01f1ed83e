// The front door, and the requests behind it.

export { type AccountOptions, account } from './account.js';
export { valuesOf } from './domains.js';
export {
  type Analysis,
  analyze,
  analyzeVector,
  calibrate,
  compile,
  type DesignForOptions,
  design,
  sampler,
  type VectorAnalysis,
  verify,
} from './mechanisms.js';
export type {
  ByColumn,
  CountOptions,
  DomainOf,
  PaidPrior,
  PriorOptions,
  Release,
  ReleaseOptions,
} from './options.js';
export { protect } from './protect.js';
export { countRequest, delimiterOf, priorRequest, releaseRequest, reportPaths, rowsOf } from './requests.js';
export { readPrior, readTarget, type TargetOptions } from './target.js';
