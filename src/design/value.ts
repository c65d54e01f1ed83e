// What a noise is worth: the value of an objective, in data units, from the compiled integers.

import { add, divide, toNumberNear } from '../exact/index.js';
import {
  cumulativeWeight,
  jensenShannon,
  kullbackLeibler,
  lastIndex,
  mirror,
  moments,
  outputOf,
  type Pmf,
  probabilities,
  total,
} from '../pmf/index.js';
import { isDivergence, type Objective } from './objective.js';
import { transportOf } from './transport.js';

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

/** W of input + noise from the input, in data units; accurate where it is small beside the input's range. */
export function outputDistance(prior: Pmf, pmf: Pmf): number {
  const transport = transportOf(prior);
  const reach = Math.max(transport.rows + 1, -pmf.from, lastIndex(pmf));
  const { p, beyond } = probabilities(pmf, Math.min(-reach, pmf.from), Math.max(reach, lastIndex(pmf)));
  const side = ({ mass, sums }: { mass: number; sums: number }) => ({ mass, excess: sums });
  const { open, outside } = transport.residual({
    reach,
    p,
    left: side(beyond.left),
    right: side(beyond.right),
  });
  return open.reduce((sum, v) => sum + Math.abs(v), outside) * toNumberNear(pmf.step);
}
