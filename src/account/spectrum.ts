// The characteristic function of tilted losses, with bounds on its errors and on its size where it is not worked out.

import { UNIT } from './losses.js';
import type { Progression } from './progression.js';
import { farBound } from './smooth.js';
import { type Component, cumulantOf } from './tilt.js';

/** Losses of one law under a tilt, about their mean: offset + unit·(mean + x). */
export interface Part {
  readonly times: number;
  /** Ascending. */
  readonly x: Float64Array;
  readonly q: Float64Array;
  readonly offset: number;
  readonly unit: number;
  readonly mean: number;
  /** Mass that is left out. */
  readonly dropped: number;
  /** How far off each mass may be, relative to itself. */
  readonly off: number;
  /** Are all distances whole? */
  readonly whole: boolean;
}

/** Mass that is left out of all releases together: less than any rounding. */
const DROPPED = 2 ** -56;

/** Losses on a progression take its spacing for their unit, and whole places. */
export function partsOf(
  components: readonly Component[],
  c: number,
  progressions: readonly (Progression | null)[],
  dropped = DROPPED,
): Part[] {
  return components.map((component, i) => partOf(component, c, progressions[i]!, dropped));
}

function partOf(
  { losses, times }: Component,
  c: number,
  progression: Progression | null,
  most: number,
): Part {
  const { loss, mass } = losses;
  const { value } = cumulantOf(losses, c);
  const n = loss.length;
  const weights = new Float64Array(n);
  for (let j = 0; j < n; j++) weights[j] = mass[j]! * Math.exp(c * loss[j]! - value);
  const allowed = most / times;
  let [low, high, dropped] = [0, n - 1, 0];
  for (; low < high && dropped + weights[low]! <= allowed / 2; low++) dropped += weights[low]!;
  for (; low < high && dropped + weights[high]! <= allowed; high--) dropped += weights[high]!;
  const q = weights.slice(low, high + 1);
  const { offset, spacing: unit } = progression ?? { offset: 0, spacing: 1 };
  const x = loss.slice(low, high + 1);
  let mean = 0;
  for (let j = 0; j < x.length; j++) {
    if (progression) x[j] = Math.round((x[j]! - offset) / unit);
    mean += q[j]! * x[j]!;
  }
  for (let j = 0; j < x.length; j++) x[j]! -= mean;
  const furthest = Math.abs(c) * Math.max(Math.abs(loss[0]!), Math.abs(loss[n - 1]!));
  const off = 4 * UNIT * (furthest + Math.abs(value) + 4);
  return { times, x, q, offset, unit, mean, dropped, off, whole: progression !== null };
}

/** Π φ^times at the frequencies k·turn: modulus e^log, at most e^most, and a phase; `off` is how far off it may be, relative to itself. */
export interface Spectrum {
  /** The first k; where only sizes are wanted, it need not be whole. */
  readonly first: number;
  readonly log: Float64Array;
  readonly phase: Float64Array;
  readonly most: Float64Array;
  readonly off: Float64Array;
}

/** Frequencies from one exact start to the next, and atoms that are added up in one go. */
export const BLOCK = 16;
const CHUNK = 256;

/** At k = first … first + count − 1. */
export function spectrumOf(parts: readonly Part[], turn: number, first: number, count: number): Spectrum {
  const array = () => new Float64Array(count);
  const spectrum = { first, log: array(), phase: array(), most: array(), off: array() };
  for (const part of parts) addSpectrum(part, turn, spectrum);
  return spectrum;
}

function addSpectrum({ times, x, q, unit, dropped, off }: Part, turn: number, into: Spectrum): void {
  const { first } = into;
  const atoms = x.length;
  const array = () => new Float64Array(atoms);
  const [half, turnSin, turnCos, sin, cos] = [array(), array(), array(), array(), array()];
  let spread = 0;
  for (let j = 0; j < atoms; j++) {
    half[j] = (x[j]! * turn * unit) / 2;
    spread += q[j]! * Math.abs(half[j]!);
    turnSin[j] = Math.sin(half[j]!);
    turnCos[j] = Math.cos(half[j]!);
  }
  const roundings = (6 * BLOCK + CHUNK + atoms / CHUNK + 24) * UNIT + off;
  for (let n = 0; n < into.log.length; n++) {
    if (n % BLOCK === 0)
      for (let j = 0; j < atoms; j++) {
        sin[j] = Math.sin(half[j]! * (first + n));
        cos[j] = Math.cos(half[j]! * (first + n));
      }
    let [real, imaginary] = [0, 0];
    for (let start = 0; start < atoms; start += CHUNK) {
      const end = Math.min(atoms, start + CHUNK);
      let [a, b] = [0, 0];
      for (let j = start; j < end; j++) {
        const [s, t] = [sin[j]!, cos[j]!];
        const weighted = q[j]! * s;
        a += weighted * s;
        b += weighted * t;
        sin[j] = s * turnCos[j]! + t * turnSin[j]!;
        cos[j] = t * turnCos[j]! - s * turnSin[j]!;
      }
      real += a;
      imaginary += b;
    }
    // φ = 1 − 2·Σ q sin²(x/2) + 2i·Σ q sin(x/2) cos(x/2)
    const [a, b] = [2 * real, 2 * imaginary];
    const square = b * b - a * (2 - a);
    const modulus = square > -0.5 ? Math.log1p(square) / 2 : Math.log(Math.hypot(1 - a, b));
    const size = Math.exp(modulus);
    // The angles themselves are rounded, by a part of their size.
    const error = roundings * (a + Math.sqrt(2 * a)) + 8 * UNIT * spread * (first + n) + dropped;
    into.log[n]! += times * modulus;
    into.phase[n]! += times * Math.atan2(b, 1 - a);
    into.most[n]! += times * Math.log(size + error);
    into.off[n]! += (1.5 * times * error) / size;
  }
}

/** Masses from which on it is worth while to look at how slowly they change. */
const MANY = 1000;

/** Upper bounds on log |φ| of one part: by its variance near 0, by its variation further out. */
export interface Decay {
  /** For all frequencies from `low` to `high`. */
  readonly over: (low: number, high: number) => number;
  /** |φ′| is nowhere larger. */
  readonly slope: number;
}

/**
 * For |x| ≤ π, 1 − cos x ≥ 2x²/π²: atoms within R of each other give 1 − |φ(θ)|² ≥ (4/π²)·θ²·m²·v for θ ≤ π/R, with m their
 * mass and v their variance. On whole places |φ(θ)|·|1 − e^iθ| is at most the variation of the masses.
 */
export function decayOf({ x, q, unit, whole, dropped, off }: Part): Decay {
  const n = x.length;
  // Sums of so many terms, each of which may be off.
  const slack = 4 * (n + 16) * UNIT + 4 * off;
  const [s0, s1, s2] = [new Float64Array(n + 1), new Float64Array(n + 1), new Float64Array(n + 1)];
  for (let j = 0; j < n; j++) {
    s0[j + 1] = s0[j]! + q[j]!;
    s1[j + 1] = s1[j]! + q[j]! * x[j]!;
    s2[j + 1] = s2[j]! + q[j]! * x[j]! ** 2;
  }
  const variation = whole ? variationOf(x, q) * (1 + slack) : Infinity;
  const far = whole && n >= MANY ? farBound(x, q) : null;
  const below = (bound: number) => {
    let [low, high] = [0, n];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[middle]! < bound) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  let distance = 0;
  for (let j = 0; j < n; j++) distance += q[j]! * Math.abs(x[j]!);
  // |φ′| ≤ E|x|
  const slope = distance * unit * (1 + 1e-9);
  return {
    slope,
    over: (from, to) => {
      const [low, high] = [from * unit, to * unit];
      const reach = Math.PI / high / 2;
      const [a, b] = [below(-reach), below(reach)];
      const mass = s0[b]! - s0[a]!;
      const mean = (s1[b]! - s1[a]!) / mass;
      const spread = mass > 0 ? mass * (s2[b]! - s2[a]! - mass * mean * mean) - 4 * slack * s2[n]! : 0;
      const square = Math.max(0, 1 - (4 / Math.PI ** 2) * low * low * Math.max(0, spread));
      const near = Math.log(Math.sqrt(square) + dropped) + slack;
      if (variation === Infinity) return Math.min(0, near);
      const most = Math.min(variation / leastChord(low, high), far?.(low, high) ?? Infinity);
      return Math.min(0, near, Math.log(most + dropped) + slack);
    },
  };
}

/** The least |1 − e^iθ| for θ from low to high. */
function leastChord(low: number, high: number): number {
  const turns = 2 * Math.PI;
  if (Math.floor(low / turns) !== Math.floor(high / turns)) return 0;
  return 2 * Math.min(Math.abs(Math.sin(low / 2)), Math.abs(Math.sin(high / 2)));
}

/** Σ |q(k + 1) − q(k)| over all whole places. */
function variationOf(x: Float64Array, q: Float64Array): number {
  let sum = q[0]! + q[q.length - 1]!;
  for (let j = 1; j < q.length; j++)
    sum += x[j]! - x[j - 1]! < 1.5 ? Math.abs(q[j]! - q[j - 1]!) : q[j]! + q[j - 1]!;
  return sum;
}
