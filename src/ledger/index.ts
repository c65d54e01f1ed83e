// The durable record of what has been spent: entries, their chain, and where they are kept.

export {
  type Accountant,
  basicComposition,
  type Cost,
  type Dataset,
  datasetsOf,
  type Release,
  type State,
  spent,
} from './account.js';
export { adjacencyOf, declaredAdjacency, noAdjacency, protects, remaining } from './budget.js';
export { growthUpper, mechanismCost, mechanismHash, rounded, successive, timesRows } from './charge.js';
export { type Connection, connect, inWords, shownAddress } from './connect.js';
export {
  type Budget,
  type Charge,
  type Content,
  type Entry,
  hashOf,
  NO_HASH,
  nextRow,
  type Query,
  type Row,
  readChain,
} from './entry.js';
export { type Found, findLedger, LEDGER_FILE } from './find.js';
export {
  type Check,
  checkLedger,
  emptyLedger,
  importLedger,
  type Ledger,
  openExisting,
  openLedger,
  type Reservation,
} from './ledger.js';
export { LEDGER_SCHEMA, OLD_LEDGER_TABLE } from './postgres.js';
export { datasetName, type Quote, refuseBeyond, unitWords, type Wish } from './quote.js';
export { NoLedger, type Opening } from './store.js';
