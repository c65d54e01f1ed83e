// Counts that are published and lie near 0: whoever sees nothing else can tell that a domain hardly meets the data.

import type { Outcome } from '../terms/index.js';

/** Said where at least half of the counts are no further from 0 than noise alone leaves nine of ten of them. */
export function nearZeroWords({ rows, nearZero }: Pick<Outcome, 'rows' | 'nearZero'>): string[] {
  if (!nearZero || nearZero.cells === 0 || 2 * nearZero.cells < rows) return [];
  const { cells, within } = nearZero;
  return [
    `${cells.toLocaleString('en')} of the ${rows.toLocaleString('en')} published counts are at most ${within} from 0, where noise alone leaves 9 of 10 of them, so many cells may hold next to nobody: does the domain spell its values as the data do? This is said of what was published, where it is so for at least half of it`,
  ];
}
