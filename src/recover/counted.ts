// The distribution behind noisy counts of a column's values, by the same fit: values bear no noise here, the counts do.

import type { Cell } from './cells.js';
import { fit } from './fit.js';
import { groups, kernelOf, type Support, type Within } from './kernel.js';
import { countsSeen, type Problem } from './problem.js';
import { chooseSmoothing, type Smoothed } from './smoothing.js';

export interface Counted {
  /** Groups of values, in steps. */
  readonly support: Support;
  readonly masses: Float64Array;
  /** The fit is at most this below the best one, for each row. */
  readonly gap: number;
  readonly smoothing: Smoothed;
}

/** Groups up to which the smoothing is chosen, and up to which there is a fit. */
const FEW_GROUPS = 128;
export const MOST_GROUPS = 512;
const ROW_GAP = 1e-7;

const noNoise: Within = (low, high) => (low <= 0 && high >= 0 ? 1 : 0);

/** From `low` to `high`, in groups that are as narrow as so many of them allow. */
export function groupsOf(low: number, high: number, most = MOST_GROUPS): Support {
  const apart = Math.ceil((high - low + 1) / most);
  return groups(low, high, apart);
}

/**
 * The most likely distribution on `low` … `high`, smoothed as the counts ask for; each cell's count has noise of this standard
 * deviation, and there are so many rows. Cells at the ends of the range have no end.
 */
export function recoverCounted(
  cells: readonly Cell[],
  std: number,
  rows: number,
  [low, high]: readonly [number, number],
): Counted {
  const evidence = countsSeen(
    Float64Array.from(cells, ({ count }) => count / rows),
    rows / std ** 2,
  );
  const problemOn = (support: Support): Omit<Problem, 'smoothing'> => ({
    kernel: kernelOf(noNoise, cells, support),
    evidence,
  });
  const [few, support] = [groupsOf(low, high, FEW_GROUPS), groupsOf(low, high)];
  const chosen = chooseSmoothing(problemOn(few), rows);
  // Roughness grows with the fourth power of a group's width.
  const smoothing = chosen.smoothing * (few.apart / support.apart) ** 4;
  const { masses, gap } = fit({ ...problemOn(support), smoothing }, ROW_GAP);
  return { support, masses, gap, smoothing: { ...chosen, smoothing } };
}
