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
import { MOST_BLOCKS, runsOf } from './runs.js';
import { BLOCK, type Part, partsOf } from './spectrum.js';
import { summed, type Terms, weighted } from './terms.js';
import { checkWork, EACH, tooLarge } from './work.js';

/** Bounds on δ(ε) of a mix, of the finite losses alone. */
export interface Inversion {
  readonly lowerAt: (mix: Mix, epsilon: number) => number;
  readonly upperAt: (mix: Mix, epsilon: number) => number;
  /** Frequencies that were worked out. */
  readonly frequencies: number;
}

/** How many frequencies there may be, and the width of an interval for ε that is aimed at, relative to ε. */
export interface Limits {
  readonly most?: number;
  readonly fine?: number;
}

/** What is left to truncation and aliasing, relative to δ: beside a blur less need be. */
const LESS_CLOSE = 2 ** -26;
/** Multiplications above which a wider blur is taken. */
const MUCH_WORK = 1e8;
/** The width of an interval for ε that is aimed at with blurred losses, relative to ε. */
const FINE = 4e-5;

/** Any losses, blurred; those on a progression of their own only help to tell which frequencies matter. */
export function invertBlurred(
  choices: readonly Choice[],
  progressions: readonly (Progression | null)[],
  c: number,
  around: Around,
  { most = Infinity, fine = FINE }: Limits = {},
): Inversion {
  const laws = lawsOf(choices);
  const growths = laws.map(({ losses }, i) => growthOf(losses, c, progressions[i]?.off ?? 0));
  const growth = grownMost(growths, choices);
  const parts = partsOf(laws, c, progressions, LESS_CLOSE / 16);
  const means = parts.map(({ mean, offset, unit }) => offset + unit * mean);
  const sizes = parts.map(({ mean, offset, unit }) => Math.abs(offset) + Math.abs(unit * mean));
  const offs = laws.map(({ losses }, i) => progressions[i]?.off ?? losses.lossError);
  let width = Math.sqrt((fine * Math.max(around.epsilon, 1 / c)) / (0.23 * (c + 1)));
  for (;;) {
    const blur = blurOf(width);
    const reach = blur.width + blur.lift;
    const period = tailsOf(growth, c, reach).periodFor(around);
    const turn = (2 * Math.PI) / period;
    const small = LESS_CLOSE * Math.exp(around.logDelta - growth.value + c * around.epsilon);
    const plan = planOf(choices, parts, c, blur, turn, small * period);
    const wide = width >= 0.05 * Math.max(around.epsilon, 1 / c);
    if (plan === null) {
      if (wide) throw tooLarge(MOST_BLOCKS * BLOCK, parts);
      width *= 2;
      continue;
    }
    const work = plan.frequencies * parts.reduce((sum, { x }) => sum + x.length, EACH);
    if ((work > MUCH_WORK || plan.frequencies > most) && !wide) {
      width *= 1.5;
      continue;
    }
    if (plan.frequencies > most) throw tooLarge(plan.frequencies, parts);
    checkWork(parts, plan.frequencies);
    const spectra = plan.runs.map(({ first, count }) => spectrumOfMix(choices, parts, turn, first, count));
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
      frequencies: plan.frequencies,
      lowerAt: (mix, epsilon) => {
        const further = epsilon + slack(mix, epsilon);
        return Math.max(0, at(mix, further).lower - addedAt(mix, further));
      },
      upperAt: (mix, epsilon) => at(mix, epsilon - slack(mix, epsilon)).upper,
    };
  }
}

/** The runs of frequencies that matter, and bounds on what all the others add up to; null where there are too many. */
function planOf(
  choices: readonly Choice[],
  parts: readonly Part[],
  c: number,
  blur: Blur,
  turn: number,
  small: number,
) {
  const blocks = Math.ceil(blurredReach(c, blur, (small * turn) / 8) / turn / BLOCK);
  if (blocks > MOST_BLOCKS) return null;
  const rest = { delta: 0, window: 0 };
  const leave = (t: number, size: number) => {
    rest.delta += size;
    rest.window += size * 2 * Math.cosh(2 * c * (blur.width + blur.lift)) * Math.hypot(c + 1, t);
  };
  const sizeFrom = (t: number) => blurredSize(c, t, blur);
  const { runs, frequencies } = runsOf(choices, parts, turn, { blocks, sizeFrom, small, leave });
  // Beyond, sizes fall by t^−17 at least.
  const beyond = blocks * BLOCK * turn;
  leave(beyond, 2 * sizeFrom(beyond) * (1 + beyond / turn / 14));
  return { runs, frequencies, rest };
}
