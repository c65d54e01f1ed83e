// p-Wasserstein distances of input + noise from the input for p = 1, 2 and ∞: what is u-th of the one becomes what is u-th of the
// other, for all u at once [QHFL, Definition 3], in doubles. They measure utility, no guarantee rests on them.

import { toNumberNear } from '../exact/index.js';
import { lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import { convolve, prefixSums, suffixSums, transportOf } from './transport.js';

/** In data units. */
export interface Distances {
  readonly one: number;
  /** The root of the mean square of how far masses move; null of noise with too long a tail. */
  readonly two: number | null;
  readonly infinity: number;
}

/** Tails beyond it do not matter, although squares of their distances grow. */
const LITTLE = 1e-24;
/** Points of a tail at most. */
const LONGEST = 10_000_000;

export function outputDistances(prior: Pmf, noise: Pmf): Distances {
  const unit = toNumberNear(noise.step);
  const longest = Math.max(tailLength(noise, 'left'), tailLength(noise, 'right'));
  return {
    one: outputDistance(prior, noise),
    two: longest > LONGEST ? null : Math.sqrt(squareOf(differencesOf(prior, noise))) * unit,
    infinity: mostOf(noise) * unit,
  };
}

/** W in data units; accurate where it is small beside the input's range. */
export function outputDistance(prior: Pmf, noise: Pmf): number {
  const transport = transportOf(prior);
  const reach = Math.max(transport.rows + 1, -noise.from, lastIndex(noise));
  const { p, beyond } = probabilities(noise, Math.min(-reach, noise.from), Math.max(reach, lastIndex(noise)));
  const side = ({ mass, sums }: { mass: number; sums: number }) => ({ mass, excess: sums });
  const [left, right] = [side(beyond.left), side(beyond.right)];
  const { open, outside } = transport.residual({ reach, p, left, right });
  return open.reduce((sum, v) => sum + Math.abs(v), outside) * toNumberNear(noise.step);
}

/**
 * Noise that ends takes the greatest value of any input as far as it goes, and the least one too: W∞ is that, whatever the input. In
 * steps.
 */
function mostOf(noise: Pmf): number {
  return noise.left || noise.right ? Infinity : Math.max(Math.abs(noise.from), Math.abs(lastIndex(noise)));
}

/**
 * F_x − F_{x+θ} at every point, and what the input has there: what goes upward past the point less what goes downward, each a sum of
 * positive numbers, so that next to nothing across a gap is that.
 */
function differencesOf(prior: Pmf, noise: Pmf) {
  const input = probabilities(prior, prior.from, lastIndex(prior)).p;
  const rows = input.length - 1;
  const below = Math.max(1, tailLength(noise, 'left') - noise.from);
  const above = Math.max(1, tailLength(noise, 'right') + lastIndex(noise));
  const { p, beyond } = probabilities(noise, Math.min(-below, noise.from), Math.max(above, lastIndex(noise)));
  // P(θ > j) from 0 on, and P(θ ≤ −j) from 1 on.
  const zero = -Math.min(-below, noise.from);
  const upward = suffixSums(p.subarray(zero + 1)).map((v) => v + beyond.right.mass);
  const downward = prefixSums(p.subarray(0, zero))
    .map((v) => v + beyond.left.mass)
    .reverse();
  const up = convolve(input, upward).sums;
  const down = convolve(input.slice().reverse(), downward).sums;
  // From the lowest point that noise reaches to the highest.
  const first = -downward.length;
  const differences = new Float64Array(rows + 1 + upward.length - first);
  up.forEach((v, k) => {
    differences[k - first]! += v;
  });
  down.forEach((v, t) => {
    differences[rows - 1 - t - first]! -= v;
  });
  const masses = new Float64Array(differences.length);
  masses.set(input, -first);
  return { differences, masses };
}

/** Points beyond which a tail does not matter. */
function tailLength(noise: Pmf, side: 'left' | 'right'): number {
  const tail = noise[side];
  if (!tail) return 0;
  const { num, den } = tail.ratio;
  const fall = -Math.log1p(-toNumberNear({ num: den - num, den }));
  return tail.period * Math.ceil(-Math.log(LITTLE) / fall);
}

/**
 * Σ amount·distance². What lies before a point and is not matched yet, of the input or of the output, is as much as the distribution
 * functions differ there: so that no rounding of a long sum is moved across a gap.
 */
function squareOf({ differences, masses }: ReturnType<typeof differencesOf>): number {
  let [sum, before, first] = [0, 0, 0];
  let waiting: { readonly at: number; amount: number }[] = [];
  /** Matches so much of what waits with this point, oldest first. */
  const match = (at: number, amount: number) => {
    let left = amount;
    while (left > 0 && first < waiting.length) {
      const oldest = waiting[first]!;
      const moved = Math.min(left, oldest.amount);
      sum += moved * (at - oldest.at) ** 2;
      left -= moved;
      oldest.amount -= moved;
      if (oldest.amount <= 0) first++;
    }
    if (first === waiting.length) [waiting, first] = [[], 0];
  };
  for (let k = 0; k < differences.length; k++) {
    const after = differences[k]!;
    const own = masses[k]!;
    const arrived = own - (after - before);
    const waits = Math.abs(before);
    const comes = before > 0 ? arrived : own;
    // Where the difference changes its sign, nothing waits any longer.
    const matched = before * after < 0 ? waits : Math.min(waits, Math.max(0, comes));
    match(k, matched === waits ? Infinity : matched);
    const more = Math.abs(after) - (waits - matched);
    if (more > 0) waiting.push({ at: k, amount: more });
    // Rounding left too much: the newest of it, which is the nearest, goes.
    else
      for (let over = -more; over > 0 && first < waiting.length; ) {
        const newest = waiting[waiting.length - 1]!;
        const gone = Math.min(over, newest.amount);
        newest.amount -= gone;
        over -= gone;
        if (newest.amount <= 0) waiting.pop();
      }
    before = after;
  }
  return sum;
}
