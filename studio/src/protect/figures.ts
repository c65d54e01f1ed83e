// Costs for people: seven digits, rounded against whoever spends.

import type { Cost } from 'discreet-dp/account';
import { toDecimalDown, toDecimalUp } from 'discreet-dp/exact';

export interface ShownCost {
  readonly epsilon: string;
  readonly delta: string;
}

const DIGITS = 7;

/** What is spent is told as more. */
export function spentFigures({ epsilon, delta }: Cost): ShownCost {
  return { epsilon: toDecimalUp(epsilon, DIGITS), delta: toDecimalUp(delta, DIGITS) };
}

/** What is left is told as less. */
export function leftFigures({ epsilon, delta }: Cost): ShownCost {
  return { epsilon: toDecimalDown(epsilon, DIGITS), delta: toDecimalDown(delta, DIGITS) };
}
