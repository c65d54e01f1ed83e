// Costs for people: seven digits, rounded against whoever spends.

import type { Cost } from 'discreet-dp/account';
import { toDecimalUp } from 'discreet-dp/exact';

export interface ShownCost {
  readonly epsilon: string;
  readonly delta: string;
}

const DIGITS = 7;

/** What is spent is told as more. */
export function spentFigures({ epsilon, delta }: Cost): ShownCost {
  return { epsilon: toDecimalUp(epsilon, DIGITS), delta: toDecimalUp(delta, DIGITS) };
}
