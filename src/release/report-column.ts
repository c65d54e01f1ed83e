// What a report says of one protected column: what can still be learned of a value, and what the noise does to it.

import { integer, multiply, rational, toDecimal, toNumberNear } from '../exact/index.js';
import type { Charge } from '../ledger/index.js';
import { errorQuantile, moments, standardDeviation } from '../pmf/index.js';
import type { ProtectedColumn } from './job.js';
import { textOfIndex } from './lattice.js';
import { type Learnable, learnableOf } from './learnable.js';
import type { ColumnQuantiles } from './places/index.js';
import { type Published, publishedError } from './published.js';

export interface ColumnReport {
  readonly name: string;
  /** The hash of its integers and claim. */
  readonly mechanism: string;
  /** What it claims by itself, and how it was made. */
  readonly claim: { readonly epsilon: string; readonly delta: string; readonly adjacency: string };
  readonly origin: Readonly<Record<string, unknown>>;
  readonly step: string;
  /** At which it was charged. */
  readonly adjacency: string;
  readonly epsilon: string;
  readonly delta: string;
  readonly learnable: readonly Learnable[];
  /** Released values: rows without NULL. */
  readonly values: number;
  readonly noise: {
    readonly meanAbsolute: number;
    readonly bias: number;
    readonly std: number;
    readonly nineOfTen: number;
  };
  /** After clamping and rounding, by the true value; null where neither was done, and the noise's figures are those of the values. */
  readonly published: Published | null;
  /** Of what is published. Where clamping or rounding makes the bias depend on the true values, it lies in between. */
  readonly sum: Aggregate;
  readonly mean: Aggregate;
  readonly quantiles: ColumnQuantiles;
  readonly afterwards: readonly string[];
}

export interface Aggregate {
  readonly leastBias: number;
  readonly greatestBias: number;
  /** At most. */
  readonly std: number;
}

export function columnReport(
  column: ProtectedColumn,
  charge: Charge,
  values: number,
  quantiles: ColumnQuantiles,
): ColumnReport {
  const { name, mechanism, lattice, finish } = column;
  const { pmf } = mechanism;
  const published = publishedError(column);
  const exact = moments(pmf);
  const [bias, std] = [toNumberNear(exact.mean), standardDeviation(exact)];
  const aggregate = (times: number, root: number): Aggregate => ({
    leastBias: (published?.leastBias ?? bias) * times,
    greatestBias: (published?.greatestBias ?? bias) * times,
    std: (published?.greatestStd ?? std) * root,
  });
  const limits = [
    ...(finish.roundTo === 1n
      ? []
      : [`rounded to multiples of ${textOfIndex(finish.roundTo, lattice)}, halves up`]),
    ...(finish.low === -lattice.limit && finish.high === lattice.limit
      ? []
      : [`moved into ${textOfIndex(finish.low, lattice)} … ${textOfIndex(finish.high, lattice)}`]),
  ];
  return {
    name,
    mechanism: charge.mechanism ?? '',
    claim: {
      epsilon: toDecimal(mechanism.claim.epsilon),
      delta: toDecimal(mechanism.claim.delta),
      adjacency: toDecimal(multiply(integer(mechanism.adjacency), pmf.step)),
    },
    origin: mechanism.origin,
    step: toDecimal(pmf.step),
    adjacency: charge.adjacency,
    epsilon: charge.epsilon,
    delta: charge.delta,
    learnable: learnableOf(mechanism, charge),
    values,
    noise: {
      meanAbsolute: toNumberNear(exact.meanAbsolute),
      bias,
      std,
      nineOfTen: toNumberNear(errorQuantile(pmf, rational(9n, 10n))),
    },
    published,
    sum: aggregate(values, Math.sqrt(values)),
    mean: aggregate(1, values === 0 ? 0 : 1 / Math.sqrt(values)),
    quantiles,
    afterwards: limits,
  };
}
