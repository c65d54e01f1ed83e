// What a publisher should think about before anything leaves, in words that need no theory.

import {
  compare,
  fromNumber,
  integer,
  multiply,
  parseDecimal,
  rational,
  toDecimalUp,
  toNumberNear,
} from '../exact/index.js';
import type { Charge } from '../ledger/index.js';
import { lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import { learnableOf } from './learnable.js';

/** Beyond it a guarantee is weak. */
const MUCH = rational(3n);

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

/** How often the noise is 0. */
function shareOfZero(pmf: Pmf): number {
  const from = Math.min(pmf.from, 0);
  return probabilities(pmf, from, Math.max(lastIndex(pmf), 0)).p[-from]!;
}

/** What one person loses in all, where each value of theirs is well protected. */
export function totalWarnings(epsilon: string, columns: number, rows: number | null): string[] {
  if (columns * (rows ?? 1) < 2 || compare(parseDecimal(epsilon), MUCH) <= 0) return [];
  return [
    `ε = ${Number(toNumberNear(parseDecimal(epsilon)).toPrecision(4))} in all, over all values of a person, protects little: whoever looks at them together learns far more than from one; 1 to 3 in all is usual for data about people`,
  ];
}

/** Noise that changes little, and an ε that promises little. */
export function warningsOf({ name, mechanism }: ProtectedColumn, charge: Charge): string[] {
  const still = shareOfZero(mechanism.pmf);
  const epsilon = parseDecimal(charge.epsilon);
  return [
    ...(still > 0.5
      ? [
          `${percentUp(still, 2)} of the values of “${name}” leave as they are, for their noise is 0: whoever takes a published value for the true one is mostly right`,
        ]
      : []),
    ...(compare(epsilon, MUCH) > 0
      ? [
          `ε = ${Number(toNumberNear(epsilon).toPrecision(4))} for one value of “${name}” protects little: ${guessWords({ mechanism }, charge)}; 1 or less is usual for data about people`,
        ]
      : []),
  ];
}
