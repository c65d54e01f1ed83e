// The most likely distribution behind a column, or the most likely smooth one: minimise over the simplex
//
//   F(π) = −Σ_j w_j·log (Kπ)_j + smoothing·roughness(π),
//
// or with other evidence of Kπ, convex, by a primal-dual interior point method. What is left is bounded by F's own slope:
// F(π) − min F ≤ ⟨∇F, π⟩ − min_k ∇F_k, for F lies above its tangent and the tangent is least at a corner. Without smoothing that
// is max_k Σ_j w_j·K_jk / (Kπ)_j − 1.

import { dot } from '../solve/index.js';
import { newtonStep } from './newton.js';
import { type Problem, slopeAt } from './problem.js';
import { roughnessOf } from './roughness.js';

export interface Fit {
  readonly masses: Float64Array;
  /** −F without its roughness: the mean logarithm of how likely a row is. */
  readonly likelihood: number;
  /** F is at most this above its least value. */
  readonly gap: number;
  /** The multipliers of π ≥ 0. */
  readonly slacks: Float64Array;
  readonly iterations: number;
}

/** Of the way to the boundary, what is gone. */
const DAMPING = 0.99;
/** In multiples of what it is on the central path. */
const CENTRED = 3;
const MOST_ITERATIONS = 200;
/** Iterations without a smaller gap after which rounding has won. */
const PATIENCE = 30;

export function fit(problem: Problem, tolerance: number, start?: Fit): Fit {
  const n = problem.kernel.points;
  const masses = warm(start, n);
  let slacks = new Float64Array(n);
  let best: Fit | null = null;
  let since = 0;
  let [target, length] = [Infinity, 1];
  for (let iterations = 0; ; iterations++) {
    const at = slopeAt(problem, masses);
    const least = at.gradient.reduce((a, b) => Math.min(a, b));
    const mean = dot(at.gradient, masses);
    const gap = mean - least;
    if (iterations === 0) {
      // Multipliers that are positive, and near what the slope says they are.
      const room = Math.max(gap, 1e-3) / n;
      slacks = at.gradient.map((g, k) => Math.max(g - mean, 0) + room / Math.max(masses[k]!, 1 / n));
      target = dot(masses, slacks) / n;
    }
    if (!best || gap < best.gap) {
      best = { masses: masses.slice(), likelihood: at.likelihood, gap, slacks: slacks.slice(), iterations };
      since = 0;
    } else since++;
    if (gap <= tolerance || since > PATIENCE || iterations >= MOST_ITERATIONS) return { ...best, iterations };
    // On towards the boundary only from the middle: where the gap is what the distance from it makes it.
    if (gap <= CENTRED * n * target) target *= length > 0.9 ? 0.1 : 0.4;
    const step = newtonStep(problem, masses, at, slacks, target);
    const value = (x: Float64Array) => barrier(problem, x, target);
    length = Math.min(1, DAMPING * reach(masses, step));
    const [before, slope] = [value(masses), slopeOf(at.gradient, masses, target, step)];
    for (let halved = 0; halved < 30; halved++, length /= 2)
      if (value(moved(masses, step, length)) <= before + 1e-4 * length * slope + 1e-15) break;
    const change = Float64Array.from(step, (d, k) => (target - slacks[k]! * d) / masses[k]! - slacks[k]!);
    const other = Math.min(1, DAMPING * reach(slacks, change));
    let sum = 0;
    for (let k = 0; k < n; k++) {
      masses[k]! += length * step[k]!;
      slacks[k]! += other * change[k]!;
      sum += masses[k]!;
    }
    for (let k = 0; k < n; k++) masses[k]! /= sum;
  }
}

/** Where to begin: even, or near another problem's solution, with nothing at the boundary. */
function warm(start: Fit | undefined, n: number): Float64Array {
  if (!start) return new Float64Array(n).fill(1 / n);
  const share = 1e-3;
  return start.masses.map((mass) => (1 - share) * mass + share / n);
}

/** F less what keeps π off the boundary. */
function barrier({ kernel, evidence, smoothing }: Problem, masses: Float64Array, mu: number): number {
  let value = -evidence.likelihood(kernel.forward(masses));
  if (smoothing > 0) value += smoothing * roughnessOf(masses).value;
  for (const mass of masses) value -= mu * Math.log(mass);
  return value;
}

function slopeOf(gradient: Float64Array, masses: Float64Array, mu: number, step: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < step.length; k++) sum += (gradient[k]! - mu / masses[k]!) * step[k]!;
  return sum;
}

/** How far a step may go before something is negative. */
function reach(x: Float64Array, step: Float64Array): number {
  let most = Infinity;
  for (let k = 0; k < x.length; k++) if (step[k]! < 0) most = Math.min(most, -x[k]! / step[k]!);
  return most;
}

function moved(x: Float64Array, step: Float64Array, length: number): Float64Array {
  return x.map((v, k) => v + length * step[k]!);
}
