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
export { adjacencyOf, protects, remaining } from './budget.js';
export { growthUpper, mechanismCost, mechanismHash, rounded, successive, timesRows } from './charge.js';
export { type Connection, connect, inWords, LEDGER_TABLE, shownAddress } from './connect.js';
export {
  type Budget,
  type Charge,
  type Content,
  type Entry,
  hashOf,
  NO_HASH,
  nextRow,
  type Row,
  readChain,
} from './entry.js';
export {
  type Check,
  checkLedger,
  emptyLedger,
  type Ledger,
  openExisting,
  openLedger,
  type Reservation,
} from './ledger.js';
export { datasetName, type Quote, refuseBeyond, type Wish } from './quote.js';
