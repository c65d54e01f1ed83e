// Rényi divergences of a law of losses, both ways, between the laws restricted to their common support and normalised; what is cut off
// is added to δ.

import { remembered } from '../mechanism/index.js';
import type { Losses } from './losses.js';
import { coarse, cumulantOf } from './tilt.js';

/** Orders that are looked at: from next to 1 to where the largest loss is all that counts. */
export const ORDERS: readonly number[] = Array.from({ length: 600 }, (_, i) => 1 + 1e-3 * 1.035 ** i);

const MANY = 20_000;

/** An upper bound on D_α, α > 1, the larger of both ways. */
export function renyiAt(given: Losses, order: number): number {
  // Of very many losses, fewer that bound them.
  const law = given.loss.length > MANY ? coarse(given) : given;
  const { infinite, missing } = law;
  const keptHere = Math.log1p(-Math.min(infinite.upper, 0.999999));
  const keptThere = Math.log1p(-Math.min(missing, 0.999999));
  const value = (c: number) => {
    const { value: k, error } = cumulantOf(law, c);
    return k + error + 4 * law.massError + Math.abs(c) * law.lossError;
  };
  // Σ P^α·Q^(1 − α), and with P and Q exchanged Σ Q^α·P^(1 − α) = E_P e^(−αL)
  const forward = value(order - 1) - order * keptHere + (order - 1) * keptThere;
  const back = value(-order) - order * keptThere + (order - 1) * keptHere;
  return Math.max(0, forward, back) / (order - 1);
}

/** The larger of the two masses that are cut off. */
export function cutOf({ infinite, missing }: Losses): number {
  return Math.max(infinite.upper, missing);
}

/** The least ρ with D_α ≤ ρα at every order, from above: (α − 1)·D_α is convex in α, so chords bound it between orders. */
export const concentratedRho: (law: Losses) => number = remembered((law: Losses) => {
  const ends = Math.max(Math.abs(law.loss[0] ?? 0), Math.abs(law.loss.at(-1) ?? 0));
  const most = ends - 2 * Math.log1p(-Math.min(0.5, cutOf(law)));
  let rho = 0;
  let [before, last] = [1, 0];
  for (let away = 1e-5; away < 1e7; away *= 1.01) {
    const order = 1 + away;
    const value = away * renyiAt(law, order);
    rho = Math.max(rho, highest(before, last, order, value));
    [before, last] = [order, value];
    // Beyond, D_α is at most the largest loss.
    if (most / order <= rho) return rho * (1 + 1e-12);
  }
  return Math.max(rho, most / before) * (1 + 1e-12);
});

/** The most of chord / (α(α − 1)) between two orders: at an end, or where its derivative vanishes. */
function highest(a: number, x: number, b: number, y: number): number {
  const slope = (y - x) / (b - a);
  const start = x - slope * a;
  const at = (order: number) => (order > 1 ? (start + slope * order) / (order * (order - 1)) : slope);
  const root = Math.sqrt(Math.max(0, start * start + slope * start));
  const inner = [(-start + root) / slope, (-start - root) / slope].filter((order) => order > a && order < b);
  return Math.max(...[a, b, ...inner].map(at));
}
