// Everything by name; the sub-paths load less.

export * as audit from './audit/index.js';
export * as design from './design/index.js';
export * as exact from './exact/index.js';
export * as mechanism from './mechanism/index.js';
export * as noise from './noise/index.js';
export * as paper from './paper/index.js';
export * as plot from './plot/index.js';
export * as pmf from './pmf/index.js';
export * as privacy from './privacy/index.js';
export * as random from './random/index.js';
export * as spec from './spec/index.js';
