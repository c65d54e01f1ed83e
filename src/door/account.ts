// Many releases together, from plain options.

import { type Account, account as accountOf, type PlanRelease, readReleases } from '../account/index.js';
import { invalid } from '../error/index.js';
import { toNumberNear } from '../exact/index.js';
import { type Decimal, readDelta, readEpsilon } from '../spec/index.js';
import { checkOptions, NO_FILES } from './target.js';

/** Either a δ, at which ε is wanted, or an ε, at which δ is. */
export interface AccountOptions {
  readonly delta?: Decimal | undefined;
  readonly epsilon?: Decimal | undefined;
  /** For so many records, or persons, together; 1 by default. */
  readonly group?: number | undefined;
}

/**
 * What any number of releases cost together: `lower` and `upper` enclose the least ε at a δ, or the δ at an ε, of the integers of the
 * noise, for the worst mix of directions (proofs/account.md).
 *
 * @example account([{ noise: 'discrete-gaussian:sigma=10', adjacency: 1, times: 1000 }], { delta: 1e-6 }).upper // 19.4236645…
 */
export function account(releases: readonly PlanRelease[], options: AccountOptions): Account {
  checkOptions(options, '{ delta: 1e-6 }', ['delta', 'epsilon', 'group']);
  const { delta, epsilon, group = 1 } = options;
  const files = {
    mechanism: (path: string): never => {
      throw invalid(
        `mechanism: files are not read here: ${path}; read it and give what readMechanism makes of it`,
      );
    },
    table: NO_FILES.table,
  };
  return accountOf(readReleases(releases, files, group), {
    delta: delta === undefined ? undefined : toNumberNear(readDelta(delta)),
    epsilon: epsilon === undefined ? undefined : toNumberNear(readEpsilon(epsilon)),
    group,
  });
}
