// How often the best guess is right, of one value by itself, and how that is said.

import { compare, fromNumber, integer, multiply, parseDecimal, toDecimalUp } from '../exact/index.js';
import type { Charge } from '../ledger/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import { learnableOf } from './learnable.js';

/** How often the best guess between two values as far apart as the guarantee is for is right, at most. */
export function bestGuess({ mechanism }: Pick<ProtectedColumn, 'mechanism'>, charge: Charge): number {
  return learnableOf(mechanism, charge).find(({ own }) => own)!.guess;
}

/** A share in per cent, upward. */
export function percentUp(share: number, digits = 3): string {
  const cent = toDecimalUp(multiply(fromNumber(share), integer(100)), digits);
  return `${compare(parseDecimal(cent), integer(100)) > 0 ? '100' : cent} %`;
}

/** What the guarantee comes to, for one value. */
export function guessWords(column: Pick<ProtectedColumn, 'mechanism'>, charge: Charge): string {
  return `between two values ${charge.adjacency} apart, the best guess is right at most ${percentUp(bestGuess(column, charge))} of the time`;
}
