// Which frequencies matter: a few runs of them; the others are bounded.

import type { Choice } from './choices.js';
import { UNIT } from './losses.js';
import { BLOCK, type Decay, decayOf, type Part, spectrumOf } from './spectrum.js';

/** Blocks beyond which there are too many to look at. */
export const MOST_BLOCKS = 1_000_000;
/** Blocks that are looked at together at first, and where closer bounds are worked out. */
const STRETCH = 64;
const SPANS = [32, 4, 1];
/** Closer bounds that are worked out at a time. */
const AHEAD = 16;

/** What the transform of the losses is multiplied with, from above, and how much of all may be left out. */
export interface Weight {
  /** Blocks that there are. */
  readonly blocks: number;
  /** An upper bound for every frequency from here on, up to the last. */
  readonly sizeFrom: (t: number) => number;
  readonly small: number;
  /** Is told what is left out: a bound on the sum of its sizes, and its highest frequency. */
  readonly leave: (t: number, size: number) => void;
}

/** The frequencies that matter, in runs of blocks. */
export function runsOf(
  choices: readonly Choice[],
  parts: readonly Part[],
  turn: number,
  { blocks, sizeFrom, small, leave }: Weight,
) {
  const decays = parts.map(decayOf);
  const along = new Map(
    SPANS.map((span) => [span, parts.map((part, law) => alongOf(part, decays[law]!, span * BLOCK * turn))]),
  );
  const runs: { first: number; count: number }[] = [];
  let frequencies = 0;
  const take = (first: number) => {
    const before = runs.at(-1);
    if (before && before.first + before.count === first) before.count += BLOCK;
    else runs.push({ first, count: BLOCK });
    frequencies += BLOCK;
  };
  // A stretch of blocks is left out as a whole where a bound says so, else halved.
  const look = (from: number, to: number): void => {
    const [low, high] = [from * BLOCK * turn, (to * BLOCK - 1) * turn];
    const most = Math.log(2 * BLOCK * (to - from) * sizeFrom(low));
    const enough = Math.log((small * (to - from)) / (8 * (from + 1) ** 1.1));
    let log = boundOf(choices, (law) => decays[law]!.over(low, high), most, enough);
    // The first ones matter in any case. Else a closer bound.
    const closer = from > 1 && log > enough ? along.get(to - from) : undefined;
    if (closer) {
      const nearer = (law: number) =>
        Math.min(decays[law]!.over(low, high), closer[law]!(from / (to - from)));
      log = boundOf(choices, nearer, most, enough);
    }
    if (log <= enough) leave(high, Math.exp(log));
    else if (to - from === 1) take(from * BLOCK);
    else {
      const middle = (from + to) >> 1;
      look(from, middle);
      if (middle < blocks) look(middle, to);
    }
  };
  for (let from = 0; from < blocks; from += STRETCH) look(from, from + STRETCH);
  return { runs, frequencies };
}

/** `start` and what every mix adds to it at most, none of it above 0: until it is enough, or all laws have been looked at. */
function boundOf(
  choices: readonly Choice[],
  of: (law: number) => number,
  start: number,
  enough: number,
): number {
  let [log, law] = [start, 0];
  for (const { laws, times } of choices) {
    if (log <= enough) break;
    let most = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < laws.length; j++) most = Math.max(most, of(law++));
    log += times * most;
  }
  return log;
}

/** Upper bounds on log |φ| from k·step to (k + 1)·step, from the value half-way; several are worked out at a time. */
function alongOf(part: Part, { slope }: Decay, step: number): (k: number) => number {
  const known = new Map<number, Float64Array>();
  return (k) => {
    const first = k - (k % AHEAD);
    let most = known.get(first);
    if (!most) {
      most = spectrumOf([{ ...part, times: 1 }], step, first + 0.5, AHEAD).most;
      known.set(first, most);
    }
    return Math.min(0, Math.log(Math.exp(most[k - first]!) + (step / 2) * slope) + 4 * UNIT);
  };
}
