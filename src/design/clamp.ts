// What clamping the output does: post-processing, free of privacy cost. In doubles: utility only.

import { toNumberNear } from '../exact/index.js';
import { lastIndex, outputOf, type Pmf, probabilities, widened } from '../pmf/index.js';

/** W between the input and the clamped output, and E |clamp(x + θ) − x| over the input, both in data units. */
export type Clamped = Readonly<Record<'wasserstein' | 'meanAbs', number>>;

/** low and high are lattice indices. */
export function clamped(prior: Pmf, noise: Pmf, low: number, high: number): Clamped {
  const unit = toNumberNear(prior.step);
  const first = Math.min(prior.from, low);
  const last = Math.max(lastIndex(prior), high);
  const input = probabilities(prior, first, last).p;
  const reach = last - first;
  const from = Math.min(noise.from, -reach - 1);
  const to = Math.max(lastIndex(noise), reach + 1);
  const { p, beyond } = probabilities(noise, from, to);
  // P(θ ≤ j) for every j in reach, from the left
  const below = new Float64Array(p.length);
  let sum = beyond.left.mass;
  for (let i = 0; i < p.length; i++) below[i] = sum += p[i]!;
  // Σ_{v = a}^{b − 1} P(θ ≤ v − x): how far below b the output ends on average, if it is kept within a … b.
  const sums = new Float64Array(p.length + 1);
  for (let i = 0; i < p.length; i++) sums[i + 1] = sums[i]! + below[i]!;
  const shortfall = (a: number, b: number, x: number) => sums[b - x - from]! - sums[a - x - from]!;
  let meanAbs = 0;
  for (let x = first; x <= last; x++) {
    const mass = input[x - first]!;
    if (mass === 0) continue;
    // E|output − x| = above x and below x, each cut at the bounds.
    let error: number;
    if (x <= low) error = low - x + (high - low - shortfall(low, high, x));
    else if (x >= high) error = x - high + shortfall(low, high, x);
    else error = high - x - shortfall(x, high, x) + shortfall(low, x, x);
    meanAbs += mass * error;
  }
  const output = outputOf(prior, noise);
  const start = Math.min(output.from, first);
  const whole = widened(output, start, Math.max(output.from + output.p.length - 1, last));
  let [cumulativeIn, cumulativeOut, w] = [0, whole.beyond.left.mass, 0];
  for (let k = start; k < last; k++) {
    cumulativeOut += whole.p[k - start]!;
    if (k < first) continue;
    cumulativeIn += input[k - first]!;
    w += Math.abs(cumulativeIn - (k < low ? 0 : k >= high ? 1 : cumulativeOut));
  }
  return { wasserstein: w * unit, meanAbs: meanAbs * unit };
}
