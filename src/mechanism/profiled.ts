// The profile of a mass function at an adjacency takes time, and several figures rest on it: each is worked out once.

import type { Pmf } from '../pmf/index.js';
import { type Profile, privacyProfile } from '../privacy/index.js';
import { remembered } from './remembered.js';

const profilesOf = remembered((_pmf: Pmf) => new Map<number, Profile>());

/** The exact δ(ε) of a change by up to `adjacency` steps (proofs/profile.md). */
export function profileOf(pmf: Pmf, adjacency: number): Profile {
  const known = profilesOf(pmf);
  const profile = known.get(adjacency) ?? privacyProfile(pmf, adjacency);
  known.set(adjacency, profile);
  return profile;
}
