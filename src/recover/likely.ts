// The usual interval of a figure: the least and the greatest that it is over all distributions that are likely enough (proofs/recover.md).
// Nothing is smoothed: what cannot be told is in it.
//
// How much less likely than the most likely one a distribution may be follows from χ², with as many degrees of freedom as spikes lose
// where the figure is held there [Sus13]: one, where all masses can give way, and more, where none can be less than 0.

import { normalQuantileUp } from '../account/index.js';
import { fromNumber, toNumberNear } from '../exact/index.js';
import { type Farthest, farthestOf } from './farthest.js';
import { mostLikely, type Seen, type Spikes } from './spikes.js';

export interface Likely {
  /** The most likely distribution of all, a handful of spikes. */
  readonly best: Spikes;
  /** How much less likely than that, a row, a whole distribution may be: with all of its freedom. */
  readonly room: number;
  /** The most that the mean of f can be. */
  most(f: Float64Array): number;
  /** Can the mean of f be this? */
  reaches(f: Float64Array, level: number): boolean;
  /** Searches that ended before bounds were near what is reached: bounds they are still. */
  missed(): number;
}

/** Of the room, how exact solutions are. */
const EXACT = 0.01;
/** Of its spread, how much f may bend without a jump. */
const JUMP = 0.25;

export function likelyOnes(seen: Seen, rows: number, confidence: number): Likely {
  const chiSquare = chiSquares(confidence);
  const roomOf = (degrees: number) => chiSquare(Math.max(1, degrees)) / 2 / rows;
  const tolerance = EXACT * roomOf(1);
  const best = mostLikely(seen, null, tolerance / 4, null);
  const { points } = seen.kernel;
  const freedom = freedomOf(best, points, () => true);
  /** With as many degrees of freedom as are gone at the end, of a search that went as far as all of them allow. */
  const roomAt = (f: Float64Array, { at, isTop }: Farthest) => {
    const spread = f.reduce((a, b) => Math.max(a, b)) - f.reduce((a, b) => Math.min(a, b));
    // Held at the top, f takes no further freedom from spikes that stay where it is the same.
    const moves = (k: number) =>
      isTop
        ? f[k - 1] === f[k] || f[k + 1] === f[k]
        : Math.abs(f[k - 1]! - 2 * f[k]! + f[k + 1]!) <= JUMP * spread;
    const degrees = freedom - freedomOf(at, points, moves) + (isTop ? 0 : 1);
    return roomOf(Math.min(freedom, degrees));
  };
  let missed = 0;
  const counted =
    (search: ReturnType<typeof farthestOf>): typeof search =>
    (...asked) => {
      const found = search(...asked);
      if (found.isLoose) missed++;
      return found;
    };
  return {
    best,
    room: roomOf(freedom),
    missed: () => missed,
    most(f) {
      const farthest = counted(farthestOf(seen, best, f, tolerance));
      return farthest(roomAt(f, farthest(roomOf(freedom)))).bound;
    },
    reaches(f, level) {
      const farthest = counted(farthestOf(seen, best, f, tolerance));
      // Whatever the freedom, what is that likely is likely.
      if (farthest(roomOf(1), ({ bound, held }) => held >= level || bound < level).held >= level) return true;
      const wide = farthest(roomOf(freedom), ({ bound }) => bound < level);
      if (wide.bound < level) return false;
      const isClear = ({ bound, held }: Pick<Farthest, 'bound' | 'held'>) => held >= level || bound < level;
      return farthest(roomAt(f, wide), isClear).bound >= level;
    },
  };
}

/** Masses of spikes, whose sum is fixed, and places: of neighbours their masses say it, and one at an end, or where f jumps, has none. */
function freedomOf({ at }: Spikes, points: number, moves: (k: number) => boolean): number {
  let freedom = -1;
  for (let i = 0; i < at.length; i++) {
    const k = at[i]!;
    const isAlone = at[i - 1] !== k - 1 && at[i + 1] !== k + 1;
    freedom += isAlone && k > 0 && k < points - 1 && moves(k) ? 2 : 1;
  }
  return freedom;
}

/** Of χ² with so many degrees of freedom; of more than one by a normal law's cube [WH31], no less than it is. */
function chiSquares(confidence: number): (degrees: number) => number {
  const normal = (p: number) => toNumberNear(normalQuantileUp(fromNumber(p)));
  const [one, root] = [normal((1 + confidence) / 2) ** 2, normal(confidence)];
  return (degrees) => {
    if (degrees === 1) return one;
    const spread = 2 / (9 * degrees);
    return 1.01 * degrees * (1 - spread + Math.sqrt(spread) * root) ** 3;
  };
}
