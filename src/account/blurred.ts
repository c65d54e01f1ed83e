// δ(ε) of a sum of losses by Fourier inversion along a tilted line. With z = c + it,
//
//     δ(ε) = (1/2π) ∫ e^(K(z) − zε) / (z(z + 1)) dt,
//
// and the trapezoidal rule with spacing 2π/Λ gives exactly Σ_r e^(−crΛ)·δ(ε − rΛ), r over all whole numbers: δ(ε), and terms that are
// positive and bounded (proofs/account.md). Losses on a progression need its circle of frequencies only. Others are blurred by a
// further, tiny release, which adds little to δ, and that is bounded; then high frequencies vanish.

import { type Around, type Bracket, grown, grownMost, growthOf, tailsOf } from './aliases.js';
import { type Choice, lawsOf, type Mix, rememberedMix, spectrumOfMix, sumOf } from './choices.js';
import { type Blur, blurOf, blurredKernel, blurredReach, blurredSize, windowKernel } from './kernel.js';
import { UNIT } from './losses.js';
import type { Progression } from './progression.js';
import { BLOCK, type Decay, decayOf, partsOf } from './spectrum.js';
import { summed, type Terms, weighted } from './terms.js';
import { checkWork, tooLarge } from './work.js';

/** Bounds on δ(ε) of a mix, of the finite losses alone. */
export interface Inversion {
  readonly lowerAt: (mix: Mix, epsilon: number) => number;
  readonly upperAt: (mix: Mix, epsilon: number) => number;
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
  choices: readonly Choice[],
  progressions: readonly (Progression | null)[],
  c: number,
  around: Around,
): Inversion {
  const laws = lawsOf(choices);
  const growths = laws.map(({ losses }) => growthOf(losses, c));
  const most = grownMost(growths, choices);
  const parts = partsOf(laws, c, progressions, LESS_CLOSE / 16);
  const decays = parts.map(decayOf);
  const means = parts.map(({ mean, offset, unit }) => offset + unit * mean);
  const sizes = parts.map(({ mean, offset, unit }) => Math.abs(offset) + Math.abs(unit * mean));
  const offs = laws.map(({ losses }, i) => progressions[i]?.off ?? losses.lossError);
  let width = Math.sqrt((FINE * Math.max(around.epsilon, 1 / c)) / (0.23 * (c + 1)));
  for (;;) {
    const blur = blurOf(width);
    const reach = blur.width + blur.lift;
    const period = tailsOf(most, c, reach).periodFor(around);
    const turn = (2 * Math.PI) / period;
    const small = LESS_CLOSE * Math.exp(around.logDelta - most.value + c * around.epsilon);
    const plan = blocksOf(choices, decays, c, blur, turn, small * period);
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
    const spectra = plan.blocks.map((first) => spectrumOfMix(choices, parts, turn, first, BLOCK));
    const known = rememberedMix((mix) => {
      const own = spectra.map((spectrum) => spectrum(mix));
      let near: Terms[] | null = null;
      return {
        tail: tailsOf(grown(growths, mix), c, reach),
        centre: sumOf(mix, means),
        deltas: weighted(own, turn, blurredKernel(c, blur)),
        windows: () => {
          near ??= weighted(own, turn, windowKernel(c, blur, reach + blur.width));
          return near;
        },
      };
    });
    const slack = (mix: Mix, epsilon: number) =>
      sumOf(mix, offs) * (1 + 1e-9) + (laws.length + 7) * UNIT * (sumOf(mix, sizes) + Math.abs(epsilon));
    const at = (mix: Mix, epsilon: number): Bracket => {
      const { tail, centre, deltas } = known(mix);
      const { sum, error } = summed(deltas, turn, centre - epsilon, period);
      return tail.bracket(epsilon, sum, error + plan.rest.delta / period, period);
    };
    /** What the blur adds is at most its gain, and only where the loss is within its reach of ε. */
    const addedAt = (mix: Mix, epsilon: number): number => {
      const { tail, centre, windows } = known(mix);
      const { sum, error } = summed(windows(), turn, centre - epsilon, period);
      return blur.gain * tail.bracket(epsilon, sum, error + plan.rest.window / period, period).upper;
    };
    return {
      frequencies: plan.blocks.length * BLOCK,
      lowerAt: (mix, epsilon) => {
        const further = epsilon + slack(mix, epsilon);
        return Math.max(0, at(mix, further).lower - addedAt(mix, further));
      },
      upperAt: (mix, epsilon) => at(mix, epsilon - slack(mix, epsilon)).upper,
    };
  }
}

/** Blocks beyond which a wider blur is taken. */
const MOST_BLOCKS = 1_000_000;
/** Blocks that are looked at together at first. */
const STRETCH = 64;

/** The blocks of frequencies that matter, and bounds on what all the others add up to; null where there are too many. */
function blocksOf(
  choices: readonly Choice[],
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
    let log = boundOf(choices, (law) => decays[law]!.over(low, high), most, enough);
    // The first ones matter in any case. Else a closer bound.
    if (log > enough && from > 1) {
      const closer = (law: number) => Math.min(decays[law]!.over(low, high), decays[law]!.about(low, high));
      log = boundOf(choices, closer, most, enough);
    }
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
