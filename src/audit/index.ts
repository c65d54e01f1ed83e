// Black-box tests: do draws follow a law, and is a program as private as it claims?

export { type Audit, type AuditOptions, audit, type Draws, type Occurrence } from './audit.js';
export { emptyHistogram, type GTest, gTest, type Histogram, histogramRange } from './g-test.js';
export { binomialLower, binomialUpper, chiSquareTail, incompleteBeta } from './special.js';
