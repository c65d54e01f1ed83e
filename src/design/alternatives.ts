// What else one could use at the same guarantee, each calibrated and certified.

import { isOurs } from '../error/index.js';
import { integer, multiply, type Rational, toDecimal } from '../exact/index.js';
import { calibrate } from '../mechanism/index.js';
import { specOf, type Target } from '../noise/index.js';
import type { Pmf } from '../pmf/index.js';
import { parseFamily } from '../spec/index.js';
import { type DesignOptions, design } from './design.js';
import { parseObjective } from './objective.js';
import { objectiveValue, outputDistance } from './value.js';

export interface Alternative {
  readonly name: string;
  /** The calibrated noise; null where it is a design of its own. */
  readonly noise: string | null;
  readonly pmf: Pmf;
  /** The objective's value. */
  readonly value: number;
  /** W in data units; null without a prior. */
  readonly wasserstein: number | null;
}

const PURE = ['laplace', 'geometric', 'staircase:width=5', 'staircase:width=20', 'geng-viswanath'] as const;
const APPROXIMATE = ['gaussian', 'discrete-gaussian'] as const;

/** Families at the target, and with a prior the paper's P₂, which is the noise with the least E|θ|. */
export function alternatives(target: Target, options: DesignOptions, step: Rational): Alternative[] {
  const described = (name: string, noise: string | null, pmf: Pmf): Alternative => ({
    name,
    noise,
    pmf,
    value: objectiveValue(pmf, options.objective, options.prior?.pmf ?? null),
    wasserstein: options.prior && outputDistance(options.prior.pmf, pmf),
  });
  const names = target.delta.num > 0n ? [...PURE, ...APPROXIMATE] : PURE;
  const found = names.flatMap((name) => {
    const { family, values } = parseFamily(name);
    const own =
      family.name === 'geng-viswanath'
        ? { ...values, adjacency: toDecimal(multiply(integer(target.adjacency), step)) }
        : values;
    try {
      const { noise, mechanism } = calibrate(family, own, target, step);
      return [described(name, specOf(noise), mechanism.pmf)];
    } catch (error) {
      // A family that cannot meet the target, or not within its limits, is no alternative.
      if (isOurs(error)) return [];
      throw error;
    }
  });
  return options.prior ? [described('P2', null, leastMagnitude(target, step)), ...found] : found;
}

/** [QHFL, P2] asks for the least Σ_j p(j)·Σ_k |P_x(k) − P_x(k − j)|, and that inner sum is |j| whatever the input. */
export function leastMagnitude(target: Target, step: Rational): Pmf {
  const pure = { ...target, delta: { num: 0n, den: 1n } };
  const least = {
    objective: parseObjective('magnitude', step),
    prior: null,
    unbiased: false,
    symmetric: true,
  };
  return design(pure, least, step).mechanism.pmf;
}
