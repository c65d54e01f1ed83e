// What a noise is worth: the value of an objective, in data units, from the compiled integers.

import { add, divide, toNumberNear } from '../exact/index.js';
import {
  cumulativeWeight,
  jensenShannon,
  kullbackLeibler,
  mirror,
  moments,
  outputOf,
  type Pmf,
  total,
} from '../pmf/index.js';
import { outputDistance } from './distances.js';
import { isDivergence, type Objective } from './objective.js';

/** The objective's value for any noise, in data units. */
export function objectiveValue(pmf: Pmf, objective: Objective, prior: Pmf | null): number {
  let value = 0;
  const unit = toNumberNear(pmf.step);
  if (objective.magnitude > 0 || objective.variance > 0) {
    const exact = moments(pmf);
    value += (objective.magnitude / unit) * toNumberNear(exact.meanAbsolute);
    value += (objective.variance / (unit * unit)) * toNumberNear(exact.meanSquare);
  }
  if (objective.wasserstein > 0) value += (objective.wasserstein / unit) * outputDistance(prior!, pmf);
  if (isDivergence(objective)) {
    const output = outputOf(prior!, pmf);
    if (objective.kl > 0) value += objective.kl * kullbackLeibler(prior!, output);
    if (objective.js > 0) value += objective.js * jensenShannon(prior!, output);
  }
  if (objective.tails.length > 0) {
    const [left, right] = [cumulativeWeight(pmf), cumulativeWeight(mirror(pmf))];
    const mass = total(pmf);
    for (const { beyond, weight } of objective.tails) {
      const outside = add(left(-beyond - 1).upper, right(-beyond - 1).upper);
      value += weight * toNumberNear(divide(outside, mass));
    }
  }
  return value;
}
