// Releases, counts and ledgers on Node, on the ledger that is meant.

import { readCost, written } from '../account/index.js';
import { DiscreetError } from '../error/index.js';
import { findLedger, type Ledger, openLedger } from '../ledger/index.js';
import { entropySource } from '../random/index.js';
import {
  count as countRows,
  type Effects,
  type Job,
  prepareReport,
  type Released,
  release as releaseRows,
  writeReport,
} from '../release/index.js';
import type { CountOptions, Release, ReleaseOptions } from './options.js';
import { countRequest, releaseRequest, reportPaths } from './requests.js';

export { openLedger };

export async function release(options: ReleaseOptions): Promise<Release> {
  const request = releaseRequest(options);
  return act(options, (effects) => releaseRows(request, effects));
}

export async function count(options: CountOptions): Promise<Release> {
  const request = countRequest(options);
  return act(options, (effects) => countRows(request, effects));
}

/** On the ledger that is given, or the one that is found from here; that one is closed again. */
async function act(
  options: ReleaseOptions | CountOptions,
  work: (effects: Effects) => Promise<Released & { readonly job: Job }>,
): Promise<Release> {
  // What nobody listens to goes where a process's warnings go.
  const { note = (text: string) => process.emitWarning(text, 'DiscreetWarning') } = options;
  if (options.report !== undefined) await prepareReport();
  const given = typeof options.ledger === 'object' ? options.ledger : null;
  const ledger = given ?? (await foundLedger(options.ledger as string | undefined, note));
  const effects: Effects = {
    ledger,
    entropy: entropySource(globalThis.crypto),
    input: process.stdin,
    output: process.stdout,
    signal: stopOf(options.signal),
    progress: options.progress ?? (() => undefined),
    note,
    clock: () => new Date(),
  };
  try {
    const done = await work(effects);
    if (options.report !== undefined)
      await writeReport(reportPaths(options.report), done, effects, (field) => field);
    if (!done.settled)
      note('the ledger could not be told that it is complete: the entry stays open, which counts as spent');
    return resultOf(done);
  } finally {
    if (!given) await ledger.close();
  }
}

/** The caller's signal, with a reason of ours. */
function stopOf(signal: AbortSignal | undefined): AbortSignal {
  const own = new AbortController();
  const stop = () => {
    const words = signal?.reason instanceof Error ? signal.reason.message : String(signal?.reason);
    own.abort(new DiscreetError('interrupted', null, `interrupted by its signal: ${words}`));
  };
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return own.signal;
}

async function foundLedger(address: string | undefined, note: (text: string) => void): Promise<Ledger> {
  const found = await findLedger(address, { folder: process.cwd(), environment: process.env });
  if (found.isNew) note(`there is no ledger from here upward; a new one is begun: ${found.address}`);
  return openLedger(found.address, found.namedBy === null ? 'existing or new' : 'existing');
}

function resultOf({ job, outcome, reservation, head }: Released & { readonly job: Job }): Release {
  const { spending, left, sequence } = reservation;
  return {
    rows: outcome.rows,
    columns: job.columns.map(({ name, mechanism }, i) => ({ name, values: outcome.values[i]!, mechanism })),
    unchanged: outcome.unchanged,
    cost: written(readCost(spending)),
    left: left && written(left),
    entry: sequence,
    head,
    mechanismFiles: job.mechanismFiles.map(({ path }) => path),
  };
}
