// What every family of priors gives: a name, its parameters, and the mass function they stand for.

import { invalid } from '../error/index.js';
import { divide, exactText, isInteger, parseRational, type Rational, toNumberUp } from '../exact/index.js';
import type { Parameter } from '../noise/index.js';
import type { Pmf } from '../pmf/index.js';

/** What is known of the data's distribution: publicly, or because it was paid for. */
export interface Prior {
  readonly pmf: Pmf;
  /** As it is written. */
  readonly spec: string;
  /** What was cut off an infinite prior, in words; null where nothing was. */
  readonly cut: string | null;
  /** Where it was taken from the data themselves, at a price. */
  readonly paid?: Paid | undefined;
}

/** What a prior from the data has cost one person, and where that is recorded. */
export interface Paid {
  readonly dataset: string;
  readonly column: string;
  /** Of the ledger, and its hash, which belongs to no other. */
  readonly entry: number;
  readonly hash: string;
  readonly epsilon: string;
  readonly delta: string;
}

/** Noise for a prior that was paid for, against the best noise without one for all of ε; W by that prior, in data units. */
export interface Gain {
  readonly paid: Paid;
  readonly file: string;
  /** Of prior and noise together, for one person. */
  readonly epsilon: string;
  readonly wasserstein: { readonly own: number; readonly without: number };
  readonly meanAbsolute: { readonly own: number; readonly without: number };
}

export interface PriorFamily {
  readonly name: string;
  readonly meaning: string;
  readonly parameters: readonly Parameter[];
  /** The prior with these parameters, on a lattice of this step. */
  readonly build: (values: Readonly<Record<string, Rational>>, step: Rational) => Omit<Prior, 'spec'>;
}

/** A prior of a family from the texts of its parameters. */
export function buildPrior(
  { name, parameters, build }: PriorFamily,
  values: Readonly<Record<string, string>>,
  step: Rational,
): Omit<Prior, 'spec'> {
  const complete: Record<string, Rational> = {};
  for (const { key, default: fallback } of parameters) {
    const value = values[key] ?? fallback;
    if (value === undefined) throw invalid(`prior ${name}: expected the parameter ${key}`);
    complete[key] = parseRational(value, `prior ${name}: ${key}`);
  }
  return build(complete, step);
}

const WIDEST = 10_000_000;

export function checkWidth(points: number): number {
  if (points > WIDEST)
    throw invalid(`prior: expected at most ${WIDEST} lattice points, got ${points}; use a larger step`);
  return points;
}

/** A value as a number of steps. */
export function indexOf(value: Rational, step: Rational, name: string): number {
  const index = divide(value, step);
  if (!isInteger(index))
    throw invalid(`${name}: expected a multiple of the step ${exactText(step)}, got ${exactText(value)}`);
  return toNumberUp(index);
}
