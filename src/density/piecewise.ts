// A density that is constant between the points of a table of its distribution function. For a shift s, ∫ (f(x − s) − e^ε·f(x))₊ is
// linear in s between the distances of two points, so the worst shift is one of these distances, or m.

import { invalid } from '../error/index.js';
import {
  add,
  compare,
  divide,
  type Enclosure,
  exp,
  fromNumber,
  maximum,
  minimum,
  multiply,
  negate,
  one,
  type Rational,
  rational,
  subtract,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { type Density, notNegative } from './density.js';

/** P(X ≤ x) at rising points, from 0 to 1; in between it is linear. */
export interface Point {
  readonly x: Rational;
  readonly cdf: Rational;
}

/** Shifts times pieces up to which all are looked at. */
const MOST_WORK = 40_000_000;
/** Shifts that are worked out exactly. */
const MOST_EXACT = 64;

/** A density that is constant between the points of a table. */
export function piecewiseDensity(points: readonly Point[], name: string): Density {
  const pieces = points.slice(1).map(({ x, cdf }, i) => {
    const { x: from, cdf: before } = points[i]!;
    return {
      from,
      to: x,
      mass: subtract(cdf, before),
      height: divide(subtract(cdf, before), subtract(x, from)),
    };
  });
  return {
    text: `the density of ${name}`,
    pure: () => ({
      epsilon: null,
      reason: 'it is 0 outside its table, within the adjacency of where it is not',
    }),
    deltaAt: (adjacency, epsilon) => worstOf(pieces, adjacency, epsilon),
    moments: () => momentsOf(pieces),
  };
}

interface Piece {
  readonly from: Rational;
  readonly to: Rational;
  readonly mass: Rational;
  readonly height: Rational;
}

function momentsOf(pieces: readonly Piece[]) {
  let [mean, meanAbs, meanSquare] = [0, 0, 0];
  for (const { from, to, mass, height } of pieces) {
    const [a, b, p, h] = [from, to, mass, height].map(toNumberNear) as [number, number, number, number];
    mean += (p * (a + b)) / 2;
    meanAbs += a < 0 && b > 0 ? (h * (a * a + b * b)) / 2 : (p * Math.abs(a + b)) / 2;
    meanSquare += (p * (a * a + a * b + b * b)) / 3;
  }
  return { mean, meanAbs, meanSquare };
}

/** The largest δ over all shifts: in doubles for all, exactly for those that may be the largest. */
function worstOf(pieces: readonly Piece[], adjacency: Rational, epsilon: Rational): Enclosure {
  const growth = exp(epsilon, 192);
  const points = [pieces[0]!.from, ...pieces.map(({ to }) => to)];
  const shifts = shiftsOf(points, adjacency);
  if (shifts.length * pieces.length > MOST_WORK)
    throw invalid(
      `cdf: too many rows for so many shifts: ${pieces.length + 1} rows have ${shifts.length} distances within the adjacency; use fewer rows, or a smaller {adjacency}`,
    );
  const near = inDoubles(pieces, toNumberNear(adjacency));
  const factor = toNumberNear(growth.upper);
  const ranked = shifts
    .map((shift) => ({ shift, about: near.deltaAt(toNumberNear(shift), factor) }))
    .sort((a, b) => b.about - a.about);
  // Doubles are off by a few roundings for each piece, and by what a rounded shift moves.
  const slack = fromNumber(near.slack);
  const most = ranked[0]!.about;
  const chosen = ranked.filter(({ about }, i) => i < MOST_EXACT && about >= most - 2 * near.slack);
  let [lower, upper] = [zero, zero];
  for (const { shift } of chosen) {
    const exact = exactDelta(pieces, shift, growth);
    lower = maximum(lower, exact.lower);
    upper = maximum(upper, exact.upper);
  }
  const left = ranked[chosen.length];
  if (left) upper = maximum(upper, notNegative(add(fromNumber(left.about), slack)));
  return { lower, upper: minimum(one, upper) };
}

/** The distances of two points up to m, and m, both ways. */
function shiftsOf(points: readonly Rational[], adjacency: Rational): Rational[] {
  const found = new Map<string, Rational>([['m', adjacency]]);
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++) {
      const distance = subtract(points[j]!, points[i]!);
      if (compare(distance, adjacency) > 0) break;
      found.set(`${distance.num}/${distance.den}`, distance);
    }
  return [...found.values()].flatMap((shift) => [shift, negate(shift)]);
}

function inDoubles(pieces: readonly Piece[], adjacency: number) {
  const edges = Float64Array.from([pieces[0]!.from, ...pieces.map(({ to }) => to)], toNumberNear);
  const heights = Float64Array.from(pieces, ({ height }) => toNumberNear(height));
  const highest = heights.reduce((a, b) => Math.max(a, b), 0);
  const furthest = Math.max(Math.abs(edges[0]!), Math.abs(edges[edges.length - 1]!)) + adjacency;
  return {
    // Edges and shifts are off by 2^−52 of their size; a piece moves by that much at its height.
    slack: 2 ** -48 * (pieces.length + 16) * (1 + highest * furthest * 4),
    deltaAt: (shift: number, growth: number): number => {
      let sum = 0;
      let i = 0;
      // Pieces of the shifted density, against those of the other, which may end.
      for (let j = 0; j < heights.length; j++) {
        let from = edges[j]! + shift;
        const to = edges[j + 1]! + shift;
        while (i > 0 && edges[i]! > from) i--;
        while (from < to) {
          while (i < heights.length && edges[i + 1]! <= from) i++;
          const inside = i < heights.length && edges[i]! <= from;
          const end = Math.min(to, inside ? edges[i + 1]! : i < heights.length ? edges[i]! : Infinity);
          const other = inside ? heights[i]! : 0;
          sum += Math.max(0, heights[j]! - growth * other) * (end - from);
          if (!(end > from)) break;
          from = end;
        }
      }
      return sum;
    },
  };
}

function exactDelta(pieces: readonly Piece[], shift: Rational, growth: Enclosure): Enclosure {
  let [lower, upper] = [zero, zero];
  let i = 0;
  for (const { from: start, to: stop, height } of pieces) {
    let from = add(start, shift);
    const to = add(stop, shift);
    while (compare(from, to) < 0) {
      while (i < pieces.length && compare(pieces[i]!.to, from) <= 0) i++;
      const own = pieces[i];
      const isInside = own !== undefined && compare(own.from, from) <= 0;
      const end = own === undefined ? to : minimum(to, isInside ? own.to : own.from);
      const other = isInside ? own.height : zero;
      const length = subtract(end, from);
      const low = notNegative(subtract(height, multiply(growth.upper, other)));
      const high = notNegative(subtract(height, multiply(growth.lower, other)));
      lower = add(lower, multiply(low, length));
      upper = add(upper, multiply(high, length));
      from = end;
    }
  }
  return short({ lower, upper });
}

/** Fractions of reasonable length around these. */
function short({ lower, upper }: Enclosure): Enclosure {
  const bits = 192n;
  return {
    lower: rational((lower.num << bits) / lower.den, 1n << bits),
    upper: rational(-((-upper.num << bits) / upper.den) + 1n, 1n << bits),
  };
}
