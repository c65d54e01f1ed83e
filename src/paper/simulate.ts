// Simulated releases: in each run n records are drawn from the input, each gets its own noise, and the
// Wasserstein distance between the two samples is taken [QHFL, Fig. 10]; and the law behind it: the distance of
// the distributions, and the expectation of the samples' distance, which is larger.

import { toNumberNear } from '../exact/index.js';
import { convolveDoubles, lastIndex, outputOf, type Pmf, probabilities, wasserstein } from '../pmf/index.js';
import { fromTables, makeTables, seededSource } from '../random/index.js';

export interface Simulation {
  readonly input: Pmf;
  readonly noise: Pmf;
  readonly records: number;
  readonly runs: number;
  readonly seed: string;
}

/** Runs are dealt in batches, each with random streams of its own, so that the result does not depend on who computes which. */
export function batchesOf({ records, runs }: Simulation): { size: number; count: number } {
  const size = Math.max(1, Math.ceil(50_000 / records));
  return { size, count: Math.ceil(runs / size) };
}

/** The empirical W of the runs of some batches, in data units. */
export function simulate(simulation: Simulation, from: number, to: number): Float64Array {
  const { input, noise, records, runs, seed } = simulation;
  const { size } = batchesOf(simulation);
  const tables = [makeTables(input), makeTables(noise)] as const;
  const unit = toNumberNear(input.step);
  const values = new Int32Array(records);
  const added = new Int32Array(records);
  const found = new Float64Array(Math.min(runs, to * size) - Math.min(runs, from * size));
  let at = 0;
  for (let batch = from; batch < to; batch++) {
    const inputs = fromTables(tables[0], seededSource(seed, 2 * batch));
    const noises = fromTables(tables[1], seededSource(seed, 2 * batch + 1));
    for (let run = batch * size; run < Math.min(runs, (batch + 1) * size); run++) {
      inputs.fill(values, 'saturate');
      noises.fill(added, 'saturate');
      found[at++] = empiricalDistance(values, added) * unit;
    }
  }
  return found;
}

/** More values than this between the least and the largest are sorted rather than counted. */
const MOST_COUNTED = 1 << 24;

/** W between a sample and the same sample with its noise, in steps: linear in the records and their range. */
export function empiricalDistance(values: Int32Array, added: Int32Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const [x, z] = [values[i]!, values[i]! + added[i]!];
    low = Math.min(low, x, z);
    high = Math.max(high, x, z);
  }
  if (high - low > MOST_COUNTED) {
    const outputs = Float64Array.from(values, (x, i) => x + added[i]!).sort();
    const inputs = Float64Array.from(values).sort();
    return inputs.reduce((sum, x, i) => sum + Math.abs(x - outputs[i]!), 0) / values.length;
  }
  // How many more inputs than outputs are at most k: it changes by one where either stands.
  const change = new Int32Array(high - low + 1);
  for (let i = 0; i < values.length; i++) {
    change[values[i]! - low]!++;
    change[values[i]! + added[i]! - low]!--;
  }
  let [balance, sum] = [0, 0];
  for (const step of change) {
    balance += step;
    sum += Math.abs(balance);
  }
  return sum / values.length;
}

export interface Law {
  /** W of the distributions, in data units. */
  readonly population: number;
  /** The expectation of the empirical W at this number of records, in data units. */
  readonly expectation: number;
}

/**
 * For each k the records that cross it upward less those that cross it downward are a sum S of n independent
 * numbers in {−1, 0, 1}, and E|S| = 1/(2π)·∫ (1 − Re φ(t)^n) / (1 − cos t) dt over a period: a trigonometric
 * polynomial, which as many equidistant points as S has values integrate exactly.
 */
export function lawOf({ input, noise, records }: Simulation): Law {
  const unit = toNumberNear(input.step);
  const population = wasserstein(input, outputOf(input, noise));
  const px = probabilities(input, input.from, lastIndex(input)).p;
  const reach = Math.max(reachOf(noise, 'left'), reachOf(noise, 'right'));
  const [from, to] = [noise.from - reach, lastIndex(noise) + reach];
  if (to - from + px.length > WIDEST) {
    throw new RangeError(
      `simulate: expected noise within ${WIDEST} steps, got about ${Number((to - from).toPrecision(2))}; use a larger step`,
    );
  }
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

export interface Summary {
  readonly mean: number;
  /** Of the mean. */
  readonly standardError: number;
  readonly least: number;
  readonly largest: number;
  readonly deviation: number;
}

export function summarise(values: Float64Array): Summary {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((a, b) => a + (b - mean) ** 2, 0);
  const deviation = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
  return {
    mean,
    standardError: deviation / Math.sqrt(values.length),
    least: values.reduce((a, b) => Math.min(a, b)),
    largest: values.reduce((a, b) => Math.max(a, b)),
    deviation,
  };
}

/** Equal bins between the least and the largest value, or over a given range; what lies outside is in the outermost. */
export function histogram(
  values: Float64Array,
  bins: number,
  range?: readonly [number, number],
): { from: number; to: number; count: number }[] {
  const own = summarise(values);
  const [least, largest] = range ?? [own.least, own.largest];
  const width = (largest - least || 1) / bins;
  const counts = new Array<number>(bins).fill(0);
  for (const v of values) counts[Math.max(0, Math.min(bins - 1, Math.floor((v - least) / width)))]!++;
  return counts.map((count, i) => ({ from: least + i * width, to: least + (i + 1) * width, count }));
}
