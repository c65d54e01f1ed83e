// What a mechanism costs at a given adjacency, whatever adjacency it was made for: from its exact profile, upward.

import { PrivacyError } from '../error/index.js';
import {
  bitLength,
  compare,
  divide,
  exp,
  integer,
  minimum,
  multiply,
  one,
  type Rational,
  subtract,
  toDecimalUp,
} from '../exact/index.js';
import { type Claim, type Mechanism, profileOf, rememberedBy } from '../mechanism/index.js';
import type { Profile } from '../privacy/index.js';
import { type Cost, rounded } from './cost.js';

/**
 * For a change of one row by up to `adjacency` steps: (ε, 0) for a pure claim, else the least ε at the claimed δ. An upper bound,
 * from the exact profile (proofs/profile.md).
 */
export const mechanismCost: (mechanism: Mechanism, adjacency: number) => Cost = rememberedBy(costAt);

function costAt(mechanism: Mechanism, adjacency: number): Cost {
  const { delta } = mechanism.claim;
  const profile = profileOf(mechanism.pmf, adjacency);
  const { supRatio } = profile;
  const pure = supRatio.finite ? supRatio.epsilon(512).upper : null;
  const found = delta.num === 0n ? pure : profile.epsilonAt(delta);
  const epsilon = orClaim(found, profile, mechanism.claim);
  if (epsilon === null)
    throw new PrivacyError(
      `the mechanism was made for ${mechanism.adjacency} steps and has no ε at ${adjacency} steps with δ = ${toDecimalUp(delta, 7)}; make one for that adjacency`,
    );
  return rounded({ epsilon, delta });
}

/** What is found lies a little above the least ε; where the claim is proved and smaller, the claim stands. */
function orClaim(found: Rational | null, profile: Profile, { epsilon, delta }: Claim): Rational | null {
  if (found !== null && compare(found, epsilon) <= 0) return found;
  return profile.satisfies(epsilon, delta) ? epsilon : found;
}

/** k rows with noise of their own each: ε and δ add up. */
export function timesRows(cost: Cost, rows: number): Cost {
  const k = integer(rows);
  return rounded({ epsilon: multiply(cost.epsilon, k), delta: multiply(cost.delta, k) });
}

/** k successive changes of one result: (kε, δ·(1 + e^ε + … + e^((k−1)ε))), by the triangle of group privacy. */
export function successive(cost: Cost, changes: number): Cost {
  const epsilon = multiply(cost.epsilon, integer(changes));
  if (cost.delta.num === 0n) return rounded({ epsilon, delta: cost.delta });
  const growth = growthUpper(cost.epsilon, changes);
  // Every δ is at most one, whatever it grows to.
  return rounded({ epsilon, delta: growth === null ? one : minimum(one, multiply(cost.delta, growth)) });
}

/** Beyond this, e^(kε) has too many digits to be written out. */
const LARGEST = integer(20_000);

/** An upper bound on 1 + e^ε + … + e^((k−1)ε) = (e^(kε) − 1) / (e^ε − 1); null where that is too large to be worked out. */
export function growthUpper(epsilon: Rational, changes: number): Rational | null {
  if (epsilon.num === 0n || changes === 1) return integer(changes);
  const kEpsilon = multiply(epsilon, integer(changes));
  if (compare(kEpsilon, LARGEST) > 0) return null;
  const bits = 256 + Math.max(0, bitLength(epsilon.den) - bitLength(epsilon.num));
  return divide(subtract(exp(kEpsilon, bits).upper, one), subtract(exp(epsilon, bits).lower, one));
}
