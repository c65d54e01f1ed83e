// A count or sum of a secret sample: each record is in it with probability q, and neighbours come or go. Without the record the output
// has the law N; with it (1 − q)·N + q·N_s.

import type { Pmf } from '../pmf/index.js';
import { type Losses, lossesOf, sorted, UNIT } from './losses.js';

/** Is the record in the dataset whose output is drawn (it goes), or in the other (it comes)? */
export type Order = 'goes' | 'comes';

export function sampledLosses(pmf: Pmf, shift: number, q: number, order: Order): Losses {
  if (q === 1) return lossesOf(pmf, order === 'comes' ? shift : -shift);
  // L = log N / N_s under N; where N_s has a point that N has not, only the other way tells.
  const { loss, mass, infinite, lossError, massError } = lossesOf(pmf, shift);
  const other = lossesOf(pmf, -shift).infinite;
  // log ((1 − q)·N + q·N_s) / N
  const raised = loss.map((x) => Math.log1p(q * Math.expm1(-x)));
  const bare = Math.log1p(-q);
  const error =
    lossError + 16 * UNIT * raised.reduce((most, x) => Math.max(most, Math.abs(x)), Math.abs(bare));
  const found =
    order === 'comes'
      ? appended(
          raised.map((x) => -x),
          mass,
          -bare,
          infinite,
        )
      : appended(
          raised,
          mass.map((p, j) => p * Math.exp(raised[j]!)),
          bare,
          { lower: infinite.lower * (1 - q), upper: infinite.upper * (1 - q) },
          { lower: other.lower * q, upper: other.upper * q },
        );
  return {
    ...sorted(found.loss, found.mass, found.infinite, order === 'comes' ? other.upper * q : 0, error),
    massError: massError + 32 * UNIT + 4 * error,
  };
}

/** Points that N_s has not have the loss that is left: `bare`. */
function appended(
  loss: Float64Array,
  mass: Float64Array,
  bare: number,
  alone: Losses['infinite'],
  infinite: Losses['infinite'] = { lower: 0, upper: 0 },
) {
  if (alone.upper === 0) return { loss, mass, infinite };
  const longer = (values: Float64Array, last: number) => {
    const all = new Float64Array(values.length + 1);
    all.set(values);
    all[values.length] = last;
    return all;
  };
  return { loss: longer(loss, bare), mass: longer(mass, alone.upper), infinite };
}
