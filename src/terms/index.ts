// What a release follows from, wherever it is made: columns with their noise, what may leave, what is charged, and the order of it all.

export { type Agreed, agreedOn, guardOf, type Wanted } from './agreed.js';
export {
  type Asked,
  chargeOf,
  checkColumns,
  checkDropped,
  type ProtectedColumn,
  protectedColumns,
} from './columns.js';
export {
  checkOwnColumn,
  checkPassed,
  type Gate,
  type Guard,
  gateOf,
  guardedBy,
  type InputColumn,
  plainColumn,
  type Rules,
} from './guard.js';
export { checkLeaving } from './leaving.js';
export { type MechanismFile, mechanismFiles, pathsBeside } from './mechanism-files.js';
export { adjacencyFor, makeMechanisms, rowShare, shareOut } from './noise.js';
export { checkClaim, checkEntropy, InDoubt, Interrupted, type Outcome, paid, type Released } from './paid.js';
export { ODDITIES, type Oddity, oddityOf, type Reading, readCell, readingOf } from './reading.js';
export type {
  Afterwards,
  ColumnRequest,
  NoiseRequest,
  PriorShare,
  Shares,
  Step,
} from './request.js';
export { checkStep } from './step.js';
