// Rényi divergences of a law of losses, both ways, between the laws restricted to their common support and normalised; what is cut off
// is added to δ.

import { remembered } from '../mechanism/index.js';
import { type Losses, UNIT } from './losses.js';
import { fewer } from './tilt.js';

/** Orders that are looked at: from next to 1 to where the largest loss is all that counts. */
export const ORDERS: readonly number[] = Array.from({ length: 600 }, (_, i) => 1 + 1e-3 * 1.035 ** i);

/** Stretches into which very many losses are put together. */
const STRETCHES = 3_000;

/** An upper bound on D_α, α > 1, the larger of both ways. */
export function renyiAt(given: Losses, order: number): number {
  const [here, there] = bothWays(given);
  const { infinite, missing } = given;
  const keptHere = Math.log1p(-Math.min(infinite.upper, 0.999999));
  const keptThere = Math.log1p(-Math.min(missing, 0.999999));
  const value = (blocks: Blocks) =>
    growthUp(blocks, order - 1) + 4 * blocks.law.massError + (order - 1) * blocks.law.lossError;
  // Σ P^α·Q^(1 − α) = E_P e^((α − 1)L), and with P and Q exchanged.
  const forward = value(here) - order * keptHere + (order - 1) * keptThere;
  const back = value(there) - order * keptThere + (order - 1) * keptHere;
  return Math.max(0, forward, back) / (order - 1);
}

/** Losses that are looked at together. */
const BLOCK = 16;
/** Blocks that are at most this part of the largest, by its logarithm, are bounded as a whole. */
const SMALL = -44;

/** A law in blocks of neighbouring losses: the logarithm of each one's mass, and its largest loss, which is its last. */
interface Blocks {
  readonly law: Losses;
  readonly log: Float64Array;
  readonly top: Float64Array;
  /** How far apart all neighbouring losses are, and how far they are off from that; null where they are not alike. */
  readonly even: { readonly apart: number; readonly off: number } | null;
  /** Σ p·L^k and Σ p·|L|^k, from k = 1 on: of small exponents they say all. */
  readonly moments: Float64Array;
  readonly absolute: Float64Array;
}

/** Moments that are kept: of exponents below ½ what comes after is less than rounding. */
const MOMENTS = 20;

function inBlocks(law: Losses): Blocks {
  const { loss, mass } = law;
  const count = Math.ceil(loss.length / BLOCK);
  const [log, top] = [new Float64Array(count), new Float64Array(count)];
  for (let b = 0; b < count; b++) {
    const end = Math.min(loss.length, (b + 1) * BLOCK);
    let sum = 0;
    for (let j = b * BLOCK; j < end; j++) sum += mass[j]!;
    log[b] = Math.log(sum * (1 + 1e-12)) + 1e-12;
    top[b] = loss[end - 1]!;
  }
  return { law, log, top, even: spacingOf(loss), ...momentsOf(law) };
}

/** Of the largest loss, how far off losses may be that are taken to be evenly apart. */
const EVEN = 1e-11;

function spacingOf(loss: Float64Array): Blocks['even'] {
  if (loss.length < 2) return null;
  const [first, last] = [loss[0]!, loss[loss.length - 1]!];
  const apart = (last - first) / (loss.length - 1);
  const furthest = Math.max(Math.abs(first), Math.abs(last));
  let off = 0;
  for (let j = 1; j < loss.length - 1; j++) off = Math.max(off, Math.abs(loss[j]! - first - j * apart));
  return off <= EVEN * furthest ? { apart, off: off + 8 * UNIT * furthest } : null;
}

/** Summed up in blocks, as everything here. */
function momentsOf({ loss, mass }: Losses) {
  const [moments, absolute] = [new Float64Array(MOMENTS), new Float64Array(MOMENTS)];
  const [part, partly] = [new Float64Array(MOMENTS), new Float64Array(MOMENTS)];
  for (let from = 0; from < loss.length; from += BLOCK) {
    part.fill(0);
    partly.fill(0);
    for (let j = from; j < Math.min(loss.length, from + BLOCK); j++) {
      let power = mass[j]!;
      for (let k = 0; k < MOMENTS; k++) {
        power *= loss[j]!;
        part[k]! += power;
        partly[k]! += Math.abs(power);
      }
    }
    for (let k = 0; k < MOMENTS; k++) {
      moments[k]! += part[k]!;
      absolute[k]! += partly[k]!;
    }
  }
  return { moments, absolute };
}

/** At least log E e^(cL) of the finite losses, c > 0. */
function growthUp(blocks: Blocks, c: number): number {
  const { law, log, top, even } = blocks;
  const { loss, mass } = law;
  const [low, high] = [loss[0]! * c, loss[loss.length - 1]! * c];
  if (high < 0.5 && low > -0.5) return smallGrowthUp(blocks, c);
  let largest = 0;
  for (let b = 1; b < log.length; b++)
    if (log[b]! + c * top[b]! > log[largest]! + c * top[largest]!) largest = b;
  const base = log[largest]! + c * top[largest]!;
  const ratio = even ? Math.exp(-c * even.apart) : 0;
  const sumOf = (b: number) => {
    const [from, end] = [b * BLOCK, Math.min(loss.length, (b + 1) * BLOCK)];
    let part = 0;
    if (even) {
      // Down from the block's largest loss, each factor the ratio times the one before.
      for (let j = from; j < end; j++) part = part * ratio + mass[j]!;
      return grownBy(part, c * top[b]! - base);
    }
    for (let j = from; j < end; j++) part += grownBy(mass[j]!, c * loss[j]! - base);
    return part;
  };
  let sum = sumOf(largest);
  const enough = base + Math.log(sum) + SMALL;
  for (let b = 0; b < log.length; b++) if (b !== largest && log[b]! + c * top[b]! >= enough) sum += sumOf(b);
  const left = log.length * Math.exp(enough - base);
  const furthest = Math.max(Math.abs(low), Math.abs(high), Math.abs(base));
  const rounding = (BLOCK + log.length + 16) * UNIT + 8 * UNIT * furthest;
  // Where losses are taken to be evenly apart, what they are off by, and the ratio's own rounding, to its 15th power.
  const uneven = even ? 2 * c * even.off + 8 * BLOCK * UNIT * (1 + furthest) : 0;
  const most = sum + left * (1 + 1e-9);
  // A sum that was lost says nothing: no divergence is below it.
  if (!(most > 0)) return Infinity;
  return base + Math.log(most) + rounding + uneven;
}

/** Where all exponents are small: e^x − 1 by its series, which keeps the digits that a long list would lose. */
function smallGrowthUp({ law: { finite }, log, moments, absolute }: Blocks, c: number): number {
  let [factor, sum, size] = [1, 0, 0];
  for (let k = 0; k < MOMENTS; k++) {
    factor *= c / (k + 1);
    sum += factor * moments[k]!;
    size += factor * absolute[k]!;
  }
  // What is left of the series is below its last term.
  const left = factor * absolute[MOMENTS - 1]!;
  const rounding = (BLOCK + log.length + 3 * MOMENTS + 16) * UNIT;
  return Math.log1p(sum + left - (1 - finite)) + 2 * rounding * size + 4 * UNIT * Math.abs(1 - finite) + UNIT;
}

/** p·e^x, also where only the product is no larger than doubles are. */
function grownBy(p: number, x: number): number {
  return x < 600 ? p * Math.exp(x) : p > 0 ? Math.exp(Math.log(p) + x) * (1 + 1e-11) : 0;
}

/** The law of the losses, and that of the other dataset. Each is put together around its own mean, or orders next to 1 would be far off. */
const bothWays: (law: Losses) => readonly [Blocks, Blocks] = remembered((law: Losses) => [
  inBlocks(fewer(law, STRETCHES)),
  inBlocks(fewer(turned(law), STRETCHES)),
]);

/** The other dataset's losses: −L, of the mass p·e^−L. */
function turned(law: Losses): Losses {
  const error = law.massError + law.lossError + 4 * UNIT;
  const mass = law.mass.map((p, j) => p * Math.exp(-law.loss[j]!)).reverse();
  let [sum, carried] = [0, 0];
  for (const q of mass) {
    const next = sum + q;
    carried += sum >= q ? sum - next + q : q - next + sum;
    sum = next;
  }
  return {
    loss: law.loss.map((x) => -x).reverse(),
    mass,
    finite: Math.min(1, (sum + carried) * (1 + 2 * error)),
    infinite: { lower: 0, upper: law.missing },
    missing: law.infinite.upper,
    lossError: law.lossError,
    massError: error,
  };
}

/** The larger of the two masses that are cut off. */
export function cutOf({ infinite, missing }: Losses): number {
  return Math.max(infinite.upper, missing);
}

/** So many releases, of which the law that loses most counts. */
interface Repeated {
  readonly laws: readonly Losses[];
  readonly times: number;
}

/** An upper bound on D_α of all releases together. */
export function renyiOfAll(releases: readonly Repeated[], order: number): number {
  return releases.reduce(
    (sum, { laws, times }) => sum + times * Math.max(...laws.map((law) => renyiAt(law, order))),
    0,
  );
}

/** Orders, by their distance from 1: a chord is too high by a quarter of the square of their steps, less next to 1. */
const STEP = 0.01;
const WIDEST_STEP = 0.1;
/** Losses with which steps become wider. */
const MANY = 100_000;

/**
 * The least ρ with D_α ≤ ρα at every order, from above, of all releases together: (α − 1)·D_α is convex in α, so chords bound it
 * between orders.
 */
export const concentratedRho: (releases: readonly Repeated[]) => number = remembered(rhoOf);

function rhoOf(releases: readonly Repeated[]): number {
  let [most, losses] = [0, 0];
  for (const { laws, times } of releases) {
    const furthest = laws.map((law) => {
      const ends = Math.max(Math.abs(law.loss[0] ?? 0), Math.abs(law.loss.at(-1) ?? 0));
      losses += law.loss.length;
      return ends - 2 * Math.log1p(-Math.min(0.5, cutOf(law)));
    });
    most += times * Math.max(...furthest);
  }
  const step = Math.min(WIDEST_STEP, STEP * Math.max(1, losses / MANY));
  let rho = 0;
  let [before, last] = [1, 0];
  for (let away = 1e-5; away < 1e7; away *= 1 + Math.max(step, Math.min(1, (0.6 * step) / Math.sqrt(away)))) {
    const order = 1 + away;
    const value = away * renyiOfAll(releases, order);
    rho = Math.max(rho, highest(before, last, order, value));
    [before, last] = [order, value];
    // Beyond, D_α is at most the largest loss.
    if (most / order <= rho) return rho * (1 + 1e-12);
  }
  return Math.max(rho, most / before) * (1 + 1e-12);
}

/** The most of chord / (α(α − 1)) between two orders: at an end, or where its derivative vanishes. */
function highest(a: number, x: number, b: number, y: number): number {
  const slope = (y - x) / (b - a);
  const start = x - slope * a;
  const at = (order: number) => (order > 1 ? (start + slope * order) / (order * (order - 1)) : slope);
  const root = Math.sqrt(Math.max(0, start * start + slope * start));
  const inner = [(-start + root) / slope, (-start - root) / slope].filter((order) => order > a && order < b);
  return Math.max(...[a, b, ...inner].map(at));
}
