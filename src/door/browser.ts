// What a browser has instead of files, processes and sockets: a ledger in its own database, and else a word on what to do.

import { DiscreetError } from '../error/index.js';

export { openLedger } from '../ledger/index.js';

function unavailable(name: string) {
  return (): never => {
    throw new DiscreetError(
      'system',
      name,
      'needs the file system of Node, which a browser has not',
      'use protect, or rewrite text with discreet-dp/rows and charge it to a ledger',
    );
  };
}

export const release = unavailable('release');
export const count = unavailable('count');
export const estimatePrior = unavailable('estimatePrior');
