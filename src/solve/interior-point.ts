// Small dense linear programmes in doubles, by a primal-dual interior point method with Mehrotra's
// predictor and corrector [Meh92]. The start is strictly feasible and every iterate stays so; the dual
// is untrusted until it is priced.

import { copyOf, firstIterate, type Iterate, type Room, residualsOf, roomOf } from './iterate.js';
import { type Direction, newtonAt } from './newton.js';
import { denseRows, groupOfRow, type Programme } from './programme.js';

export interface InteriorPoint extends Iterate {
  /** Complementarity and dual residual left over, relative to the value. */
  readonly gap: number;
}

export interface Stop {
  readonly tolerance: number;
  readonly iterations: number;
  /** Told the gap of every iterate. */
  readonly progress?: ((gap: number) => void) | undefined;
  /** Asked at every iterate: true ends it with the best so far. */
  readonly isOver?: (() => boolean) | undefined;
  /** With twice the digits of doubles: only for small programmes. */
  readonly isCareful?: boolean | undefined;
  /** Shown the duals of every iterate. */
  readonly visit?: ((y: Float64Array) => void) | undefined;
}

/** Of the way to the boundary, what is gone. */
const DAMPING = 0.995;

/** From a strictly feasible x, or from an iterate. */
export function interiorPoint(
  programme: Programme,
  start: Float64Array | Iterate,
  stop: Stop,
): InteriorPoint {
  const n = denseRows(programme);
  const at = copyOf('plus' in start ? start : firstIterate(programme, start));
  const room = roomOf(programme, at);
  const hardRows = programme.sparse.group.reduce((count, group) => count + (group < 0 ? 1 : 0), 0);
  const pairs = 2 * at.y.length - hardRows + at.groups.length;
  // Near the end rounding wins over progress: the best iterate is kept.
  let best: InteriorPoint | null = null;
  let since = 0;
  for (let iteration = 0; iteration < stop.iterations; iteration++) {
    const residuals = residualsOf(programme, at, room);
    const { mu, gap } = residuals;
    stop.progress?.(gap);
    stop.visit?.(at.y.subarray(0, n));
    if (!best || gap < best.gap) {
      best = { ...copyOf(at), gap };
      since = 0;
    } else since++;
    if (gap <= stop.tolerance || stop.isOver?.() || since > 8 || !(gap < 1e6 * best.gap)) break;
    const newton = newtonAt(programme, at, room, residuals, stop.isCareful === true);
    const guess = newton(0, null);
    const centre = Math.min(1, Math.max(1e-6, (productsAfter(programme, at, room, guess) / mu) ** 2));
    let direction = newton((centre * mu) / pairs, guess);
    // A corrector that leads to the boundary is worse than none.
    if (Math.min(direction.primal, direction.dual) < 0.3)
      direction = newton((Math.max(centre, 0.3) * mu) / pairs, null);
    if (!move(programme, at, room, direction)) break;
  }
  return best!;
}

/** Σ of all products of a variable and its dual after a full step. */
function productsAfter(
  programme: Programme,
  { plus, minus, y, groups, slacks }: Iterate,
  { a, b }: Room,
  guess: Direction,
): number {
  const { primal, dual } = guess;
  const n = denseRows(programme);
  let after = 0;
  for (let k = 0; k < y.length; k++) {
    const g = groupOfRow(programme, k, n);
    after += (minus[k]! + primal * guess.minus[k]!) * (b[k]! + dual * guess.y[k]!);
    if (k >= n && g < 0) continue;
    const da = (g >= 0 ? guess.groups[g]! : 0) - guess.y[k]!;
    after += (plus[k]! + primal * guess.plus[k]!) * (a[k]! + dual * da);
  }
  for (let g = 0; g < groups.length; g++)
    after += (slacks[g]! + primal * guess.slacks[g]!) * (groups[g]! + dual * guess.groups[g]!);
  return after;
}

/** Go, in place, and stay inside; false where there is no way left to go. */
function move(programme: Programme, at: Iterate, { a, b }: Room, direction: Direction): boolean {
  const n = denseRows(programme);
  const p = Math.min(1, DAMPING * direction.primal);
  const d = Math.min(1, DAMPING * direction.dual);
  if (!(Math.max(p, d) > 1e-8)) return false;
  for (let j = 0; j < at.x.length; j++) at.x[j]! += p * direction.x[j]!;
  for (let k = 0; k < at.y.length; k++) {
    const g = groupOfRow(programme, k, n);
    const dy = direction.y[k]!;
    at.minus[k]! += p * direction.minus[k]!;
    at.y[k]! += d * dy;
    b[k]! += d * dy;
    if (k >= n && g < 0) continue;
    at.plus[k]! += p * direction.plus[k]!;
    a[k]! += d * ((g >= 0 ? direction.groups[g]! : 0) - dy);
  }
  for (let g = 0; g < at.groups.length; g++) {
    at.slacks[g]! += p * direction.slacks[g]!;
    at.groups[g]! += d * direction.groups[g]!;
  }
  for (let e = 0; e < at.equalities.length; e++) at.equalities[e]! += d * direction.multipliers[e]!;
  return true;
}
