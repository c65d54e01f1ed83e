// Fresh noise for one value after the other, drawn many at a time.

import { remembered } from '../mechanism/index.js';
import type { Pmf } from '../pmf/index.js';
import { type EntropySource, sampler } from '../random/index.js';
import type { Draw, RowsJob } from './rows.js';

const AHEAD = 4096;

/** A draw of its own for every value, of each column's law; columns with the same noise share a sampler, and no draw. */
export function freshDraws(columns: RowsJob['columns'], entropy: EntropySource): Draw {
  const nextOf = remembered((pmf: Pmf) => {
    const noise = sampler(pmf, entropy);
    const ahead = new BigInt64Array(AHEAD);
    let at = AHEAD;
    return (): bigint => {
      if (at === AHEAD) {
        noise.fill(ahead, 'saturate');
        at = 0;
      }
      const own = ahead[at]!;
      // What was used is not kept.
      ahead[at++] = 0n;
      return own;
    };
  });
  const draws = columns.map(({ mechanism }) => nextOf(mechanism.pmf));
  return (column) => draws[column]!();
}
