// δ(ε) of a sum of losses by Fourier inversion along a tilted line. With z = c + it,
//
//     δ(ε) = (1/2π) ∫ e^(K(z) − zε) / (z(z + 1)) dt,
//
// and the trapezoidal rule with spacing 2π/Λ gives exactly Σ_r e^(−crΛ)·δ(ε − rΛ), r over all whole numbers: δ(ε), and terms that are
// positive and bounded (proofs/account.md). Losses on a progression need its circle of frequencies only. Others are blurred by a
// further, tiny release, which adds little to δ, and that is bounded; then high frequencies vanish.

import { type Around, type Bracket, grownOf, tailsOf } from './aliases.js';
import { type Blur, blurOf, blurredKernel, blurredReach, blurredSize, windowKernel } from './kernel.js';
import { UNIT } from './losses.js';
import type { Progression } from './progression.js';
import { BLOCK, type Decay, decayOf, type Part, partsOf, spectrumOf } from './spectrum.js';
import { summed, weighted } from './terms.js';
import type { Component } from './tilt.js';
import { checkWork, tooLarge } from './work.js';

export interface Inversion {
  /** Of the finite losses alone. */
  readonly deltaAt: (epsilon: number) => Bracket;
  /** Frequencies that were worked out. */
  readonly frequencies: number;
}

/** What is left to truncation and aliasing, relative to δ: beside a blur less need be. */
const LESS_CLOSE = 2 ** -26;
/** Multiplications above which a wider blur is taken. */
const MUCH_WORK = 6e8;
/** The width of an interval for ε that is aimed at with blurred losses, relative to ε. */
const FINE = 1e-5;

/** Any losses, blurred: those on a progression of their own only help to tell which frequencies matter. */
export function invertBlurred(
  components: readonly Component[],
  progressions: readonly (Progression | null)[],
  c: number,
  around: Around,
): Inversion {
  const parts = partsOf(components, c, progressions, LESS_CLOSE / 16);
  const decays = parts.map(decayOf);
  const centre = parts.reduce(
    (sum, { times, mean, offset, unit }) => sum + times * (offset + unit * mean),
    0,
  );
  const size = parts.reduce(
    (sum, { times, offset, unit, mean }) => sum + times * (Math.abs(offset) + Math.abs(unit * mean)),
    0,
  );
  const off = components.reduce(
    (sum, { times, losses }, i) => sum + times * (progressions[i]?.off ?? losses.lossError),
    0,
  );
  const growth = grownOf(components, c);
  let width = Math.sqrt((FINE * Math.max(around.epsilon, 1 / c)) / (0.23 * (c + 1)));
  for (;;) {
    const blur = blurOf(width);
    const tail = tailsOf(growth, c, blur.width + blur.lift);
    const period = tail.periodFor(around);
    const turn = (2 * Math.PI) / period;
    const small = LESS_CLOSE * Math.exp(around.logDelta - tail.value + c * around.epsilon);
    const plan = blocksOf(parts, decays, c, blur, turn, small * period);
    const wide = width >= 0.05 * Math.max(around.epsilon, 1 / c);
    if (plan === null) {
      if (wide) throw tooLarge(MOST_BLOCKS * BLOCK, parts);
      width *= 2;
      continue;
    }
    const work = plan.blocks.length * BLOCK * parts.reduce((sum, { x }) => sum + x.length, 0);
    if (work > MUCH_WORK && !wide) {
      width *= 1.5;
      continue;
    }
    checkWork(parts, plan.blocks.length * BLOCK);
    const spectra = plan.blocks.map((first) => spectrumOf(parts, turn, first, BLOCK));
    const deltas = weighted(spectra, turn, blurredKernel(c, blur));
    const windows = weighted(spectra, turn, windowKernel(c, blur, 2 * blur.width + blur.lift));
    const at = (epsilon: number) => {
      const delta = summed(deltas, turn, centre - epsilon, period);
      const near = summed(windows, turn, centre - epsilon, period);
      const bracket = tail.bracket(epsilon, delta.sum, delta.error + plan.rest.delta / period, period);
      // The blur adds at most its gain, and only where the loss is within its reach of ε.
      const added =
        blur.gain * tail.bracket(epsilon, near.sum, near.error + plan.rest.window / period, period).upper;
      return { lower: Math.max(0, bracket.lower - added), upper: bracket.upper };
    };
    return {
      frequencies: plan.blocks.length * BLOCK,
      deltaAt: (epsilon) => {
        const slack = off + 8 * UNIT * (size + Math.abs(epsilon));
        return { lower: at(epsilon + slack).lower, upper: at(epsilon - slack).upper };
      },
    };
  }
}

/** Blocks beyond which a wider blur is taken. */
const MOST_BLOCKS = 1_000_000;
/** Blocks that are looked at together at first. */
const STRETCH = 64;

/** The blocks of frequencies that matter, and bounds on what all the others add up to; null where there are too many. */
function blocksOf(
  parts: readonly Part[],
  decays: readonly Decay[],
  c: number,
  blur: Blur,
  turn: number,
  small: number,
) {
  const reach = blurredReach(c, blur, (small * turn) / 8);
  const last = Math.ceil(reach / turn / BLOCK);
  if (last > MOST_BLOCKS) return null;
  const blocks: number[] = [];
  const rest = { delta: 0, window: 0 };
  const leave = (t: number, size: number) => {
    rest.delta += size;
    rest.window += size * 2 * Math.cosh(2 * c * (blur.width + blur.lift)) * Math.hypot(c + 1, t);
  };
  // A stretch of blocks is left out as a whole where a bound says so, else halved.
  const look = (from: number, to: number): void => {
    const [low, high] = [from * BLOCK * turn, (to * BLOCK - 1) * turn];
    const most = Math.log(2 * BLOCK * (to - from) * blurredSize(c, low, blur));
    const enough = Math.log((small * (to - from)) / (8 * (from + 1) ** 1.1));
    let log = most;
    for (let i = 0; i < parts.length && log > enough; i++)
      log += parts[i]!.times * decays[i]!.over(low, high);
    // The first ones matter in any case.
    if (log > enough && from > 1) log = aboutOf(parts, decays, low, high, most, enough);
    if (log <= enough) leave(high, Math.exp(log));
    else if (to - from === 1) blocks.push(from * BLOCK);
    else {
      const middle = (from + to) >> 1;
      look(from, middle);
      look(middle, to);
    }
  };
  for (let from = 0, size = 1; from < last; from += size, size = Math.min(STRETCH, 2 * size))
    look(from, Math.min(last, from + size));
  // Beyond, sizes fall by t^−17 at least.
  const beyond = last * BLOCK * turn;
  leave(beyond, 2 * blurredSize(c, beyond, blur) * (1 + beyond / turn / 14));
  return { blocks, rest };
}

/** The same bound, closer: until it is enough, or all parts have been looked at. */
function aboutOf(
  parts: readonly Part[],
  decays: readonly Decay[],
  low: number,
  high: number,
  most: number,
  enough: number,
): number {
  let log = most;
  for (let i = 0; i < parts.length && log > enough; i++)
    log += parts[i]!.times * Math.min(decays[i]!.over(low, high), decays[i]!.about(low, high));
  return log;
}
