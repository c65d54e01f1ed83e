// Exact numbers: rationals, decimals, and enclosures of exp, log and the normal distribution.

export {
  exactText,
  fromNumber,
  isInteger,
  parseDecimal,
  parseRational,
  toDecimal,
  toDecimalDown,
  toDecimalUp,
  toNumberDown,
  toNumberNear,
  toNumberUp,
} from './decimal.js';
export { dyadic, type Enclosure, exactly, exp, integerRoot, log, power, squareRoot } from './elementary.js';
export { normalCdf, normalDensity, normalTail } from './normal.js';
export {
  absolute,
  add,
  bitLength,
  ceiling,
  compare,
  divide,
  divideDown,
  divideUp,
  floor,
  integer,
  maximum,
  minimum,
  multiply,
  negate,
  one,
  type Rational,
  rational,
  subtract,
  zero,
} from './rational.js';
