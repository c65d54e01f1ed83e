// What a browser has instead of files, processes and sockets: a word on what to do.

import { DiscreetError } from '../error/index.js';

function unavailable(name: string) {
  return (): never => {
    throw new DiscreetError(
      'system',
      name,
      'needs the file system of Node, which a browser has not',
      'use protect, or a ledger of your own on ledgerOn of discreet-dp/ledger',
    );
  };
}

export const release = unavailable('release');
export const count = unavailable('count');
export const estimatePrior = unavailable('estimatePrior');
export const openLedger = unavailable('openLedger');
