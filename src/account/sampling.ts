// A count or sum of a secret sample: each record is in it with probability q, and neighbours come or go. Without the record the output
// has the law N; with it (1 − q)·N + q·N_s.

import type { Pmf } from '../pmf/index.js';
import { type Losses, lossesOf, sorted, UNIT } from './losses.js';

/** Is the record in the dataset whose output is drawn (it goes), or in the other (it comes)? */
export type Order = 'goes' | 'comes';

export function sampledLosses(pmf: Pmf, shift: number, q: number, order: Order): Losses {
  if (q === 1) return lossesOf(pmf, order === 'comes' ? shift : -shift);
  // L = log N / N_s under N, and the other way round under N_s.
  const [here, there] = [lossesOf(pmf, shift), lossesOf(pmf, -shift)];
  const bare = Math.log1p(-q);
  if (order === 'comes') {
    // Under N: −log ((1 − q) + q·N_s/N); points that N_s has not have what is left.
    const loss = [...here.loss].map((x) => -mixed(q, -x));
    return law(loss, [...here.mass], -bare, here.infinite.upper, here, 0, q * there.infinite.upper);
  }
  // Under (1 − q)·N + q·N_s: the points of each by themselves, so that none is lost that the other hardly has.
  const loss = [...[...here.loss].map((x) => mixed(q, -x)), ...[...there.loss].map((x) => mixed(q, x))];
  const mass = [...[...here.mass].map((p) => (1 - q) * p), ...[...there.mass].map((p) => q * p)];
  const found = law(loss, mass, bare, (1 - q) * here.infinite.upper, here, q * there.infinite.lower, 0);
  return {
    ...found,
    // What N hardly has may be lost altogether.
    infinite: {
      ...found.infinite,
      upper: q * there.infinite.upper + here.infinite.upper - here.infinite.lower,
    },
    finite: 1 - q * there.infinite.upper,
    lossError: Math.max(found.lossError, there.lossError + found.lossError - here.lossError),
  };
}

/** log (1 − q + q·e^x), however large x is. */
function mixed(q: number, x: number): number {
  return x < 30 ? Math.log1p(q * Math.expm1(x)) : x + Math.log(q + (1 - q) * Math.exp(-x));
}

/** With one more loss, of the points that the other law has not. */
function law(
  loss: number[],
  mass: number[],
  bare: number,
  alone: number,
  { lossError, massError }: Losses,
  infinite: number,
  missing: number,
): Losses {
  if (alone > 0) {
    loss.push(bare);
    mass.push(alone);
  }
  const largest = loss.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const error = lossError + 16 * UNIT * largest + 4 * UNIT;
  return {
    ...sorted(
      Float64Array.from(loss),
      Float64Array.from(mass),
      { lower: infinite, upper: infinite },
      missing,
      error,
    ),
    massError: massError + 64 * UNIT,
  };
}
