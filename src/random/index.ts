// Bit sources and exact samplers.

export {
  discreteGaussianSampler,
  discreteLaplaceSampler,
} from './canonne-kamath-steinke.js';
export { type Candidate, type Choice, choose, exponentialMechanism } from './exponential-mechanism.js';
export {
  drawOne,
  fromTables,
  makeTables,
  type Overflow,
  type Sampler,
  type Size,
  sampler,
  type Tables,
} from './sampler.js';
export {
  type BitSource,
  type EntropySource,
  entropySource,
  type SeededSource,
  type SystemCrypto,
  seededSource,
  wordReader,
} from './source.js';
export { uniformBelow, type Words } from './uniform.js';
