// The optimal noise for a target, with a proof of optimality.

export { type Alternative, alternatives, leastMagnitude } from './alternatives.js';
export { type Clamped, clamped } from './clamp.js';
export { type Design, design, GAP, goalValue, outputDistance, type Target, type Wish } from './design.js';
export { type Goal, parseGoal } from './goal.js';
export { describeStairs, type Stair, stairsOf } from './stairs.js';
