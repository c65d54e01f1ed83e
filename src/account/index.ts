// What releases cost one person: each mechanism by itself, and all together.

export {
  type Account,
  type AccountOptions,
  account,
  meets,
  moreWithin,
  type ProfilePoints,
  profileOf,
  timesWithin,
  tradeOff,
} from './account.js';
export type { Accountant, Charged, Part, Planned } from './accountant.js';
export { accountantOf, filters } from './accountants.js';
export type { Bracket } from './aliases.js';
export { basicComposition } from './basic.js';
export { calibrateTotal, type Wanted } from './calibrate.js';
export { growthUpper, mechanismCost, successive, timesRows } from './charge.js';
export type { Compared, Rule } from './comparison.js';
export type { Method } from './composition.js';
export {
  type Cost,
  minus,
  noCost,
  plus,
  readCost,
  rounded,
  type WrittenCost,
  within,
  written,
} from './cost.js';
export { type Changes, guessUpper, type Seen, type Values } from './guess.js';
export { normalQuantileUp } from './normal.js';
export { type Named, type PlanFiles, type PlanRelease, readPlan, readReleases } from './plan.js';
export { type Repeated, type Total, totalOf } from './total.js';
