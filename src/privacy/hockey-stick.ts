// The hockey-stick divergence of additive noise at one shift: Σ_i max(0, p(i) − e^ε·p(i + shift)),
// summed over the whole lattice. Beyond the window the terms repeat with the tails, so one period of
// them stands for all.

import type { Enclosure, Rational } from '../exact/index.js';
import { geometricFactor, lastIndex, type Pmf } from '../pmf/index.js';
import type { ExtendedWindow } from './extended-window.js';

/** On the set where p(i) > e^ε·p(i + shift): δ = over − e^ε·under, both as masses. */
export interface HockeyStick {
  readonly shift: number;
  readonly upper: Rational;
  readonly lower: Rational;
  /** Bounds for use in a tangent: over from below, under from above. */
  readonly over: Rational;
  readonly under: Rational;
}

/** For ε = ∞ give a factor of null: only points without counterpart count. */
export interface ExpEpsilon {
  readonly factor: Enclosure | null;
  /** ε / ln 2, for the quick comparison. */
  readonly log2: number;
}

/** Closer than this in log₂, points are compared in integers. */
const MARGIN = 1e-6;

export function hockeyStick(pmf: Pmf, extended: ExtendedWindow, shift: number, exp: ExpEpsilon): HockeyStick {
  const { lower, upper, lowerLogs, upperLogs, from, exact } = extended;
  const last = lastIndex(pmf);
  const first = pmf.from;
  const size = lower.length;
  const factor = exp.factor?.lower;
  const covered = (over: bigint, under: bigint) =>
    factor ? over * factor.den <= under * factor.num : under > 0n;

  // i and its counterpart i + shift are within the window or one of them is; the others repeat.
  const low = shift > 0 && pmf.left ? first - shift : first;
  const high = shift < 0 && pmf.right ? last - shift : last;
  const sums = { over: 0n, under: 0n, overLow: 0n, underHigh: 0n };
  const right = { ...sums };
  const left = { ...sums };
  for (let i = low; i <= high; i++) {
    const a = i - from;
    const b = a + shift;
    const inside = b >= 0 && b < size;
    // Skipped only where the upper bound is clearly too small, taken only where the lower one is clearly large enough.
    if (inside && upperLogs[a]! - lowerLogs[b]! - exp.log2 < -MARGIN) continue;
    const clear = !inside || lowerLogs[a]! - lowerLogs[b]! - exp.log2 > MARGIN;
    const over = upper[a]!;
    const under = inside ? lower[b]! : 0n;
    if (over === 0n) continue;
    const underHigh = inside ? upper[b]! : 0n;
    if (!clear && covered(over, factor ? under : underHigh)) continue;
    const overLow = lower[a]!;
    include(sums, over, under, overLow, underHigh, exact);
    const outer = shift > 0 ? i : i + shift;
    const inner = shift > 0 ? i + shift : i;
    if (pmf.right && outer > last - pmf.right.period && outer <= last)
      include(right, over, under, overLow, underHigh, exact);
    if (pmf.left && inner < first + pmf.left.period && inner >= first)
      include(left, over, under, overLow, underHigh, exact);
  }
  return assemble(pmf, extended, shift, exp, sums, left, right);
}

interface Sums {
  over: bigint;
  under: bigint;
  overLow: bigint;
  underHigh: bigint;
}

function include(
  sums: Sums,
  over: bigint,
  under: bigint,
  overLow: bigint,
  underHigh: bigint,
  exact: boolean,
): void {
  sums.over += over;
  sums.under += under;
  if (exact) return;
  sums.overLow += overLow;
  sums.underHigh += underHigh;
}

/** Put the window's sums and the repeated ones together as exact fractions of the total. */
function assemble(
  pmf: Pmf,
  { scale, mass, exact }: ExtendedWindow,
  shift: number,
  exp: ExpEpsilon,
  sums: Sums,
  left: Sums,
  right: Sums,
): HockeyStick {
  const none = { num: 0n, den: 1n };
  const l = pmf.left ? geometricFactor(pmf.left) : none;
  const r = pmf.right ? geometricFactor(pmf.right) : none;
  // (window + l·left + r·right) / (scale · total) over one common denominator
  const den = l.den * r.den * scale * mass.num;
  const joined = (key: keyof Sums) =>
    (sums[key] * l.den * r.den + l.num * left[key] * r.den + r.num * right[key] * l.den) * mass.den;
  const over = joined('over');
  const under = joined('under');
  const overLow = exact ? over : joined('overLow');
  const underHigh = exact ? under : joined('underHigh');
  const bound = (a: bigint, b: bigint, factor: Rational | undefined): Rational => {
    if (!factor || b === 0n) return { num: a, den };
    const num = a * factor.den - b * factor.num;
    return num > 0n ? { num, den: den * factor.den } : none;
  };
  return {
    shift,
    upper: bound(over, under, exp.factor?.lower),
    lower: bound(overLow, underHigh, exp.factor?.upper),
    over: { num: overLow, den },
    under: { num: underHigh, den },
  };
}
