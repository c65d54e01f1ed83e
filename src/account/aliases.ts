// The other terms of the trapezoidal rule: how far apart they must be, and how much they can be.

import { type Choice, type Mix, mostOf } from './choices.js';
import { type Losses, UNIT } from './losses.js';
import { coarse, cumulantOf } from './tilt.js';

/** A lower and an upper bound. */
export interface Bracket {
  readonly lower: number;
  readonly upper: number;
}

/** Where an inversion is meant to be good: δ is about e^logDelta there. */
export interface Around {
  readonly epsilon: number;
  readonly logDelta: number;
}

/** What is left to truncation and aliasing, relative to δ. */
export const CLOSE = 2 ** -44;

/** Further tilts by which the tail above ε is bounded. */
const FACTORS = [1.125, 1.25, 1.5, 2, 3, 4, 6, 9, 16, 32, 64];

/** K at a tilt, and upper bounds on it at the further ones. */
export interface Growth {
  readonly value: number;
  readonly error: number;
  readonly further: Float64Array;
  /** How far off the masses may be, relative to themselves. */
  readonly masses: number;
}

/** Of one release; `moved` is how far losses may be from where they are taken to be, so that weights e^(c·loss) are off by e^(c·moved). */
export function growthOf(losses: Losses, c: number, moved: number): Growth {
  const { value, error } = cumulantOf(losses, c);
  const rough = coarse(losses);
  const further = Float64Array.from(FACTORS, (factor) => {
    const k = cumulantOf(rough, c * factor);
    return k.value + k.error + 2 ** -51 * Math.abs(k.value) + c * factor * moved;
  });
  return { value, error: error + 2 ** -52 * Math.abs(value) + c * moved, further, masses: losses.massError };
}

/** Of so many releases of each. */
export function grown(growths: readonly Growth[], times: Mix): Growth {
  let [value, error, masses] = [0, 0, 0];
  const further = new Float64Array(FACTORS.length);
  for (let i = 0; i < growths.length; i++) {
    const [one, n] = [growths[i]!, times[i]!];
    value += n * one.value;
    error += n * one.error;
    masses += n * one.masses;
    for (let j = 0; j < further.length; j++) further[j]! += n * one.further[j]!;
  }
  return { value, error, further, masses };
}

/** The most of any mix. */
export function grownMost(growths: readonly Growth[], choices: readonly Choice[]): Growth {
  return {
    value: mostOf(choices, (i) => growths[i]!.value),
    error: mostOf(choices, (i) => growths[i]!.error),
    masses: mostOf(choices, (i) => growths[i]!.masses),
    further: growths[0]!.further.map((_, j) => mostOf(choices, (i) => growths[i]!.further[j]!)),
  };
}

/** Of a sum that grows so with the tilt c; `extra` is the most that a blur adds to the loss. */
export function tailsOf({ value, error, further: most, masses }: Growth, c: number, extra: number) {
  const further: { readonly h: number; readonly most: number }[] = [];
  for (let j = 0; j < FACTORS.length; j++) {
    const h = c * FACTORS[j]!;
    if (Number.isFinite(most[j])) further.push({ h, most: most[j]! + h * extra });
  }
  return {
    value,
    /** Λ such that the other terms of the trapezoidal rule are a small part of δ. */
    periodFor: ({ epsilon, logDelta }: Around): number => {
      const wanted = Math.log(CLOSE) + logDelta;
      const above = further.map(({ h, most }) => (most - h * epsilon - wanted) / (h - c));
      return Math.max(-wanted / c, Math.min(...above));
    },
    /** Bounds on δ from the sum, which is e^(cε − K(c)) times Σ_r e^(−crΛ)·δ(ε − rΛ), but for `off`. */
    bracket: (epsilon: number, sum: number, off: number, period: number): Bracket => {
      const scale = Math.exp(value - c * epsilon);
      const relative = Math.expm1(
        2 * (error + masses) + UNIT * (64 + 4 * Math.abs(value) + 4 * Math.abs(c * epsilon)),
      );
      // Σ e^(−crΛ), as no δ is above 1; and Σ e^(crΛ)·δ(ε + rΛ) with δ(ε) ≤ e^(K(h) − hε).
      const below = Math.exp(-c * period) / -Math.expm1(-c * period);
      const above = further.map(({ h, most }) => {
        const fall = (h - c) * period;
        return Math.exp(most - h * epsilon - fall) / -Math.expm1(-fall);
      });
      const others = (below + Math.min(...above)) * (1 + 1e-9);
      return {
        lower: Math.max(0, scale * (sum - off) * (1 - relative) - others),
        upper: scale * (sum + off) * (1 + relative),
      };
    },
  };
}
