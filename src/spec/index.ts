// The grammar of noises and priors, and names as people read them.

export { editDistance, quote, suggest } from './grammar.js';
export { nameLike, readsAs, readsLike } from './names.js';
export { parseFamily, parseNoise, type ReadTable } from './noise.js';
export { type Prior, parsePrior, type ReadColumn } from './prior.js';
