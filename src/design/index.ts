// The optimal noise for a target, with a proof of optimality.

export { type Clamped, clamped } from './clamp.js';
export { type Design, design, GAP, type Target, valueOf, type Wish } from './design.js';
export { type Goal, parseGoal } from './goal.js';
export { describeStairs, type Stair, stairsOf } from './stairs.js';
