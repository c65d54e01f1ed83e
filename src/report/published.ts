// What readers see: the error of a published value after it was clamped and rounded, which depends on the true value. Computed
// from the noise alone, in doubles: these are figures of utility.

import { rational, toNumberNear } from '../exact/index.js';
import { type Mechanism, remembered, textOfIndex, utilityOf } from '../mechanism/index.js';
import { lastIndex, moments, type Pmf, probabilities, quantile } from '../pmf/index.js';
import type { ProtectedColumn } from '../terms/index.js';

/** Of a value that is truly `value`, in data units. */
export type PublishedError = Readonly<Record<'value' | 'bias' | 'meanAbsolute' | 'std', number>>;

export interface Published {
  /** True values within the bounds, or one period of the rounding. */
  readonly at: readonly PublishedError[];
  /** The bounds within which the figures hold; a value that truly lies outside is moved to them. Null without a clamp. */
  readonly bounds: readonly [string, string] | null;
  readonly leastBias: number;
  readonly greatestBias: number;
  readonly greatestStd: number;
  /** The mean error, at least and at most. */
  readonly leastError: number;
  readonly greatestError: number;
  /** Where averages of published values are misleading; null where they are not. */
  readonly warning: string | null;
}

/** True values that are looked at, at each end and in the middle. */
const POINTS = 21;
/** Beyond this share of the noise's own mean error, or of the width between the bounds, a bias is worth a warning. */
const SMALL = 0.1;
/** Beside the standard deviation, what doubles leave of nothing. */
const ROUNDING = 1e-15;

const knownOf = remembered((_mechanism: Mechanism) => new Map<string, Published | null>());

/** Null where nothing is done afterwards: then the noise's own figures hold for every value. */
export function publishedError(column: ProtectedColumn): Published | null {
  const { low, high, roundTo } = column.finish;
  const known = knownOf(column.mechanism);
  const key = `${low} ${high} ${roundTo}`;
  if (!known.has(key)) known.set(key, compute(column));
  return known.get(key)!;
}

function compute({ mechanism, lattice, finish }: ProtectedColumn): Published | null {
  const { low, high, roundTo } = finish;
  const clamped = low > -lattice.limit || high < lattice.limit;
  if (!clamped && roundTo === 1n) return null;
  const { pmf } = mechanism;
  const unit = toNumberNear(pmf.step);
  const { first, p, reach } = bulkOf(pmf, unit);
  const { mean } = utilityOf(pmf);
  const errorAt = (x: bigint): PublishedError => {
    // All from x on, for x itself may be beyond what doubles count by ones.
    const [least, most, round] = [low - x, high - x, roundTo].map(Number) as [number, number, number];
    const over = Number(((x % roundTo) + roundTo) % roundTo);
    let [mass, sum, absolute, square] = [0, 0, 0, 0];
    for (let i = 0; i < p.length; i++) {
      const noise = first + i;
      const rounded = round === 1 ? noise : Math.floor((over + noise) / round + 0.5) * round - over;
      const off = Math.min(Math.max(rounded, least), most);
      mass += p[i]!;
      // What is moved, beside the noise's own mean: far from a bound that is little, and none of it is rounded away.
      sum += p[i]! * (off - noise);
      absolute += p[i]! * Math.abs(off);
      square += p[i]! * off * off;
    }
    const bias = sum / mass + mean / unit;
    const std = Math.sqrt(Math.max(0, square / mass - bias * bias));
    return {
      value: Number(x) * unit,
      bias: Math.abs(bias) < ROUNDING * std ? 0 : bias * unit,
      meanAbsolute: (absolute / mass) * unit,
      std: std * unit,
    };
  };
  const at = trueValues(clamped ? { low, high } : null, roundTo, reach).map(errorAt);
  const [leastBias, greatestBias] = [
    Math.min(...at.map(({ bias }) => bias)),
    Math.max(...at.map(({ bias }) => bias)),
  ];
  // Of two that are as bad, the first.
  const worst = at.reduce((a, b) => (Math.abs(b.bias) > (1 + 1e-9) * Math.abs(a.bias) ? b : a));
  // Between bounds closer than the noise is wide, no bias is large beside it, and means are lost all the same.
  const width = clamped ? Number(high - low) * unit : Infinity;
  const large = Math.abs(worst.bias) > SMALL * Math.min(toNumberNear(moments(pmf).meanAbsolute), width);
  const what = clamped ? (roundTo === 1n ? 'clamping' : 'clamping and rounding') : 'rounding';
  const moves = what.includes(' ') ? 'move' : 'moves';
  return {
    at,
    bounds: clamped ? [textOfIndex(low, lattice), textOfIndex(high, lattice)] : null,
    leastBias,
    greatestBias,
    greatestStd: Math.max(...at.map(({ std }) => std)),
    leastError: Math.min(...at.map(({ meanAbsolute }) => meanAbsolute)),
    greatestError: Math.max(...at.map(({ meanAbsolute }) => meanAbsolute)),
    warning: large
      ? `${what} ${moves} averages: a true value of ${short(worst.value)} comes out ${short(Math.abs(worst.bias))} too ${worst.bias > 0 ? 'high' : 'low'} on average, and sums and means with it; leave ${what} out where readers compute them`
      : null,
  };
}

/** How far most of the noise reaches, in steps, and the noise as far as twice that: beyond is less than any figure shows. */
function bulkOf(pmf: Pmf, unit: number): { first: number; p: Float64Array; reach: bigint } {
  const index = (num: bigint) => Math.round(toNumberNear(quantile(pmf, rational(num, 1000n))) / unit);
  const [low, middle, high] = [index(2n), index(500n), index(998n)];
  const reach = Math.max(1, 2 * (high - low));
  const first = Math.min(pmf.left ? middle - 2 * reach : pmf.from, pmf.from);
  const last = Math.max(pmf.right ? middle + 2 * reach : lastIndex(pmf), lastIndex(pmf));
  return { first, p: probabilities(pmf, first, last).p, reach: BigInt(reach) };
}

/** Near both bounds, where a clamp matters, and over one period, where rounding does; all of them where they are few. */
function trueValues(bounds: { low: bigint; high: bigint } | null, roundTo: bigint, reach: bigint): bigint[] {
  const evenly = (from: bigint, to: bigint) => {
    const points = to - from < BigInt(2 * POINTS) ? to - from + 1n : BigInt(POINTS);
    return Array.from({ length: Number(points) }, (_, i) =>
      points === 1n ? from : from + (BigInt(i) * (to - from)) / (points - 1n),
    );
  };
  const values: bigint[] = [];
  if (bounds && bounds.high - bounds.low <= 2n * reach) values.push(...evenly(bounds.low, bounds.high));
  else if (bounds)
    values.push(...evenly(bounds.low, bounds.low + reach), ...evenly(bounds.high - reach, bounds.high));
  if (roundTo > 1n) {
    const middle = bounds ? (bounds.low + bounds.high) / 2n : 0n;
    const start = middle - (((middle % roundTo) + roundTo) % roundTo);
    values.push(...evenly(start, start + roundTo - 1n), start + roundTo / 2n - 1n, start + roundTo / 2n);
  }
  const inside = (value: bigint) => !bounds || (value >= bounds.low && value <= bounds.high);
  return [...new Set(values.filter(inside))].sort((a, b) => (a < b ? -1 : 1));
}

function short(x: number): string {
  return String(Number(x.toPrecision(4)));
}
