// The problem of a fit, −(how likely is what was seen?) + smoothing·roughness(π), and its slope and curvature at a point.

import type { Kernel } from './kernel.js';
import { type Roughness, roughnessOf } from './roughness.js';

export interface Problem {
  readonly kernel: Kernel;
  readonly evidence: Evidence;
  readonly smoothing: number;
}

/** What was seen of u = Kπ: the logarithm of how likely it is, concave, for each row of the column; by cells. */
export interface Evidence {
  readonly likelihood: (u: Float64Array) => number;
  readonly slope: (u: Float64Array) => Float64Array;
  /** The second derivative, with its sign turned. */
  readonly curvature: (u: Float64Array) => Float64Array;
}

/** Rows that fell into cells, by their shares w: Σ w_j·log u_j. */
export function rowsSeen(weights: Float64Array): Evidence {
  const divided = (u: Float64Array) => weights.map((w, j) => (w === 0 ? 0 : w / u[j]!));
  return {
    likelihood(u) {
      let sum = 0;
      for (let j = 0; j < weights.length; j++) if (weights[j]! > 0) sum += weights[j]! * Math.log(u[j]!);
      return sum;
    },
    slope: divided,
    curvature: (u) => divided(u).map((ratio, j) => (ratio === 0 ? 0 : ratio / u[j]!)),
  };
}

/** Counts with noise of their own, as shares of all rows: −½ Σ precision·(share_j − u_j)², as if the noise were normal. */
export function countsSeen(shares: Float64Array, precision: number): Evidence {
  return {
    likelihood: (u) => -0.5 * precision * shares.reduce((sum, share, j) => sum + (share - u[j]!) ** 2, 0),
    slope: (u) => shares.map((share, j) => precision * (share - u[j]!)),
    curvature: () => new Float64Array(shares.length).fill(precision),
  };
}

export interface Slope {
  readonly likelihood: number;
  readonly gradient: Float64Array;
  /** By u = Kπ, with its sign turned. */
  readonly curvature: Float64Array;
  readonly roughness: Roughness | null;
}

export function slopeAt({ kernel, evidence, smoothing }: Problem, masses: Float64Array): Slope {
  const likely = kernel.forward(masses);
  const gradient = kernel.back(evidence.slope(likely)).map((v) => -v);
  const roughness = smoothing > 0 ? roughnessOf(masses) : null;
  if (roughness) for (let k = 0; k < gradient.length; k++) gradient[k]! += smoothing * roughness.gradient[k]!;
  return {
    likelihood: evidence.likelihood(likely),
    gradient,
    curvature: evidence.curvature(likely),
    roughness,
  };
}
