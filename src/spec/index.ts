// The grammar of noises and priors, and names as people read them.

export { quote } from '../error/index.js';
export { parseCsv } from './csv.js';
export {
  type Decimal,
  readDecimal,
  readDelta,
  readDistance,
  readEpsilon,
  readGap,
  readPositive,
  readPositiveEpsilon,
  readSteps,
  type Steps,
} from './figures.js';
export { editDistance, suggest } from './grammar.js';
export { columnList, meantColumn, missingColumn } from './missing.js';
export { nameLike, readsAs, readsLike } from './names.js';
export { parseFamily, parseNoise, type ReadTable } from './noise.js';
export { type PriorFiles, parsePrior, priorPath, type ReadColumn } from './prior.js';
export { tableRows } from './table.js';
