// Was a prior paid for, as its file says? The ledger knows the entry, and what came of it.

import { createHash } from 'node:crypto';
import { quote } from '../error/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Pmf } from '../pmf/index.js';
import { type Prior, priorRows } from '../prior/index.js';
import { readsLike } from '../spec/index.js';
import type { Effects } from './effects.js';
import type { ReleaseRequest } from './request.js';

/** What the ledger keeps of a distribution, by which its file is known again. */
export function priorDigest(pmf: Pmf): string {
  // Values without a share are not always written.
  const rows = priorRows(pmf)
    .split('\n')
    .filter((row) => row !== '' && !row.endsWith(',0'));
  return `${rows.length} values, SHA-256 ${createHash('sha256').update(rows.join('\n')).digest('hex')}`;
}

/** Says what the ledger does not bear out: then it is the publisher's word. */
export async function checkPaid(
  { noise, columns }: ReleaseRequest,
  effects: Pick<Effects, 'ledger' | 'note'>,
): Promise<void> {
  if (!noise) return;
  const made = columns.filter(({ mechanism }) => mechanism === null).map(({ name }) => name);
  const known = new Map<string, string[]>();
  for (const name of made) {
    const { paid } = noise.prior(name) ?? {};
    if (paid) known.set(paid.hash, [...(known.get(paid.hash) ?? []), name]);
  }
  for (const names of known.values()) await checkOne(noise.prior(names[0]!)!, names, effects);
}

/** One prior, and the columns that noise is designed for it for. */
async function checkOne(
  prior: Prior,
  columns: readonly string[],
  { ledger, note }: Pick<Effects, 'ledger' | 'note'>,
): Promise<void> {
  const paid = prior.paid!;
  const other = columns.find((name) => !readsLike(name, paid.column));
  if (other)
    note(
      `the prior is of the column ${quote(paid.column)}, and noise for ${quote(other)} is designed for it as well`,
    );
  if (!(await isBorneOut(prior, ledger)))
    note(
      `the prior says that entry ${paid.entry} of ${paid.dataset} paid for it, which this ledger does not bear out: it has no such entry, or one of another column, cost or distribution; that it was paid for is your word`,
    );
}

async function isBorneOut({ paid, pmf }: Prior, ledger: Ledger): Promise<boolean> {
  if (!paid || (await ledger.rows())[paid.entry - 1]?.hash !== paid.hash) return false;
  const datasets = [...(await ledger.datasets()).values()];
  const found = datasets
    .flatMap(({ releases }) => releases)
    .find(({ entry }) => entry.sequence === paid.entry);
  if (found?.state !== 'complete' || found.entry.act !== 'prior') return false;
  const { dataset, by, epsilon, delta } = found.entry;
  return (
    dataset === paid.dataset &&
    by.includes(paid.column) &&
    epsilon === paid.epsilon &&
    delta === paid.delta &&
    found.reason === priorDigest(pmf)
  );
}
