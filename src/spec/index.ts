// The grammar of noises and priors.

export { editDistance, quote, suggest } from './grammar.js';
export { parseFamily, parseNoise, type ReadTable } from './noise.js';
export { type Prior, parsePrior, type ReadColumn } from './prior.js';
