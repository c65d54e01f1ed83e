// The durable record of what has been spent: entries, their chain, and where they are kept.

export {
  adjacencyOf,
  type BudgetTerms,
  budgetOf,
  declaredAdjacency,
} from './budget.js';
export { type Check, checkRows, exportLines, importInto, readLines } from './check.js';
export {
  type Budget,
  type Charge,
  type Content,
  type Entry,
  type Hash,
  type KeyedNoise,
  NO_HASH,
  nextRow,
  type Partition,
  type Query,
  type Row,
  readChain,
  type Settlement,
  type Signed,
  type Spending,
} from './entry.js';
export type { Found, From } from './kept/find.js';
export type { Surroundings } from './kept/open.js';
export { type Keeper, type Ledger, ledgerOn, mechanismText, type Reservation } from './ledger.js';
export { emptyLedger, findLedger, importLedger, openExisting, openLedger } from './open.js';
export { hasProtected, type Protection, protectedBy, protects, protectsAny } from './protection.js';
export {
  type Account,
  type Act,
  datasetName,
  howOften,
  type Meant,
  movedBy,
  type Quote,
  quoteOf,
  refuseBeyond,
  requoted,
  rowsPerPerson,
  unitWords,
} from './quote.js';
export { leftFigures, leftWords } from './rest.js';
export { checkRoles, partColumn, type Roles } from './roles.js';
export { sha256 } from './sha256.js';
export {
  accountantFor,
  countedReleases,
  type Dataset,
  datasetsOf,
  left,
  protectedSoFar,
  type Release,
  type State,
  spent,
} from './spending.js';
export { type Addition, checkOpening, emptyStore, memoryStore, type Opening, type Store } from './store.js';
export { isLedgerTable } from './tables.js';
