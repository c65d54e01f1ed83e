// What a browser has instead of files and servers: a word on what to do.

import { DiscreetError } from '../../error/index.js';

const unavailable = (): never => {
  throw new DiscreetError(
    'system',
    null,
    'a ledger in a file or in PostgreSQL needs Node, which a browser has not',
    'keep one on a store of your own, by ledgerOn',
  );
};

export {
  unavailable as emptyLedger,
  unavailable as findLedger,
  unavailable as importLedger,
  unavailable as openLedger,
};
