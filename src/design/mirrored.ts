// An input that is the same from both ends, or all but the same: then mirrored noise is as good as the noise itself, and the mean
// of both is no worse, so that only symmetric noise need be looked at.

import { toNumberUp } from '../exact/index.js';
import { type Pmf, windowPmf } from '../pmf/index.js';

/**
 * The mean of an input and its mirror image, and the most by which W of any noise may differ between the two inputs: twice
 * Σ_k |F(k) − F'(k)| steps. Null where that is more than `most`.
 */
export function mirrored(
  { weights, step, from }: Pmf,
  most: number,
): { readonly pmf: Pmf; readonly away: number } | null {
  const centre = twiceTheMean(weights);
  const first = Math.min(0, centre - (weights.length - 1));
  const both = Array.from(
    { length: Math.max(weights.length, centre + 1) - first },
    (_, i) => (weights[first + i] ?? 0n) + (weights[centre - first - i] ?? 0n),
  );
  let [sum, away, total] = [0n, 0n, 0n];
  both.forEach((weight, i) => {
    sum += 2n * (weights[first + i] ?? 0n) - weight;
    away += sum < 0n ? -sum : sum;
    total += weight;
  });
  const distance = toNumberUp({ num: 2n * away, den: total });
  return distance <= most ? { pmf: windowPmf(step, from + first, both), away: distance } : null;
}

/** Rounded to a whole number. */
function twiceTheMean(weights: readonly bigint[]): number {
  let [sum, total] = [0n, 0n];
  weights.forEach((weight, i) => {
    sum += BigInt(i) * weight;
    total += weight;
  });
  return Number((4n * sum + total) / (2n * total));
}
