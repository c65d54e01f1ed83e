// The law behind simulated runs: W of the distributions, and the expectation of W between samples, which is larger.

import { invalid } from '../error/index.js';
import { toNumberNear } from '../exact/index.js';
import { convolveDoubles, lastIndex, outputOf, type Pmf, probabilities, wasserstein } from '../pmf/index.js';
import type { Simulation } from './simulate.js';

/**
 * For each k the records that cross it upward less those that cross it downward are a sum S of n independent
 * numbers in {−1, 0, 1}, and E|S| = 1/(2π)·∫ (1 − Re φ(t)^n) / (1 − cos t) dt over a period: a trigonometric
 * polynomial, which as many equidistant points as S has values integrate exactly.
 */
export function lawOf({ input, noise, records }: Simulation) {
  const unit = toNumberNear(input.step);
  const population = wasserstein(input, outputOf(input, noise));
  const px = probabilities(input, input.from, lastIndex(input)).p;
  const reach = Math.max(reachOf(noise, 'left'), reachOf(noise, 'right'));
  const [from, to] = [noise.from - reach, lastIndex(noise) + reach];
  if (to - from + px.length > WIDEST)
    throw invalid(
      `simulate: expected noise within ${WIDEST} steps, got about ${Number((to - from).toPrecision(2))}; use a larger step`,
    );
  const { p, beyond } = probabilities(noise, Math.min(from, 0), Math.max(to, 0));
  const first = Math.min(from, 0);
  // P(θ > j) for j ≥ 0, and P(θ ≤ −1 − j) likewise
  const above = new Float64Array(p.length + first);
  const below = new Float64Array(-first);
  let sum = beyond.right.mass;
  for (let j = above.length - 1; j >= 0; j--) {
    above[j] = sum;
    sum += p[j - first]!;
  }
  sum = beyond.left.mass;
  for (let j = below.length - 1; j >= 0; j--) below[j] = sum += p[-1 - j - first]!;
  // Crossing k upward: x ≤ k < x + θ; downward: x + θ ≤ k < x.
  const crossings = new Map<number, [number, number]>();
  const upward = convolveDoubles(px, above);
  for (let i = 0; i < upward.length; i++) crossings.set(input.from + i, [upward[i]!, 0]);
  const downward = below.length > 0 ? convolveDoubles(px.slice().reverse(), below) : below;
  for (let i = 0; i < downward.length; i++) {
    const k = lastIndex(input) - 1 - i;
    crossings.set(k, [crossings.get(k)?.[0] ?? 0, downward[i]!]);
  }
  let expectation = 0;
  for (const [up, down] of crossings.values())
    if (up + down > 1e-17) expectation += meanAbsolute(up, down, records);
  return { population, expectation: (expectation / records) * unit };
}

/** Lattice points over which the expectation is computed. */
const WIDEST = 2_000_000;

/** How far beyond its window a tail is still worth counting. */
function reachOf(noise: Pmf, side: 'left' | 'right'): number {
  const tail = noise[side];
  if (!tail) return 0;
  const fall = toNumberNear({ num: tail.ratio.den - tail.ratio.num, den: tail.ratio.den });
  return tail.period * Math.ceil(Math.log(1e-15) / Math.log1p(-fall));
}

/** E|S| for n steps, each +1 with probability up and −1 with probability down. */
export function meanAbsolute(up: number, down: number, n: number): number {
  const [mean, spread] = [n * (up - down), n * (up + down - (up - down) ** 2)];
  const crossing = n * (up + down);
  if (crossing > 5000) return foldedNormal(mean, Math.sqrt(spread));
  // So few that no two meet: good to a part in a million.
  if (crossing < 1e-6) return crossing;
  // As many points as |S| can have values, but for a chance below 1e-15.
  const points = Math.min(n, Math.ceil(crossing + 12 * Math.sqrt(crossing) + 40));
  let sum = mean * mean + spread;
  for (let j = 1; j < points; j++) {
    const t = (2 * Math.PI * j) / points;
    const [real, imaginary] = [1 - (up + down) * (1 - Math.cos(t)), (up - down) * Math.sin(t)];
    const size = Math.hypot(real, imaginary) ** n;
    sum += (1 - size * Math.cos(n * Math.atan2(imaginary, real))) / (1 - Math.cos(t));
  }
  return sum / points;
}

/** E|X| of a normal X, for sums of so many steps that nothing else is left of them. */
function foldedNormal(mean: number, deviation: number): number {
  if (deviation === 0) return Math.abs(mean);
  const z = mean / deviation;
  return deviation * Math.sqrt(2 / Math.PI) * Math.exp((-z * z) / 2) + mean * erf(z / Math.SQRT2);
}

/** [AS, 7.1.26], good to 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const poly =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - poly * Math.exp(-x * x));
}
