// Does a mechanism keep its claim? Recomputed from its integers alone, trusting nothing else in it.

import { PrivacyError } from '../error/index.js';
import { compare, minimum, type Rational } from '../exact/index.js';
import type { Profile, RatioWitness } from '../privacy/index.js';
import type { Mechanism } from './mechanism.js';
import { profileOf } from './profiled.js';

export interface Certificate {
  readonly holds: boolean;
  /** An upper bound on log c_b; null where no ε suffices with δ = 0. */
  readonly epsilonUpper: Rational | null;
  /** An upper bound on δ at the claimed ε. */
  readonly deltaUpper: Rational;
  /** Where the largest ratio is attained, or a point of zero probability. */
  readonly witness: RatioWitness;
  readonly profile: Profile;
}

/** True of `holds` is a proof that the mechanism is (ε, δ)-DP at its adjacency as it claims (proofs/profile.md). */
export function certify({ pmf, adjacency, claim }: Mechanism): Certificate {
  const profile = profileOf(pmf, adjacency);
  const { supRatio } = profile;
  const bound = profile.deltaAt(claim.epsilon).upper;
  // What an upper bound does not prove is decided in integers, and then the claim is the better bound.
  const holds = compare(bound, claim.delta) <= 0 || profile.satisfies(claim.epsilon, claim.delta);
  const deltaUpper = holds ? minimum(bound, claim.delta) : bound;
  return {
    holds,
    epsilonUpper: supRatio.finite ? supRatio.epsilon(512).upper : null,
    deltaUpper,
    witness: supRatio.witness,
    profile,
  };
}

/** Throw unless the claim holds. */
export function requireClaim(
  mechanism: Mechanism,
  describe: (certificate: Certificate) => string,
): Certificate {
  const certificate = certify(mechanism);
  if (!certificate.holds) throw new PrivacyError(describe(certificate));
  return certificate;
}
