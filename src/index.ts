// The front door: what a service needs, one line each. Everything else is on the sub-paths, and costs nothing here.

export type { Account, PlanRelease } from './account/index.js';
export { type AccountOptions, account } from './door/account.js';
export {
  type Analysis,
  analyze,
  analyzeVector,
  calibrate,
  compile,
  type DesignForOptions as DesignOptions,
  design,
  sampler,
  type VectorAnalysis,
  verify,
} from './door/mechanisms.js';
export type {
  ByColumn,
  CountOptions,
  DomainOf,
  PaidPrior,
  PriorOptions,
  Release,
  ReleaseOptions,
} from './door/options.js';
export {
  type Long,
  type Protected,
  type ProtectOptions,
  protect,
  type Small,
  type Values,
  type Wide,
} from './door/protect.js';
export { count, estimatePrior, openLedger, release } from './door/system.js';
export type { TargetOptions } from './door/target.js';
export { type Code, DiscreetError, PrivacyError } from './error/index.js';
export type { Budget, BudgetTerms, Ledger, Opening } from './ledger/index.js';
export { type Certificate, type Mechanism, readMechanism, writeMechanism } from './mechanism/index.js';
export { type RecoverOptions, type Recovery, recover } from './recover/index.js';
export type { Decimal } from './spec/index.js';
