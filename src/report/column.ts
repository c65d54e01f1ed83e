// What a report says of one protected column: what can still be learned of a value, and what the noise does to it.

import { outputDistances } from '../design/index.js';
import { integer, multiply, rational, toDecimal, toNumberNear } from '../exact/index.js';
import type { Charge } from '../ledger/index.js';
import { textOfIndex, utilityOf } from '../mechanism/index.js';
import { errorQuantile, type Pmf } from '../pmf/index.js';
import { foretell } from '../recover/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import { bestGuess } from './guess.js';
import { learnableOf } from './learnable.js';
import { publishedError } from './published.js';

/** Values up to which a recovery is foretold. */
const WIDEST_PRIOR = 100_000;

/** Quantiles of a column, or null where it holds no value. */
export type ColumnQuantiles = readonly { readonly share: number; readonly value: string }[] | null;

export type ColumnReport = ReturnType<typeof columnReport>;

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
) {
  const { name, mechanism, lattice, finish } = column;
  const { pmf } = mechanism;
  const published = publishedError(column);
  const { mean: bias, meanAbs, std } = utilityOf(pmf);
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
    /** The hash of its integers and claim. */
    mechanism: charge.mechanism ?? '',
    /** What it claims by itself, and how it was made. */
    claim: {
      epsilon: toDecimal(mechanism.claim.epsilon),
      delta: toDecimal(mechanism.claim.delta),
      adjacency: toDecimal(multiply(integer(mechanism.adjacency), pmf.step)),
    },
    origin: mechanism.origin,
    step: toDecimal(pmf.step),
    /** At which it was charged. */
    adjacency: charge.adjacency,
    epsilon: charge.epsilon,
    delta: charge.delta,
    learnable: learnableOf(mechanism, charge),
    /** How often whoever wavers between two values so far apart is right, at most. */
    bestGuess: bestGuess(column, charge),
    /** Released values: rows without NULL. */
    values,
    noise: {
      meanAbsolute: meanAbs,
      bias,
      std,
      nineOfTen: toNumberNear(errorQuantile(pmf, rational(9n, 10n))),
    },
    /** After clamping and rounding, by the true value; null where neither was done, and the noise's figures are those of the values. */
    published,
    /** Of what is published. Where clamping or rounding makes the bias depend on the true values, it lies in between. */
    sum: aggregate(values, Math.sqrt(values)),
    mean: aggregate(1, values === 0 ? 0 : 1 / Math.sqrt(values)),
    quantiles,
    /** What a reader will be able to recover, from the prior and not from the data. */
    recoverable: values === 0 ? null : foretell(narrowPrior(column), mechanism, finish, values),
    /** Of the output from the input, both by the prior, in data units: p-Wasserstein for p = 1, 2, ∞; null without one. */
    distances: distancesOf(column),
    /** What a prior that was paid for first was good for; null where none was. */
    gain: column.gain ?? null,
    afterwards: limits,
  };
}

/** Of the noise alone, as it was drawn: what is done afterwards is not in it. */
function distancesOf(column: ProtectedColumn) {
  const prior = narrowPrior(column);
  if (!prior) return null;
  const { pmf } = column.mechanism;
  const { infinity, ...others } = outputDistances(prior, pmf);
  return { ...others, infinity: infinity === Infinity ? ('Infinity' as const) : infinity };
}

/** A prior that is no wider than a recovery and a picture can be. */
export function narrowPrior({ prior }: ProtectedColumn): Pmf | null {
  return prior && prior.pmf.weights.length <= WIDEST_PRIOR ? prior.pmf : null;
}
