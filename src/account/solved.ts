// The inverse of δ(ε), between bounds: where δ falls to what is wanted, from below and from above.

import type { Bracket } from './aliases.js';
import { UNIT } from './losses.js';

/** The ε at which δ(ε) falls to `delta`, between two that are checked. */
export function solved(
  deltaAt: (epsilon: number) => Bracket,
  delta: number,
  {
    high: most,
    guess,
    slope = 1,
  }: { readonly high: number; readonly guess?: number; readonly slope?: number },
): Bracket {
  /** How far log δ is above the wanted one, and how much of that may be the width of its bounds. */
  const excess = (epsilon: number) => {
    const { lower, upper } = deltaAt(epsilon);
    if (!(lower + upper > 0)) return { over: Number.NEGATIVE_INFINITY, width: 0 };
    return { over: Math.log((lower + upper) / 2 / delta), width: (upper - lower) / (lower + upper) };
  };
  let [low, high] = [0, most];
  let fall = slope;
  let x = guess !== undefined && guess > low && guess < high ? guess : (low + high) / 2;
  let y = excess(x);
  for (let i = 0; i < 100 && high - low > 2 * UNIT * high && Math.abs(y.over) > 4 * UNIT; i++) {
    if (y.over > 0) low = x;
    else high = x;
    const wanted = x + y.over / fall;
    const next = wanted > low && wanted < high && i % 8 < 7 ? wanted : (low + high) / 2;
    if (next === x) break;
    const found = excess(next);
    const secant = (y.over - found.over) / (next - x);
    // A difference within the widths is no slope.
    const isReal = Math.abs(y.over - found.over) > 4 * (y.width + found.width);
    if (Number.isFinite(secant) && secant > 0 && isReal) fall = secant;
    [x, y] = [next, found];
  }
  const at = deltaAt(x);
  const grain = 4 * UNIT * x + Number.MIN_VALUE;
  const above = () => {
    let pad = (1.01 * Math.max(0, Math.log(at.upper / delta))) / fall + grain;
    for (let tries = 0; tries < 200 && x + pad < most; tries++, pad *= 1.5)
      if (deltaAt(x + pad).upper <= delta) return x + pad;
    return deltaAt(most).upper <= delta ? most : Infinity;
  };
  const below = () => {
    const wanted = (1.01 * Math.max(0, Math.log(delta / at.lower))) / fall;
    let pad = (Number.isFinite(wanted) ? wanted : 0) + grain;
    for (let tries = 0; tries < 200 && x - pad > 0; tries++, pad *= 1.5)
      if (deltaAt(x - pad).lower > delta) return x - pad;
    return 0;
  };
  return { lower: below(), upper: above() };
}
