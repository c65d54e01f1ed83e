// What is certain of a column, with the confidence asked for, whatever its values are: of n rows each has its own value and its own
// noise, so those released up to a threshold are a sum of independent indicators that are not alike. By Chernoff's bound, which
// allows that, their share S/n and its mean F are so near that n·KL(S/n ‖ F) ≤ ln(2J / α), at J thresholds at once
// (proofs/recover.md). All distributions of true values that keep F there are possible, and no others.

import { badData } from '../error/index.js';
import { priceOf, type Ranged, rangedBound } from '../solve/index.js';
import { edgesOf, type Outputs } from './cells.js';
import type { Support, Within } from './kernel.js';
import type { Interval } from './usual.js';

export interface Possible {
  /** The least that the mean of f over the column can be; where f changes at one place alone, `at` may say so. */
  least(f: (x: number) => number, at?: number): number;
}

/** The least and the most that the mean of f can be. */
export function between(possible: Possible, f: (x: number) => number, at?: number): Interval {
  return [possible.least(f, at), most(possible, f, at)];
}

export function most(possible: Possible, f: (x: number) => number, at?: number): number {
  return -possible.least((x) => -f(x), at);
}

/** Thresholds at most: more see more, and each is a little less certain. */
const THRESHOLDS = 64;
/** A divergence beyond which shares are hardly held by anything. */
const VAGUE = 1;
/** Thresholds further from where something changes than this, in deviations of the noise and in thresholds, hardly matter to it. */
const FAR_NOISE = 8;
const FAR_THRESHOLDS = 4;
/** Where more than this share of them matters, all are taken. */
const MOST_KEPT = 0.75;
/** What rounding may have changed, relative to the largest number that went in. */
const ROUNDING = 1e-12;

/** `reach`: from which to which sum noise on the support goes, but for next to nothing. */
export function possible(
  outputs: Outputs,
  within: Within,
  support: Support,
  reach: readonly [low: number, high: number],
  alpha: number,
  noise: { readonly mean: number; readonly deviation: number },
): Possible {
  const { seen, rows: n } = outputs;
  // Chosen from the mechanism and the range alone: thresholds that follow the data would have to be counted as if they were all.
  const edges = edgesOf(outputs, reach[0], reach[1], THRESHOLDS);
  const allowed = allowedAt(edges.length, n, alpha);
  // So few rows tell next to nothing; that much is certain without a programme.
  if (allowed > VAGUE) return { least: (f) => leastOf(support, f) };
  const low = new Float64Array(edges.length);
  const high = new Float64Array(edges.length);
  edges.forEach((edge, i) => {
    let count = 0;
    for (const cell of seen) if (cell.high <= edge) count += cell.count;
    [low[i], high[i]] = nearShares(count / n, allowed);
  });
  const values = Array.from({ length: support.points }, (_, k) => support.from + k * support.apart);
  const rows = edges.map((edge) => Float64Array.from(values, (x) => within(-Infinity, edge - x)));
  const all = { rows: edges, low, high };
  const problem: Ranged = { rows, low, high };
  const apart = edges.length > 1 ? edges[1]! - edges[0]! : 1;
  const far = FAR_NOISE * noise.deviation + FAR_THRESHOLDS * apart;
  /** Thresholds near the only place where f changes are those that matter: whatever multipliers they get, all is proved with them. */
  const multipliers = (f: (x: number) => number, at: number | undefined): Float64Array => {
    const kept = [...edges.keys()].filter(
      (i) => at === undefined || Math.abs(edges[i]! - noise.mean - at) <= far,
    );
    if (kept.length === 0 || kept.length > MOST_KEPT * edges.length)
      return rangedBound(problem, Float64Array.from(values, f)).h;
    const columns = [...values.keys()].filter(
      (k) => k === 0 || k === values.length - 1 || Math.abs(values[k]! - at!) <= 2 * far,
    );
    const near = {
      rows: kept.map((i) => Float64Array.from(columns, (k) => rows[i]![k]!)),
      low: Float64Array.from(kept, (i) => low[i]!),
      high: Float64Array.from(kept, (i) => high[i]!),
    };
    const found = rangedBound(
      near,
      Float64Array.from(columns, (k) => f(values[k]!)),
    ).h;
    const h = new Float64Array(edges.length);
    for (const [i, own] of kept.entries()) h[own] = found[i]!;
    return h;
  };
  const cut = cutOf(within, support.last - support.from, noise.deviation);
  const least = (f: (x: number) => number, at?: number) =>
    proved(all, within, support, cut, f, multipliers(f, at));
  if (least(() => 0) > 0)
    throw badData(
      `if all true values lay within this range, this mechanism would release such values at most once in ${Math.round(1 / alpha)} times; widen it, or name {mechanism}, {clamp} and {roundTo} as the column was released`,
      'range',
    );
  return { least };
}

/** The least value of f. */
function leastOf({ from, last }: Support, f: (x: number) => number): number {
  let least = Infinity;
  for (let x = from; x <= last; x++) least = Math.min(least, f(x));
  return least;
}

/** Noise on either side that is next to nothing, and how much of it lies further out than that. */
interface Cut {
  readonly steps: number;
  readonly beyond: number;
}

/** As near as may be; where the noise goes on over the whole range, nothing is cut off. */
function cutOf(within: Within, width: number, deviation: number): Cut {
  for (let steps = Math.ceil(8 * deviation) + 1; steps < width; steps *= 2) {
    const beyond = Math.max(within(-Infinity, -steps), within(steps, Infinity));
    if (beyond <= ROUNDING) return { steps, beyond };
  }
  return { steps: Infinity, beyond: 0 };
}

/** What multipliers prove for every true value there can be, also between those the programme had. */
function proved(
  { rows, low, high }: { rows: readonly number[]; low: Float64Array; high: Float64Array },
  within: Within,
  { from, last }: Support,
  cut: Cut,
  f: (x: number) => number,
  h: Float64Array,
): number {
  const used = [...h.keys()].filter((i) => h[i] !== 0);
  // Thresholds far above a value are certain to be above what is released of it, and count whole.
  const above = new Float64Array(used.length + 1);
  for (let u = used.length - 1; u >= 0; u--) above[u] = above[u + 1]! + h[used[u]!]!;
  let [least, size, near, far] = [Infinity, 0, 0, 0];
  for (let x = from; x <= last; x++) {
    while (near < used.length && rows[used[near]!]! < x - cut.steps) near++;
    while (far < used.length && rows[used[far]!]! <= x + cut.steps) far++;
    const own = f(x);
    size = Math.max(size, Math.abs(own));
    let sum = own - above[far]!;
    for (let u = near; u < far; u++) sum -= h[used[u]!]! * within(-Infinity, rows[used[u]!]! - x);
    least = Math.min(least, sum);
  }
  const multipliers = h.reduce((sum, v) => sum + Math.abs(v), 0);
  return least + priceOf(low, high, h) - (ROUNDING + cut.beyond) * multipliers - ROUNDING * size;
}

/** How large KL(S/n ‖ F) is at most, at so many thresholds on both sides, but for a chance of α. */
export function allowedAt(thresholds: number, rows: number, alpha: number): number {
  return Math.log((2 * Math.max(1, thresholds)) / alpha) / rows;
}

/** All means F with KL(share ‖ F) ≤ allowed, a little more than that rather than less. */
export function nearShares(share: number, allowed: number): readonly [low: number, high: number] {
  const divergence = (F: number) =>
    (share > 0 ? share * Math.log(share / F) : 0) +
    (share < 1 ? (1 - share) * Math.log((1 - share) / (1 - F)) : 0);
  const edge = (outer: number) => {
    let [inside, outside] = [share, outer];
    for (let i = 0; i < 60; i++) {
      const middle = (inside + outside) / 2;
      if (divergence(middle) > allowed) outside = middle;
      else inside = middle;
    }
    return outside;
  };
  return [share === 0 ? 0 : edge(0), share === 1 ? 1 : edge(1)];
}
