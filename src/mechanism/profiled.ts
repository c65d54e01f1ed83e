// The profile of a mass function at an adjacency takes time, and several figures rest on it: each is worked out once.

import type { Pmf } from '../pmf/index.js';
import { type Profile, privacyProfile } from '../privacy/index.js';
import { rememberedBy } from './remembered.js';

/** The exact δ(ε) of a change by up to `adjacency` steps (proofs/profile.md). */
export const profileOf: (pmf: Pmf, adjacency: number) => Profile = rememberedBy(privacyProfile);
