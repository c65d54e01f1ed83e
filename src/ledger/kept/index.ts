// The ledgers of this machine, and which one is meant.

export { findLedger } from './find.js';
export { emptyLedger, importLedger, openLedger } from './open.js';
