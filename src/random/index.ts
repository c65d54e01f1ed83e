// Bit sources and exact samplers.

export type { AliasTable } from './alias.js';
export {
  discreteGaussianSampler,
  discreteLaplaceSampler,
} from './canonne-kamath-steinke.js';
export type { Stretch } from './digits.js';
export { drawOne } from './draw.js';
export { type Candidate, type Choice, choose, exponentialMechanism } from './exponential-mechanism.js';
export {
  BLOCK,
  type BlockCipher,
  type ColumnKey,
  type Identities,
  type KeyedRows,
  type KeyedSampler,
  keyedSampler,
  tagsOf,
  wholeTags,
} from './keyed.js';
export { fromTables, type Overflow, type Sampler, sampler } from './sampler.js';
export {
  type BitSource,
  type EntropySource,
  entropySource,
  type SeededSource,
  type SystemCrypto,
  seededSource,
  wordReader,
} from './source.js';
export { type Blocks, makeTables, type Size, type Tables } from './tables.js';
export { uniformBelow, type Words } from './uniform.js';
