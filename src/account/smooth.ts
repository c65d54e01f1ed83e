// Bounds on the transform of masses that change slowly from place to place: with T_s the shift by s places,
// |φ(θ)|·|1 − e^(isθ)|^j ≤ Σ |(1 − T_s)^j q|, which is small where s is, and says most where sθ is near π (proofs/account.md).

import { UNIT } from './losses.js';

/** How often differences are taken: each time, smooth masses become smaller by about s over their spread. */
const TIMES = 16;
/** Strides are so much further apart each time. */
const FURTHER = 1.25;
/** Places beyond which masses are not looked at in this way. */
const MOST = 400_000;

/** At most |φ| for every θ from `low` to `high`, per place and within half a circle; Infinity where nothing is known. */
export type FarBound = (low: number, high: number) => number;

/** Of masses at whole places, ascending. */
export function farBound(x: Float64Array, q: Float64Array): FarBound {
  const first = x[0]!;
  const places = Math.round(x[x.length - 1]! - first) + 1;
  if (places > MOST) return () => Infinity;
  const masses = new Float64Array(places);
  let whole = 0;
  for (let j = 0; j < x.length; j++) {
    masses[Math.round(x[j]! - first)]! += q[j]!;
    whole += q[j]!;
  }
  const known = new Map<number, number>();
  const sumAt = (stride: number): number => {
    let sum = known.get(stride);
    if (sum === undefined) {
      sum = differences(masses, stride) + TIMES * 2 ** TIMES * 2 * UNIT * whole;
      known.set(stride, sum);
    }
    return sum;
  };
  return (low, high) => {
    if (!(low > 0) || high > Math.PI) return Infinity;
    // Of the strides that are kept, the largest that brings the middle not beyond half a turn.
    const wanted = Math.min(places / 4, (2 * Math.PI) / (low + high));
    const stride = Math.max(1, Math.floor(FURTHER ** Math.floor(Math.log(wanted) / Math.log(FURTHER))));
    const chord = Math.min(halfSine(stride * low), halfSine(stride * high));
    return (sumAt(stride) / (2 * chord) ** TIMES) * (1 + 1e-12);
  };
}

/** sin (θ/2) on the way up or down, from below; 0 beyond a whole turn. Between two angles it is no less than at the worse of them. */
function halfSine(angle: number): number {
  return angle >= 2 * Math.PI ? 0 : Math.sin(angle / 2) * (1 - 1e-12);
}

/** Σ |(1 − T_s)^TIMES q|, over all places, those beyond the ends too. */
function differences(q: Float64Array, stride: number): number {
  let now = new Float64Array(q.length + TIMES * stride);
  now.set(q);
  let next = new Float64Array(now.length);
  for (let n = 1; n <= TIMES; n++) {
    for (let k = 0; k < now.length; k++) next[k] = now[k]! - (k < stride ? 0 : now[k - stride]!);
    [now, next] = [next, now];
  }
  let sum = 0;
  for (const v of now) sum += Math.abs(v);
  return sum * (1 + now.length * UNIT);
}
