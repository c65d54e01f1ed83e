// The profile δ(ε) of one noise, and the trade-off of the two errors that follows from it.

import { tradeOff } from 'discreet-dp/account';
import { parseDecimal, type Rational, toNumberDown, toNumberNear, toNumberUp } from 'discreet-dp/exact';
import { type Guarantee, guaranteeOf } from 'discreet-dp/mechanism';
import { lines } from '../engine/chart.js';
import type { Progress } from '../engine/serve.js';
import { aboutNoise, type NoiseWanted, readWanted } from './read.js';

export type Curves = ReturnType<typeof curves>;

/** So many parts of the profile, and of the trade-off. */
const PARTS = 64;
/** Smaller δ are not drawn. */
const LEAST = 1e-12;
const SMALL = parseDecimal('1e-10');

export function curves(wanted: NoiseWanted, progress: Progress) {
  const { adjacency, noise, epsilon } = readWanted(wanted);
  return aboutNoise(() => {
    const guarantee = guaranteeOf(noise, adjacency);
    const chosen = toNumberNear(epsilon);
    const places = placesOf(guarantee, chosen);
    const profile = places.map((place, i) => {
      if (i % 8 === 0) progress(i / places.length, `the profile, ${i} of ${places.length} points`);
      // Upward, both: the lines that the trade-off is made of are then too low rather than too high.
      return { epsilon: toNumberUp(place), lower: 0, upper: toNumberUp(guarantee.deltaAt(place)) };
    });
    const delta = toNumberUp(guarantee.deltaAt(epsilon));
    // Where both errors are the same, whoever guesses is right most often.
    const equal = (1 - profile[0]!.upper) / 2;
    const errors = tradeOff(profile, PARTS + 1);
    return [
      lines([{ name: 'exact', points: profile.map(({ epsilon: x, upper }) => ({ x, y: shown(upper) })) }], {
        title: 'The profile: δ at each ε',
        x: 'ε, the privacy loss',
        y: 'δ, the chance of more',
        logY: true,
        smooth: true,
        ...(delta >= LEAST
          ? { mark: { x: chosen, y: delta, text: `δ(${short(chosen)}) = ${short(delta)}` } }
          : {}),
      }),
      lines(
        [
          { name: 'at least', points: errors.map(({ first, second }) => ({ x: first, y: second })) },
          { name: 'coin toss', points: errors.map(({ first }) => ({ x: first, y: 1 - first })) },
        ],
        {
          title: 'The trade-off of whoever tells two neighbours apart',
          x: 'type I error: says “changed” though it is not',
          y: 'type II error: misses a change',
          smooth: true,
          mark: { x: equal, y: equal, text: `both ${short(100 * equal)} %` },
        },
      ),
    ];
  });
}

/** From 0 to where next to nothing is left, and a little beyond what is looked at. */
function placesOf({ pure, epsilonAt }: Guarantee, chosen: number): Rational[] {
  const last = pure ? pure.epsilonUpper : epsilonAt(SMALL);
  const far = last ? toNumberDown(last) : Math.max(4, Math.min(1.2 * chosen, 40));
  const most = pure ? far : Math.max(far, Math.min(1.1 * chosen, 3 * far));
  const inner = Array.from({ length: PARTS }, (_, i) => parseDecimal(((most * i) / PARTS).toPrecision(6)));
  return [...inner, pure ? pure.epsilonUpper : parseDecimal(most.toPrecision(6))];
}

/** What is too small is no point of the picture. */
function shown(delta: number): number {
  return delta >= LEAST ? delta : Number.NaN;
}

function short(x: number): string {
  return String(Number(x.toPrecision(4)));
}
