// Costs for people: seven digits, rounded against whoever spends.

import type { Cost } from 'discreet-dp/account';
import { compare, rational, toDecimalDown, toDecimalUp } from 'discreet-dp/exact';

export interface ShownCost {
  readonly epsilon: string;
  readonly delta: string;
}

const DIGITS = 7;

/** What is spent is told as more. */
export function spentFigures({ epsilon, delta }: Cost): ShownCost {
  return { epsilon: toDecimalUp(epsilon, DIGITS), delta: toDecimalUp(delta, DIGITS) };
}

/** What is left is told as less, and a millionth as nothing. */
export function leftFigures({ epsilon, delta }: Cost): ShownCost {
  const some = compare(epsilon, rational(1n, 1_000_000n)) >= 0;
  return { epsilon: some ? toDecimalDown(epsilon, DIGITS) : '0', delta: toDecimalDown(delta, DIGITS) };
}
