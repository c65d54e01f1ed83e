// The problem of a fit, −Σ_j w_j·log (Kπ)_j + smoothing·roughness(π), and its slope and curvature at a point.

import type { Kernel } from './kernel.js';
import { type Roughness, roughnessOf } from './roughness.js';

export interface Problem {
  readonly kernel: Kernel;
  /** The share of each cell. */
  readonly weights: Float64Array;
  readonly smoothing: number;
}

export interface Slope {
  readonly likelihood: number;
  readonly gradient: Float64Array;
  /** w_j / (Kπ)_j², the second derivative by (Kπ)_j. */
  readonly curvature: Float64Array;
  readonly roughness: Roughness | null;
}

export function slopeAt({ kernel, weights, smoothing }: Problem, masses: Float64Array): Slope {
  const likely = kernel.forward(masses);
  const ratios = weights.map((w, j) => (w === 0 ? 0 : w / likely[j]!));
  const gradient = kernel.back(ratios).map((v) => -v);
  const roughness = smoothing > 0 ? roughnessOf(masses) : null;
  if (roughness) for (let k = 0; k < gradient.length; k++) gradient[k]! += smoothing * roughness.gradient[k]!;
  return {
    likelihood: likelihoodOf(weights, likely),
    gradient,
    curvature: ratios.map((ratio, j) => (ratio === 0 ? 0 : ratio / likely[j]!)),
    roughness,
  };
}

export function likelihoodOf(weights: Float64Array, likely: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < weights.length; j++) if (weights[j]! > 0) sum += weights[j]! * Math.log(likely[j]!);
  return sum;
}
