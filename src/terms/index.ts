// What a release follows from, wherever it is made: columns with their noise, what may leave, what is charged, and the order of it all.

export { type Agreed, agreedOn, type Wanted } from './agreed.js';
export { type Asked, chargeOf, checkColumns, type ProtectedColumn, protectedColumns } from './columns.js';
export {
  checkLeaving,
  checkOwnColumn,
  checkPassed,
  type Gate,
  type Guard,
  gateOf,
  type InputColumn,
  plainColumn,
  type Rules,
} from './guard.js';
export { type MechanismFile, mechanismFiles, pathsBeside } from './mechanism-files.js';
export { adjacencyFor, makeMechanisms, rowShare, shareOut } from './noise.js';
export { checkClaim, checkEntropy, Interrupted, type Outcome, paid, type Released } from './paid.js';
export { ODDITIES, type Oddity, oddityOf, type Reading, readCell, readingOf } from './reading.js';
export type { Afterwards, ColumnRequest, NoiseRequest, PriorShare, Shares } from './request.js';
