// A release, a count or a prior, tried or done, on the ledger that is meant.

import { checkRequest, type Effects, type Request, type Trial } from '../release/index.js';
import type { Released } from '../terms/index.js';
import type { InputOptions } from './common-options.js';
import { ledgerFrom, openLedgerFor } from './ledger-opening.js';
import type { Maybe } from './options.js';
import { progressLine } from './progress.js';
import { showTrial } from './released.js';
import { effectsOf, interruptible, rowProgress, trialEffects } from './surroundings.js';

export async function onLedger<Done extends Released>(
  options: InputOptions & Maybe<'report'>,
  request: Request,
  attempt: (effects: Effects) => Promise<Trial>,
  act: (effects: Effects) => Promise<Done>,
  show: (done: Done, effects: Effects) => Promise<void>,
  /** Is a ledger begun where there is none? */
  begins = true,
): Promise<void> {
  const found = await ledgerFrom(options.ledger);
  // Before a ledger is opened, or begun, that is another of the files.
  checkRequest(request, found.address);
  const ledger = await openLedgerFor(found, options.dryRun === true, begins);
  try {
    if (options.dryRun) {
      showTrial(await attempt(trialEffects(ledger)), ledger, options.json === true);
      return;
    }
    await interruptible(async (signal) => {
      const line = progressLine();
      const effects = effectsOf(ledger, signal, rowProgress(line));
      const done = await act(effects).finally(() => line.end());
      await show(done, effects);
    });
  } finally {
    await ledger.close();
  }
}
