// A user's own density, from a table of its distribution function, rounded down to the lattice [QHFL, Eq. 2].

import { type Point, piecewiseDensity } from '../density/index.js';
import { invalid, wrong } from '../error/index.js';
import {
  add,
  compare,
  divide,
  exactly,
  multiply,
  one,
  parseDecimal,
  parseRational,
  type Rational,
  subtract,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { discretize } from '../pmf/index.js';
import type { Noise } from './noise.js';
import type { TableRow } from './table.js';

const WIDEST = 1_000_000;

/** Noise from rows of a value and the probability of at most that value, linear in between; `name` stands for it in specs and errors. */
export function cdfNoise(rows: readonly TableRow[], step: Rational, name: string): Noise {
  const points = pointsOf(rows, `cdf ${name}`);
  const [low, high] = [points[0]!.x, points.at(-1)!.x];
  const cells = toNumberUp(divide(subtract(high, low), step));
  if (cells > WIDEST)
    throw invalid(
      `cdf ${name}: expected at most ${WIDEST} steps from end to end, got ${cells}; use a larger {step}`,
    );
  return {
    family: 'cdf',
    parameters: { path: name },
    step,
    approximate: () => discretize((x) => exactly(valueAt(points, x)), { step, low, high }),
    pureEpsilon: () => null,
    continuous: {
      density: piecewiseDensity(points, `cdf:${name}`),
      rounding: 'down',
      at: (finer) => cdfNoise(rows, finer, name),
    },
  };
}

function pointsOf(rows: readonly TableRow[], name: string): Point[] {
  if (rows.length < 2)
    throw invalid(`${name}: expected at least two rows of value and cdf, got ${rows.length}`);
  const points = rows.map(({ value, probability }, i) => ({
    x: parseRational(value, `${name}, row ${i + 1}, value`),
    cdf: parseDecimal(probability, `${name}, row ${i + 1}, cdf`),
  }));
  points.forEach(({ x, cdf }, i) => {
    const before = points[i - 1];
    if (before && compare(x, before.x) <= 0)
      throw wrong(
        `${name}, row ${i + 1}: expected rising values, got ${rows[i]!.value} after ${rows[i - 1]!.value}`,
      );
    if (before && compare(cdf, before.cdf) < 0)
      throw wrong(
        `${name}, row ${i + 1}: expected a cdf that does not fall, got ${rows[i]!.probability} after ${rows[i - 1]!.probability}`,
      );
  });
  const [first, last] = [points[0]!.cdf, points.at(-1)!.cdf];
  if (first.num !== 0n || compare(last, one) !== 0)
    throw invalid(
      `${name}: expected a cdf from 0 in its first row to 1 in its last, got ${rows[0]!.probability} and ${rows.at(-1)!.probability}`,
    );
  return points;
}

/** P(X ≤ x) */
function valueAt(points: readonly Point[], x: Rational): Rational {
  if (compare(x, points[0]!.x) <= 0) return zero;
  let [low, high] = [0, points.length - 1];
  if (compare(x, points[high]!.x) >= 0) return one;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (compare(points[middle]!.x, x) <= 0) low = middle;
    else high = middle;
  }
  const [from, to] = [points[low]!, points[high]!];
  const part = divide(subtract(x, from.x), subtract(to.x, from.x));
  return add(from.cdf, multiply(part, subtract(to.cdf, from.cdf)));
}
