// What else one could use at the same guarantee, each calibrated and certified.

import type { Rational } from '../exact/index.js';
import type { Target } from '../noise/index.js';
import type { Pmf } from '../pmf/index.js';
import { design } from './design.js';
import { outputDistance } from './distances.js';
import { familiesAt } from './families.js';
import { parseObjective } from './objective.js';
import type { DesignOptions } from './options.js';
import { objectiveValue } from './value.js';

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

/** Families at the target, and with a prior the paper's P₂, which is the noise with the least E|θ|. */
export function alternatives(target: Target, options: DesignOptions, step: Rational): Alternative[] {
  const described = (name: string, noise: string | null, pmf: Pmf): Alternative => ({
    name,
    noise,
    pmf,
    value: objectiveValue(pmf, options.objective, options.prior?.pmf ?? null),
    wasserstein: options.prior && outputDistance(options.prior.pmf, pmf),
  });
  const found = familiesAt(target, step).map(({ name, noise, mechanism }) =>
    described(name, noise, mechanism.pmf),
  );
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
