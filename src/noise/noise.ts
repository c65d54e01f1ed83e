// What every family of noise gives: a name, its parameters, integers that stand for its ideal mass
// function, and its exact pure guarantee where it has one.

import type { Density } from '../density/index.js';
import { invalid } from '../error/index.js';
import {
  divide,
  type Enclosure,
  exactText,
  integer,
  multiply,
  parseRational,
  type Rational,
  toDecimalUp,
  toNumberUp,
} from '../exact/index.js';
import type { Approximation, LogConcave } from '../pmf/index.js';

export interface Noise {
  readonly family: string;
  /** Canonical text of each parameter, defaults included. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly step: Rational;
  /** Integer weights for use at an adjacency, with what separates them from the ideal noise. */
  readonly approximate: (precision: Precision) => Approximation;
  /** log c_b of the ideal noise, or null where some probability is zero or the ratios are unbounded. */
  readonly pureEpsilon: (adjacency: number) => Enclosure | null;
  /** Where the noise comes from a density. */
  readonly continuous?: Continuous;
  /** Where its distribution function is known in closed form, and its probabilities are log-concave. */
  readonly law?: LogConcave;
  /**
   * Where it has more points than are worth looking at: noise of nearly the same shape, with its mean and variance, on a coarser
   * lattice; so many times coarser still, to see what that changes.
   */
  readonly outline?: (times?: number) => Noise;
}

/** Noise before it was put on the lattice. */
export interface Continuous {
  readonly density: Density;
  /** How a value of the density becomes one of the lattice; null where the density is only looked at in its points. */
  readonly rounding: 'down' | 'up' | null;
  /** The same density on a lattice of another step. */
  readonly at: (step: Rational) => Noise;
}

export interface Precision {
  /** In steps. */
  readonly adjacency: number;
  /** Noise without geometric tails is cut where less than 2^−cut of its mass is left. */
  readonly cut: number;
  /** Where only the profile up to this ε is wanted, the window may be shorter. */
  readonly mostEpsilon?: number;
}

export interface Parameter {
  readonly key: string;
  readonly meaning: string;
  /** Without a default the parameter must be given. */
  readonly default?: string;
}

export interface Family {
  readonly name: string;
  readonly meaning: string;
  readonly parameters: readonly Parameter[];
  /** The noise with these parameters, on a lattice of this step. */
  readonly build: (values: Readonly<Record<string, string>>, step: Rational) => Noise;
  /** Parameters that centre what rounding down would leave half a step low; absent where nothing is rounded down. */
  readonly centre?: (step: Rational) => Record<string, string>;
  /** How the amount of noise is set; absent where there is nothing to calibrate. */
  readonly dial?: Dial;
}

/** In steps: what noise may be made for. */
export const MOST_ADJACENCY = 1_000_000;

/** What a calibration aims at, at an adjacency in steps. */
export interface Target {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly adjacency: number;
}

export interface Dial {
  readonly key: string;
  /** Does a larger value of the parameter mean more noise? */
  readonly grows: boolean;
  /** Why the family cannot be ε-DP with δ = 0; absent where it can. */
  readonly notPure?: string;
  /** The parameters with the least noise in closed form, or null where they must be searched for. */
  readonly solve: (
    target: Target,
    values: Readonly<Record<string, string>>,
    step: Rational,
  ) => Record<string, string> | null;
  /** A value in the right region, for the search. */
  readonly guess: (target: Target, values: Readonly<Record<string, string>>, step: Rational) => number;
  /** Where the search may go: strictly between these. */
  readonly range: { readonly lower: number; readonly upper: number };
}

/** The text of a noise in the grammar: `family:key=value,…`. */
export function specOf(noise: Noise): string {
  if (['table', 'cdf', 'mechanism'].includes(noise.family)) return `${noise.family}:${noise.parameters.path}`;
  const pairs = Object.entries(noise.parameters).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? noise.family : `${noise.family}:${pairs.join(',')}`;
}

/** A parameter's exact value, checked against a condition that is named in the error. */
export function parameter(
  family: string,
  values: Readonly<Record<string, string>>,
  key: string,
  condition = 'a decimal',
  satisfies: (value: Rational) => boolean = () => true,
): Rational {
  const text = values[key];
  if (text === undefined) throw invalid(`${family}: expected the parameter ${key}, as in ${family}:${key}=…`);
  const value = parseRational(text, `${family}: ${key}`);
  if (!satisfies(value)) throw invalid(`${family}: expected ${key} to be ${condition}, got ${text}`);
  return value;
}

/** The dial of noise that falls by e^(−1/scale) per unit: m / ε where δ = 0, else searched for from about there. */
export const scaleDial: Dial = {
  key: 'scale',
  grows: true,
  solve: ({ epsilon, delta, adjacency }, _values, step) =>
    delta.num > 0n ? null : { scale: toDecimalUp(divide(multiply(integer(adjacency), step), epsilon), 15) },
  guess: ({ epsilon, delta, adjacency }, _values, step) => {
    const distance = adjacency * toNumberUp(step);
    // For small ε what counts is the total variation, about m / 2λ.
    return Math.min(distance / toNumberUp(epsilon), distance / (2 * toNumberUp(delta)));
  },
  range: { lower: 0, upper: Infinity },
};

/** The centre of noise that is rounded down: half a step up, so that it is symmetric about 0. */
export function halfStepUp(step: Rational): Record<string, string> {
  return { mu: exactText(divide(step, integer(2))) };
}

export function isPositive(value: Rational): boolean {
  return value.num > 0n;
}
