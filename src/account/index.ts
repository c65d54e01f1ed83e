// What releases cost one person: each mechanism by itself, and all together.

export type { Accountant, Charged, Part, Planned } from './accountant.js';
export { accountantOf, filters } from './accountants.js';
export { basicComposition } from './basic.js';
export { growthUpper, mechanismCost, successive, timesRows } from './charge.js';
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
