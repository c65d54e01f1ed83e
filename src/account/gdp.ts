// Gaussian differential privacy of a law of losses: the least μ for which its trade-off curve lies above that of two normal
// distributions μ apart, but for a mass τ that is set apart.

import { normalDelta } from '../density/index.js';
import { add, fromNumber, toNumberUp } from '../exact/index.js';
import { rememberedBy } from '../mechanism/index.js';
import type { Losses } from './losses.js';
import { normalQuantile, normalQuantileUp } from './normal.js';

/** A corner of the trade-off curve: errors of the first kind, of the second, and what both leave of 1. */
interface Corner {
  readonly first: number;
  readonly firstRest: number;
  readonly second: number;
  readonly secondRest: number;
}

/**
 * An upper bound on the least μ with f(a) ≥ (1 − τ)·G_μ(a / (1 − τ)) at every corner of the trade-off curve f; null where there is
 * none. Between corners f is linear and the region above G_μ convex (proofs/account.md).
 */
export const gaussianMu: (law: Losses, tau: number) => number | null = rememberedBy(muOf);

function muOf(law: Losses, tau: number): number | null {
  let best: { readonly mu: number; readonly corner: Corner } | null = null;
  for (const corner of cornersOf(law)) {
    const { first, firstRest, second, secondRest } = corner;
    if (firstRest <= tau || secondRest <= tau) continue;
    // Errors, each as a part of what is left beside τ: Φ⁻¹(1 − a) − Φ⁻¹(f).
    const mu =
      normalQuantile((firstRest - tau) / (1 - tau), first / (1 - tau)) +
      normalQuantile((secondRest - tau) / (1 - tau), second / (1 - tau));
    if (mu === Infinity) return null;
    if (!best || mu > best.mu) best = { mu, corner };
  }
  if (!best || best.mu <= 0) return 0;
  // The corner's masses are off by a few roundings, all of them against us; then quantiles by enclosure.
  const slack = law.massError + law.loss.length * 2 ** -52 + law.lossError;
  const part = (rest: number) => fromNumber(((rest - tau) / (1 - tau)) * (1 + 2 * slack));
  const [first, second] = [part(best.corner.firstRest), part(best.corner.secondRest)];
  if (first.num >= first.den || second.num >= second.den) return null;
  const mu = toNumberUp(add(normalQuantileUp(first), normalQuantileUp(second)));
  // Another corner may be higher by the rounding of the search.
  return mu + 1e-12 * Math.max(1, mu);
}

function cornersOf({ loss, mass, infinite, missing }: Losses): Corner[] {
  const n = loss.length;
  const other = mass.map((p, j) => p * Math.exp(-loss[j]!));
  const [p, q] = [new Float64Array(n + 1), new Float64Array(n + 1)];
  p[n] = infinite.upper;
  for (let j = n - 1; j >= 0; j--) {
    p[j] = p[j + 1]! + mass[j]!;
    q[j] = q[j + 1]! + other[j]!;
  }
  const corners: Corner[] = [{ first: 0, firstRest: 1, second: q[0]!, secondRest: missing }];
  let [first, rest] = [0, missing];
  for (let j = 0; j < n; j++) {
    // All losses up to this one are taken for the other dataset's.
    first += mass[j]!;
    rest += other[j]!;
    corners.push({ first, firstRest: p[j + 1]!, second: q[j + 1]!, secondRest: rest });
  }
  return corners;
}

/** δ at ε of normal distributions μ apart, from above. */
export function gaussianDelta(mu: number, epsilon: number): number {
  return mu === 0 ? 0 : toNumberUp(normalDelta(fromNumber(mu), fromNumber(epsilon)).upper);
}
