// How far the mean of n draws of the noise lies from its own mean at most, from the noise's own law: the smaller of Chernoff's
// bound and that of Berry and Esseen, whose constant for draws of one law is at most 0.4690 [She13].

import { normalQuantileUp } from '../account/index.js';
import { fromNumber, one, toNumberNear } from '../exact/index.js';
import { lastIndex, moments, type Pmf, probabilities, type Tail } from '../pmf/index.js';

const BERRY_ESSEEN = 0.469;
/** Points up to which tails are written out for the third moment. */
const WIDEST = 4_000_000;
/** Tails are written out to where what is left is less than the roundings. */
const FOLDS = 80;

export interface NoiseMean {
  /** E θ, in steps. */
  readonly mean: number;
  /** With this confidence, draws lie from mean − below to mean + above on average. */
  readonly below: number;
  readonly above: number;
  /** The standard deviation of their mean. */
  readonly error: number;
}

/** All in steps, whatever the noise’s own step is. */
export function noiseMean(noise: Pmf, rows: number, alpha: number): NoiseMean {
  const { mean: exact, variance } = moments({ ...noise, step: one });
  const mean = toNumberNear(exact);
  const deviation = Math.sqrt(toNumberNear(variance));
  if (deviation === 0) return { mean, below: 0, above: 0, error: 0 };
  const normal = berryEsseen(noise, mean, deviation, rows, alpha);
  // A step's 2^−40 for what doubles round.
  const side = (sign: 1 | -1) =>
    Math.min(normal, chernoff(noise, mean, deviation, rows, alpha, sign)) + 2 ** -40 * deviation;
  return { mean, below: side(-1), above: side(1), error: deviation / Math.sqrt(rows) };
}

/** The least t with (ln(2/α)/n + ln E e^(s(θ − μ))) / s ≤ t for some s: each s is a bound, the best is taken. */
function chernoff(
  noise: Pmf,
  mean: number,
  deviation: number,
  rows: number,
  alpha: number,
  sign: 1 | -1,
): number {
  const { from, left, right } = noise;
  const { p } = probabilities(noise, from, lastIndex(noise));
  const outward = sign > 0 ? right : left;
  const most = outward ? -Math.log(toNumberNear(outward.ratio)) / outward.period : Infinity;
  const budget = Math.log(2 / alpha) / rows;
  const bound = (s: number) => {
    // ln of Σ p·e^(s·sign·(θ − μ)), both tails summed up.
    let sum = 0;
    for (let i = 0; i < p.length; i++) sum += p[i]! * Math.expm1(s * sign * (from + i - mean));
    const tailSum = (tail: Tail | null, direction: 1 | -1) => {
      if (!tail) return 0;
      const edge = direction > 0 ? lastIndex(noise) : from;
      const ratio = toNumberNear(tail.ratio);
      const growth = ratio * Math.exp(s * sign * direction * tail.period);
      let total = 0;
      for (let d = 0; d < tail.period; d++) {
        const at = edge - direction * d;
        const mass = p[at - from]!;
        // The block times growth/(1 − growth), less its plain mass.
        total += mass * ((Math.exp(s * sign * (at - mean)) * growth) / (1 - growth) - ratio / (1 - ratio));
      }
      return total;
    };
    return (budget + Math.log1p(sum + tailSum(left, -1) + tailSum(right, 1))) / s;
  };
  // Near what a normal law would want, and below where the tail's sum ends.
  let best = Infinity;
  const wanted = Math.sqrt(2 * budget) / deviation;
  for (let i = -20; i <= 20; i++) {
    const s = Math.min(wanted * 2 ** (i / 8), 0.98 * most);
    const value = bound(s);
    if (value < best) best = value;
  }
  return best;
}

function berryEsseen(noise: Pmf, mean: number, deviation: number, rows: number, alpha: number): number {
  const { left, right } = noise;
  const folds = (tail: Tail | null) =>
    tail ? Math.ceil((FOLDS * tail.period) / -Math.log(toNumberNear(tail.ratio))) : 0;
  const [low, high] = [noise.from - folds(left), lastIndex(noise) + folds(right)];
  if (!(high - low < WIDEST)) return Infinity;
  const { p } = probabilities(noise, low, high);
  let third = 0;
  for (let i = 0; i < p.length; i++) third += p[i]! * Math.abs(low + i - mean) ** 3;
  const error = (BERRY_ESSEEN * third * (1 + 1e-9)) / (deviation ** 3 * Math.sqrt(rows));
  const room = alpha / 2 - error;
  if (room < alpha / 100) return Infinity;
  return (toNumberNear(normalQuantileUp(fromNumber(1 - room))) * deviation) / Math.sqrt(rows);
}
