// A column of two neighbouring values: its mean says all there is to say, so that every figure is told by the mean's intervals.

import type { Possible } from './guaranteed.js';
import type { Figure, Interval, Usual } from './usual.js';

/** What is usual where the share of the upper value is in this interval. */
export function usualOfTwo(low: number, share: Interval): Usual {
  const others: Interval = [1 - share[1], 1 - share[0]];
  const of = (from: number, to: number): Interval => {
    const [lower, upper] = [from <= low && low < to, from <= low + 1 && low + 1 < to];
    return lower && upper ? [1, 1] : upper ? share : lower ? others : [0, 0];
  };
  const spread = (s: number) => s * (1 - s);
  const ends = share.map(spread);
  return {
    share: of,
    greatest: (from, to) => of(from, to)[1],
    mean: () => [low + share[0], low + share[1]],
    variance: () => [Math.min(...ends), share[0] <= 0.5 && share[1] >= 0.5 ? 0.25 : Math.max(...ends)],
    quantile: (p) => [others[1] >= p ? low : low + 1, others[0] >= p ? low : low + 1],
  };
}

/** The mean of f lies between what it is at both ends of the share. */
export function possibleOfTwo(low: number, [least, most]: Interval): Possible {
  return {
    least(f) {
      const at = (share: number) => (1 - share) * f(low) + share * f(low + 1);
      return Math.min(at(least), at(most));
    },
  };
}

/** The share of the upper value, by the mean. */
export function shareOfTwo(low: number, { estimate, usual, guaranteed }: Figure): Figure {
  const of = (mean: number) => Math.max(0, Math.min(1, mean - low));
  const both = ([a, b]: Interval): Interval => [of(a), of(b)];
  return { estimate: of(estimate), usual: both(usual), guaranteed: guaranteed && both(guaranteed) };
}
