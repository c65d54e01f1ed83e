// Compile, certify, calibrate; the mechanism file.

export { PrivacyError } from '../error/index.js';
export { type Calibrated, calibrate, defaults } from './calibrate.js';
export { centred } from './centre.js';
export { type Certificate, certify, requireClaim } from './certify.js';
export { type BeforeAndAfter, beforeAndAfter, type Discrete } from './continuous.js';
export { FORMAT, readMechanism, writeMechanism } from './file.js';
export { type Guarantee, guaranteeOf } from './guarantee.js';
export {
  type Finish,
  finishAll,
  finished,
  finishOf,
  holdsDigit,
  indexOfInteger,
  indexOfText,
  indicesOfIntegers,
  type Lattice,
  latticeOf,
  MOST_STEPS,
  textOfIndex,
} from './lattice.js';
export {
  type Claim,
  CUT,
  compile,
  cutFor,
  DEEPEST_CUT,
  type Mechanism,
} from './mechanism.js';
export { profileOf } from './profiled.js';
export { remembered, rememberedBy } from './remembered.js';
export { type ErrorQuantile, errorQuantiles, type Utility, utilityOf } from './utility.js';
export { type VectorGuarantee, vectorOf, type Worst } from './vector.js';
