// Exact numbers: rationals, decimals, and enclosures of exp, log and the normal distribution.

export * from './decimal.js';
export * from './elementary.js';
export * from './normal.js';
export * from './rational.js';
