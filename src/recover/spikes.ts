// The most likely distribution behind a column, with a reward for some of its values: maximise over the simplex
//
//   Σ_j w_j·log (Kπ)_j + Σ_k reward_k·π_k,
//
// concave. Its solutions are a handful of spikes, so only those are moved, by Newton's method, and values at which the slope is
// greatest join them [Wan07]. What is left is bounded as in fit.ts: nowhere is it more than max_k slope_k − ⟨slope, π⟩ higher.

import { bestMix, dot } from '../solve/index.js';
import type { Kernel } from './kernel.js';

/** How often each cell was seen, as shares of all rows, and the law of each value. */
export interface Seen {
  readonly kernel: Kernel;
  readonly weights: Float64Array;
}

export interface Spikes {
  /** Values with a mass, lowest first, and their masses. */
  readonly at: readonly number[];
  readonly masses: Float64Array;
  /** Kπ. */
  readonly likely: Float64Array;
  /** Σ_j w_j·log (Kπ)_j. */
  readonly likelihood: number;
  /** Likelihood and reward are at most this below the most there can be. */
  readonly gap: number;
}

const MOST_ITERATIONS = 60;
const MOST_HALVES = 40;
const MOST_OF_WAY = 0.9;
/** Spikes to start with; more, until no cell is that many times as frequent as it is likely. */
const FIRST = 12;
const SURPRISING = 1000;

export function mostLikely(
  seen: Seen,
  reward: Float64Array | null,
  tolerance: number,
  start: Spikes | null,
): Spikes {
  const { kernel, weights } = seen;
  const worthOf = ({ at, masses, likelihood }: Spikes) =>
    reward ? likelihood + at.reduce((sum, k, i) => sum + reward[k]! * masses[i]!, 0) : likelihood;
  let now = start ?? first(seen);
  for (let iteration = 0; ; iteration++) {
    const ratios = new Float64Array(weights.length);
    for (let j = 0; j < ratios.length; j++) ratios[j] = weights[j]! / now.likely[j]!;
    const bare = kernel.back(ratios);
    const slope = reward ? bare.map((v, k) => v + reward[k]!) : bare;
    const mean = now.at.reduce((sum, k, i) => sum + slope[k]! * now.masses[i]!, 0);
    const gap = slope.reduce((a, b) => Math.max(a, b)) - mean;
    now = { ...now, gap };
    if (gap <= tolerance || iteration >= MOST_ITERATIONS) return now;
    const at = joined(now.at, slope, mean);
    const masses = new Float64Array(at.length);
    now.at.forEach((k, i) => {
      masses[at.indexOf(k)] = now.masses[i]!;
    });
    const wanted = bestMix(
      at.map((k) => kernel.sparse[k]!),
      ratios.map((ratio, j) => ratio / now.likely[j]!),
      Float64Array.from(at, (k) => bare[k]! + slope[k]!),
      masses,
    );
    const rise = at.reduce((sum, k, i) => sum + slope[k]! * (wanted[i]! - masses[i]!), 0);
    const next =
      risen(seen, now, spikes(seen, at, wanted), rise, worthOf) ??
      // Where rounding leaves nothing of a step, towards the one value that gains most.
      risen(seen, now, alone(seen, slope), gap, worthOf);
    if (!next) return now;
    now = next;
  }
}

/**
 * So far towards another distribution, by halves, that a part of what the slope promises is there. Never the whole way where a cell
 * that was seen would become far less likely than it is: too far from what the slope can tell.
 */
function risen(
  seen: Seen,
  from: Spikes,
  to: Spikes,
  rise: number,
  worthOf: (at: Spikes) => number,
): Spikes | null {
  const before = worthOf(from);
  const isNear = to.likely.every((u, j) => u >= (1 - MOST_OF_WAY) * from.likely[j]!);
  for (let [halved, length] = [0, isNear ? 1 : MOST_OF_WAY]; halved < MOST_HALVES; halved++, length /= 2) {
    const next = length === 1 ? to : mixed(seen, from, to, length);
    const now = worthOf(next);
    if (now > before && now >= before + 0.1 * length * rise) return next;
  }
  return null;
}

/** All on the value where the slope is greatest. */
function alone(seen: Seen, slope: Float64Array): Spikes {
  return spikes(seen, [slope.reduce((best, v, k) => (v > slope[best]! ? k : best), 0)], Float64Array.of(1));
}

/** Values that have a mass, and those where the slope is greatest among their neighbours. */
function joined(own: readonly number[], slope: Float64Array, mean: number): number[] {
  const at = new Set(own);
  const of = (k: number) => slope[k] ?? -Infinity;
  for (let k = 0; k < slope.length; k++)
    if (of(k) > mean && of(k) >= of(k - 1) && of(k) > of(k + 1)) at.add(k);
  return [...at].sort((a, b) => a - b);
}

function spikes({ kernel, weights }: Seen, all: readonly number[], mixed: Float64Array): Spikes {
  const at = all.filter((_, i) => mixed[i]! > 0);
  const masses = mixed.filter((mass) => mass > 0);
  const sum = masses.reduce((a, b) => a + b, 0);
  const likely = new Float64Array(weights.length);
  at.forEach((k, i) => {
    const [column, mass] = [kernel.columns[k]!, masses[i]! / sum];
    masses[i] = mass;
    for (let j = 0; j < likely.length; j++) likely[j]! += mass * column[j]!;
  });
  let likelihood = 0;
  for (let j = 0; j < likely.length; j++) likelihood += weights[j]! * Math.log(likely[j]!);
  return { at, masses, likely, likelihood, gap: Infinity };
}

/** A few, evenly spread; more, where the noise hardly reaches from these to what was seen. */
function first(seen: Seen): Spikes {
  const { points } = seen.kernel;
  for (let n = Math.min(FIRST, points); ; n = Math.min(2 * n, points)) {
    const at = Array.from({ length: n }, (_, i) => Math.round((i * (points - 1)) / Math.max(1, n - 1)));
    const even = spikes(seen, at, new Float64Array(n).fill(1 / n));
    if (n === points || seen.weights.every((w, j) => w <= SURPRISING * even.likely[j]!)) return even;
  }
}

/** A share of the second, and the rest of the first. */
export function mixed(seen: Seen, a: Spikes, b: Spikes, share: number): Spikes {
  const at = [...new Set([...a.at, ...b.at])].sort((x, y) => x - y);
  const masses = new Float64Array(at.length);
  for (const [one, weight] of [
    [a, 1 - share],
    [b, share],
  ] as const)
    one.at.forEach((k, i) => {
      masses[at.indexOf(k)]! += weight * one.masses[i]!;
    });
  return spikes(seen, at, masses);
}

export function meanOver({ at, masses }: Spikes, f: Float64Array): number {
  return dot(
    masses,
    Float64Array.from(at, (k) => f[k]!),
  );
}
