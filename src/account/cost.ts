// A cost: what one person has lost, as upper bounds on ε and δ.

import {
  add,
  compare,
  parseDecimal,
  type Rational,
  subtract,
  toDecimal,
  toDecimalUp,
  zero,
} from '../exact/index.js';

export interface Cost {
  readonly epsilon: Rational;
  readonly delta: Rational;
}

export const noCost: Cost = { epsilon: zero, delta: zero };

/** The sum of two costs. */
export function plus(a: Cost, b: Cost): Cost {
  return { epsilon: add(a.epsilon, b.epsilon), delta: add(a.delta, b.delta) };
}

/** The difference of two costs. */
export function minus(a: Cost, b: Cost): Cost {
  return { epsilon: subtract(a.epsilon, b.epsilon), delta: subtract(a.delta, b.delta) };
}

/** Is neither figure above the other cost’s? */
export function within(cost: Cost, most: Cost): boolean {
  return compare(cost.epsilon, most.epsilon) <= 0 && compare(cost.delta, most.delta) <= 0;
}

/** Significant digits that a cost is rounded up to. */
const DIGITS = 17;

/** As decimals, rounded up. */
export function rounded({ epsilon, delta }: Cost): Cost {
  return {
    epsilon: parseDecimal(toDecimalUp(epsilon, DIGITS)),
    delta: parseDecimal(toDecimalUp(delta, DIGITS)),
  };
}

/** A cost whose figures are texts, as files keep it. */
export interface WrittenCost {
  readonly epsilon: string;
  readonly delta: string;
}

/** As decimals, exactly. */
export function written({ epsilon, delta }: Cost): WrittenCost {
  return { epsilon: toDecimal(epsilon), delta: toDecimal(delta) };
}

/** The inverse of `written`, exactly. */
export function readCost({ epsilon, delta }: WrittenCost): Cost {
  return { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta) };
}
