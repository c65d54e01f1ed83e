// The exponential tilt of a sum of losses: K(c) = log E e^(cS) with its derivatives, and the c at which an inversion loses no digits.

import { remembered } from '../mechanism/index.js';
import { type Losses, UNIT } from './losses.js';

/** Releases of the same loss law. */
export interface Component {
  readonly losses: Losses;
  readonly times: number;
}

/** K and its first two derivatives. */
export interface Cumulant {
  readonly value: number;
  readonly mean: number;
  readonly variance: number;
  /** A bound on the error of `value`. */
  readonly error: number;
}

/** The last one of each law: several steps ask for the same tilt. */
const latest = new WeakMap<Losses, { readonly c: number; readonly cumulant: Cumulant }>();

/** Of the finite losses of one release. */
export function cumulantOf(losses: Losses, c: number): Cumulant {
  const known = latest.get(losses);
  if (known?.c === c) return known.cumulant;
  const cumulant = workedOut(losses, c);
  latest.set(losses, { c, cumulant });
  return cumulant;
}

/** Losses that are added up in one go. */
const CHUNK = 128;

function workedOut({ loss, mass, finite }: Losses, c: number): Cumulant {
  const [low, high] = [loss[0]! * c, loss[loss.length - 1]! * c];
  const most = Math.max(low, high);
  const small = most < 0.5 && Math.min(low, high) > -0.5;
  const base = small ? 0 : most;
  let [sum, first, second, size] = [0, 0, 0, 0];
  // In chunks, so that rounding grows with their length and their number, not with all losses.
  for (let start = 0; start < loss.length; start += CHUNK) {
    let [part, absolute] = [0, 0];
    for (let j = start; j < Math.min(loss.length, start + CHUNK); j++) {
      const x = loss[j]!;
      // Where all exponents are small, e^x − 1 keeps the digits that a long list would lose.
      const growth = small ? Math.expm1(c * x) : Math.exp(c * x - base);
      const weight = mass[j]! * (small ? 1 + growth : growth);
      part += mass[j]! * growth;
      absolute += mass[j]! * Math.abs(growth);
      first += weight * x;
      second += weight * x * x;
    }
    sum += part;
    size += absolute;
  }
  const rounding = (CHUNK + loss.length / CHUNK + 16) * 2 ** -53;
  const furthest = Math.max(Math.abs(low), Math.abs(high));
  const whole = small ? finite + sum : sum;
  const mean = first / whole;
  return {
    value: small ? Math.log1p(sum - (1 - finite)) : base + Math.log(sum),
    mean,
    variance: Math.max(0, second / whole - mean * mean),
    error: small
      ? 2 * rounding * size + 2 ** -51 * Math.abs(1 - finite) + 2 ** -53
      : rounding + 2 ** -50 * furthest,
  };
}

/** Of all releases together. */
export function totalCumulant(components: readonly Component[], c: number): Cumulant {
  let [value, mean, variance, error] = [0, 0, 0, 0];
  for (const { losses, times } of components) {
    const one = cumulantOf(losses, c);
    value += times * one.value;
    mean += times * one.mean;
    variance += times * one.variance;
    error += times * one.error + 2 ** -52 * Math.abs(times * one.value);
  }
  return { value, mean, variance, error };
}

/** E (1 − e^(ε − S))₊ ≤ e^(K(c) − cε)·max e^(−cy)(1 − e^−y) over y > 0, which is at y = log (1 + 1/c). */
export function tiltBound(value: number, c: number, epsilon: number): number {
  // Large terms may cancel, their roundings do not.
  const rounding = 16 * UNIT * (Math.abs(value) + Math.abs(c * epsilon) + c * Math.log1p(1 / c));
  return Math.exp(value - c * epsilon - c * Math.log1p(1 / c) - Math.log1p(c) + rounding) * (1 + 1e-9);
}

/** Where e^(K(c) − cε) / (c(c + 1)), the size of what is summed up, is least: its derivative in c vanishes there. */
export function tiltFor(components: readonly Component[], epsilon: number): number {
  return solve(components, (c, k) => k.mean - epsilon - 1 / c - 1 / (c + 1));
}

/** The same for the ε at which δ is about e^logDelta. */
export function tiltForDelta(components: readonly Component[], logDelta: number): number {
  return solve(components, (c, k) => {
    const epsilon = k.mean - 1 / c - 1 / (c + 1);
    const spread = k.variance + 1 / c ** 2 + 1 / (c + 1) ** 2;
    return logDelta - (k.value - c * epsilon - Math.log(c * (c + 1)) - Math.log(2 * Math.PI * spread) / 2);
  });
}

/** The root of a function that grows with c, near enough; any c above 0 is sound. */
function solve(components: readonly Component[], f: (c: number, k: Cumulant) => number): number {
  const rough = components.map(({ losses, times }) => ({ losses: coarse(losses), times }));
  const at = (c: number) => f(c, totalCumulant(rough, c));
  const { mean, variance } = totalCumulant(rough, 0);
  let c = Math.min(MOST_TILT, Math.max(LEAST_TILT, 1 / Math.sqrt(variance + mean * mean + 1e-300)));
  let [low, high] = [LEAST_TILT, MOST_TILT];
  if (at(c) > 0) {
    do [high, c] = [c, Math.max(low, c / 4)];
    while (c > low && at(c) > 0);
    low = c;
  } else {
    do [low, c] = [c, Math.min(high, c * 4)];
    while (c < high && at(c) <= 0);
    high = c;
  }
  for (let i = 0; i < 40 && high / low > 1.06; i++) {
    const middle = Math.sqrt(low * high);
    if (at(middle) > 0) high = middle;
    else low = middle;
  }
  return Math.sqrt(low * high);
}

/** Stretches of losses that are told apart when a tilt is looked for. */
const COARSE = 96;

export const coarse: (losses: Losses) => Losses = remembered((losses) => fewer(losses, COARSE));

/**
 * Fewer losses: those of a stretch are shared out to its ends with the same mean. As e^(cx) is convex, what this says of K is an
 * upper bound, and near; for orders next to 1 only of the law whose mean is kept.
 */
export function fewer(losses: Losses, stretches: number): Losses {
  const { loss, mass } = losses;
  if (loss.length <= 3 * stretches) return losses;
  const first = loss[0]!;
  const width = (loss[loss.length - 1]! - first) / stretches;
  const [values, masses]: [number[], number[]] = [[], []];
  for (let j = 0; j < loss.length; ) {
    const stretch = Math.floor((loss[j]! - first) / width);
    const low = loss[j]!;
    let [sum, moment, high] = [0, 0, low];
    for (; j < loss.length && Math.floor((loss[j]! - first) / width) === stretch; j++) {
      high = loss[j]!;
      sum += mass[j]!;
      moment += mass[j]! * (high - low);
    }
    const above = high > low ? Math.min(sum, (moment / (high - low)) * (1 + 1e-12)) : 0;
    values.push(low);
    masses.push(sum - above);
    if (above > 0) {
      values.push(high);
      masses.push(above);
    }
  }
  return {
    ...losses,
    finite: losses.finite + 2e-12,
    loss: Float64Array.from(values),
    mass: Float64Array.from(masses, (p) => p * (1 + 1e-12)),
  };
}

const LEAST_TILT = 1e-9;
const MOST_TILT = 1e9;

/** The ε that a tilt is the best for. */
export function epsilonOf(components: readonly Component[], c: number): number {
  return totalCumulant(components, c).mean - 1 / c - 1 / (c + 1);
}

/** About log δ(ε), by the curvature of what is summed up at its least. */
export function estimateAt(components: readonly Component[], c: number, epsilon: number): number {
  const { value, variance } = totalCumulant(components, c);
  const spread = variance + 1 / c ** 2 + 1 / (c + 1) ** 2;
  return Math.min(0, value - c * epsilon - Math.log(c * (c + 1)) - Math.log(2 * Math.PI * spread) / 2);
}
