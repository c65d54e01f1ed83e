// A distribution as it may be drawn: neighbours together until each bar's share can be told.

import { groupAt, type Support } from './kernel.js';
import type { Interval, Usual } from './usual.js';

export interface Bar {
  /** In steps. */
  readonly first: number;
  readonly last: number;
  readonly mass: number;
  readonly usual: Interval;
}

/** Bars at most, of what is between the tails. */
const BARS = 24;
/** Groups with less than this at both ends are tails. */
const LEAST_SEEN = 5e-4;

/**
 * Bars are joined from the left until the usual interval of each is no wider than its share, or than an average bar of so many: what
 * is drawn as a hill is one.
 */
export function shapeOf(support: Support, masses: Float64Array, usual: Usual): Bar[] {
  const isSeen = (mass: number) => mass >= LEAST_SEEN;
  const [low, high] = [Math.max(0, masses.findIndex(isSeen)), masses.findLastIndex(isSeen)];
  const together = Math.max(1, Math.ceil((high + 1 - low) / BARS));
  const barOf = (from: number, to: number): Bar => {
    const [first, last] = [groupAt(support, from)[0], groupAt(support, to)[1]];
    if (from === 0 && to === masses.length - 1) return { first, last, mass: 1, usual: [1, 1] };
    const mass = masses.subarray(from, to + 1).reduce((a, b) => a + b, 0);
    const [least, most] = usual.share(first, last + 1);
    return { first, last, mass, usual: [Math.min(least, mass), Math.max(most, mass)] };
  };
  const isTold = ({ mass, usual: [least, most] }: Bar) => most - least <= Math.max(mass, 1 / BARS);
  /** Where bars start; the last one always ends with the support. */
  const starts = [0];
  const bars: Bar[] = [];
  for (let to = low + together - 1; ; to += together) {
    const end = to >= high ? masses.length - 1 : to;
    let bar = barOf(starts.at(-1)!, end);
    // What is left at the right is joined to the left.
    while (end === masses.length - 1 && !isTold(bar) && starts.length > 1) {
      starts.pop();
      bars.pop();
      bar = barOf(starts.at(-1)!, end);
    }
    if (end === masses.length - 1) return [...bars, bar];
    if (!isTold(bar)) continue;
    bars.push(bar);
    starts.push(end + 1);
  }
}
