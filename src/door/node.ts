// Releases, counts and ledgers on Node, on the ledger that is meant.

import { readCost, written } from '../account/index.js';
import { DiscreetError } from '../error/index.js';
import { findLedger, type Ledger, openLedger } from '../ledger/index.js';
import { entropySource } from '../random/index.js';
import {
  count as countRows,
  type Effects,
  type Job,
  prior as priorOf,
  release as releaseRows,
  writeReport,
} from '../release/index.js';
import { totalCost } from '../report/index.js';
import type { Released } from '../terms/index.js';
import type { Common, CountOptions, PaidPrior, PriorOptions, Release, ReleaseOptions } from './options.js';
import { countRequest, priorRequest, releaseRequest, reportPaths } from './requests.js';

export { openLedger };

export async function release(options: ReleaseOptions): Promise<Release> {
  const request = releaseRequest(options);
  return act(options, async (effects) =>
    resultOf(await reported(options, releaseRows(request, effects), effects)),
  );
}

export async function count(options: CountOptions): Promise<Release> {
  const request = countRequest(options);
  return act(options, async (effects) =>
    resultOf(await reported(options, countRows(request, effects), effects)),
  );
}

export async function estimatePrior(options: PriorOptions): Promise<PaidPrior> {
  const request = priorRequest(options);
  return act(options, async (effects) => {
    const done = await priorOf(request, effects);
    warnOpen(done, effects);
    const { cost, left, entry, head } = costOf(done);
    return { prior: done.prior, cost, left, entry, head };
  });
}

/** On the ledger that is given, or the one that is found from here; that one is closed again. */
async function act<T>(options: Common, work: (effects: Effects) => Promise<T>): Promise<T> {
  // What nobody listens to goes where a process's warnings go.
  const { note = (text: string) => process.emitWarning(text, 'DiscreetWarning') } = options;
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
    return await work(effects);
  } finally {
    if (!given) await ledger.close();
  }
}

async function reported<D extends Released & { readonly job: Job }>(
  { report }: Common,
  work: Promise<D>,
  effects: Effects,
): Promise<D> {
  const done = await work;
  if (report !== undefined) await writeReport(reportPaths(report), done, effects, (field) => field);
  warnOpen(done, effects);
  return done;
}

function warnOpen({ settled }: Released, { note }: Effects): void {
  if (!settled)
    note('the ledger could not be told that it is complete: the entry stays open, which counts as spent');
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

function resultOf(done: Released & { readonly job: Job }): Release {
  const { job, outcome } = done;
  return {
    rows: outcome.rows,
    columns: job.columns.map(({ name, mechanism }, i) => ({ name, values: outcome.values[i]!, mechanism })),
    unchanged: outcome.unchanged,
    ...costOf(done),
    cost: totalCost(done.reservation.spending, job.columns),
    mechanismFiles: job.mechanismFiles.map(({ path }) => path),
    priors: job.columns.flatMap(({ name, gain }) => (gain ? [{ column: name, ...gain }] : [])),
  };
}

function costOf({ reservation, head }: Released) {
  const { spending, left, sequence } = reservation;
  return { cost: written(readCost(spending)), left: left && written(left), entry: sequence, head };
}
