// What a publisher should think about before anything leaves, in words that need no theory.

import { compare, parseDecimal, type Rational, rational, toNumberNear } from '../exact/index.js';
import type { Charge, Quote } from '../ledger/index.js';
import { lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import { guessWords, percentUp } from './guess.js';
import { inAllOf } from './in-all.js';
import { costWith, priorsOf } from './priors.js';

/** Beyond it a guarantee is weak. */
const MUCH = rational(3n);

/** How often the noise is 0. */
function shareOfZero(pmf: Pmf): number {
  const from = Math.min(pmf.from, 0);
  return probabilities(pmf, from, Math.max(lastIndex(pmf), 0)).p[-from]!;
}

/** What one person loses in all: by the dataset's earlier releases too, or by this one alone, where each value of theirs is well protected. */
export function totalWarnings(
  columns: readonly Pick<ProtectedColumn, 'mechanism' | 'gain'>[],
  quote: Pick<Quote, 'spending' | 'account' | 'after'>,
): string[] {
  const { spending, account } = quote;
  const inAll = inAllOf(columns, quote);
  if (inAll && compare(parseDecimal(inAll.epsilon), MUCH) > 0)
    return [
      `ε = ${figure(parseDecimal(inAll.epsilon))} in all, over all that was published of ${inAll.dataset}, protects little: whoever looks at it together learns far more than from this alone; 1 to 3 in all is usual for data about people`,
    ];
  const { epsilon: total } = costWith(spending, priorsOf(columns, spending, account));
  const isOneValue = spending.charges.some(({ epsilon }) => compare(parseDecimal(epsilon), total) >= 0);
  if (isOneValue || compare(total, MUCH) <= 0) return [];
  return [
    `ε = ${figure(total)} in all, over all that is published of a person, protects little: whoever looks at it together learns far more than from one value; 1 to 3 in all is usual for data about people`,
  ];
}

/** Of a budget that promises little; null where it is as usual. */
export function budgetWarning(epsilon: string): string | null {
  return compare(parseDecimal(epsilon), MUCH) > 0
    ? `a budget of ε = ${epsilon} in all protects little; 1 to 3 in all is usual for data about people`
    : null;
}

/** Four digits. */
function figure(epsilon: Rational): string {
  return String(Number(toNumberNear(epsilon).toPrecision(4)));
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
          `ε = ${figure(epsilon)} for one value of “${name}” protects little: ${guessWords({ mechanism }, charge)}; 1 or less is usual for data about people`,
        ]
      : []),
  ];
}
