// What a caller did wrong, in one class.

export { badData, type Code, cannot, DiscreetError, invalid, isOurs, PrivacyError, wrong } from './error.js';
export { isDeeper, parseJson } from './json.js';
export { optional } from './optional.js';
export { isPlain, quote, unquoted } from './quote.js';
