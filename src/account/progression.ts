// Losses on an arithmetic progression: offset + j·spacing with whole j. Discrete Gaussian and geometric noise have them, and
// noise whose ratios are powers of one number.

import { type Losses, UNIT } from './losses.js';

export interface Progression {
  readonly spacing: number;
  readonly offset: number;
  /** How far any loss may be from its place, its own error included. */
  readonly off: number;
}

/** The smallest distance may be several spacings. */
const DIVISORS = 12;
/** A loss further than this part of the largest one from its place is none of the progression's. */
const CLOSE = 2 ** -40;

/** The progression that all losses lie on, or null. */
export function progressionOf(losses: Losses): Progression | null {
  const { loss } = losses;
  const [first, last] = [loss[0], loss[loss.length - 1]];
  if (first === undefined || last === undefined || first === last) return null;
  let least = Infinity;
  for (let i = 1; i < loss.length; i++) least = Math.min(least, loss[i]! - loss[i - 1]!);
  for (let divisor = 1; divisor <= DIVISORS; divisor++) {
    // The distance of the outermost two tells the spacing best.
    const found = placed(losses, (last - first) / Math.round(((last - first) / least) * divisor));
    if (found) return found;
  }
  return null;
}

/** All losses on a progression of this spacing, or null where one is too far off. */
export function placed({ loss, lossError }: Losses, spacing: number): Progression | null {
  const offset = loss[0]!;
  const reach = Math.max(Math.abs(offset), Math.abs(loss[loss.length - 1]!));
  let off = 0;
  for (const value of loss) {
    const place = (value - offset) / spacing;
    off = Math.max(off, Math.abs(place - Math.round(place)) * spacing);
    if (off > CLOSE * reach) return null;
  }
  const all = off + lossError + 4 * UNIT * reach;
  return all > spacing / 64 ? null : { spacing, offset, off: all };
}

/** A spacing of which all of these are multiples, or nearly; null where there is none. */
export function commonSpacing(spacings: readonly number[]): number | null {
  const least = Math.min(...spacings);
  for (let divisor = 1; divisor <= DIVISORS; divisor++) {
    const spacing = least / divisor;
    const isMultiple = (value: number) =>
      Math.abs(value / spacing - Math.round(value / spacing)) <= CLOSE * (value / spacing);
    if (spacings.every(isMultiple)) return spacing;
  }
  return null;
}
