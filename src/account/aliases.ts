// The other terms of the trapezoidal rule: how far apart they must be, and how much they can be.

import { UNIT } from './losses.js';
import { type Component, coarse, totalCumulant } from './tilt.js';

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

/** K at c and further on; `extra` is the most that a blur adds to the loss. */
export function tailsOf(components: readonly Component[], c: number, extra: number) {
  const { value, error } = totalCumulant(components, c);
  const rough = components.map(({ losses, times }) => ({ losses: coarse(losses), times }));
  const further = FACTORS.map((factor) => {
    const k = totalCumulant(rough, c * factor);
    return { h: c * factor, most: k.value + k.error + c * factor * extra };
  }).filter(({ most }) => Number.isFinite(most));
  const masses = components.reduce((sum, { losses, times }) => sum + times * losses.massError, 0);
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
