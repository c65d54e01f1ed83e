// The optimal noise for a target, with a proof of optimality.

export { type Alternative, alternatives, leastMagnitude } from './alternatives.js';
export { type Clamped, clamped } from './clamp.js';
export { type Design, type DesignOrigin, design } from './design.js';
export { type Distances, outputDistance, outputDistances } from './distances.js';
export { type Objective, objectiveWords, parseObjective } from './objective.js';
export { type DesignOptions, GAP, type Progress } from './options.js';
export { describeStairs, type Stair, stairsOf } from './stairs.js';
export { type LeastEpsilon, leastEpsilon, type Refused, type Tradeoff, tradeoffAt } from './tradeoff.js';
export { objectiveValue } from './value.js';
