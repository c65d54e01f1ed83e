// What a caller did wrong, in one class.

export { badData, type Code, cannot, DiscreetError, invalid, isOurs, PrivacyError, wrong } from './error.js';
export { isDeeper, parseJson } from './json.js';
export { optional } from './optional.js';
export { hideNames, isPlain, quote, showNames, unquoted } from './quote.js';
