// What needs a file system: loaded when it is called, so that the front door itself runs anywhere.

import type { Ledger, Opening } from '../ledger/index.js';
import type { CountOptions, PaidPrior, PriorOptions, Release, ReleaseOptions } from './options.js';

// biome-ignore lint/suspicious/noTsIgnore: resolved by the package's own "imports", which differ in a browser
// @ts-ignore
const system = (): Promise<typeof import('./node.js')> => import('#system');

/**
 * A copy of a file or table in which every value of the protected columns has noise of its own; what it costs one person, an upper
 * bound, is on the ledger's disk before the first noisy byte exists (proofs/release.md).
 *
 * @example
 * await release({ input: 'visits.csv', output: 'released.csv', columns: ['visits'], epsilon: 1, adjacency: 5, dataset: 'visits' });
 */
export async function release(options: ReleaseOptions): Promise<Release> {
  return (await system()).release(options);
}

/**
 * A noisy count for every cell of a domain that is stated, not read from the data; what it costs one person with all their rows, an
 * upper bound, is on the ledger's disk before the first noisy byte exists (proofs/release.md).
 *
 * @example
 * await count({ input: 'visits.csv', output: 'counts.csv', by: { region: ['N', 'S'] }, epsilon: 1, dataset: 'visits' });
 */
export async function count(options: CountOptions): Promise<Release> {
  return (await system()).count(options);
}

/**
 * The distribution of a column from the data themselves, for what it costs: a private histogram, and what most likely lies behind it.
 * The cost is on the ledger's disk before a row is read (proofs/recover.md).
 *
 * @example
 * const { prior } = await estimatePrior({ input: 'visits.csv', output: 'prior.csv', column: 'visits', range: [0, 77], epsilon: 0.1 });
 */
export async function estimatePrior(options: PriorOptions): Promise<PaidPrior> {
  return (await system()).estimatePrior(options);
}

/**
 * The ledger at an address, a file or postgres://…: what it writes is on the disk on return, and none of its entries can be edited,
 * removed or moved without a trace (docs/ledger.md). None is begun unless `opening` says so.
 *
 * @example const ledger = await openLedger('ledger.db', 'existing or new');
 */
export async function openLedger(address: string, opening: Opening = 'existing'): Promise<Ledger> {
  return (await system()).openLedger(address, opening);
}
