// What is left of a budget, for people: rounded against whoever spends it, and too little for anything is nothing.

import { type Cost, readCost, type WrittenCost } from '../account/index.js';
import { compare, integer, multiply, type Rational, toDecimalDown } from '../exact/index.js';

const MILLION = integer(1_000_000);

/** Seven digits, rounded down; less than a millionth of the budget is 0. */
export function leftFigures(rest: Cost, budget: WrittenCost): WrittenCost {
  const whole = readCost(budget);
  const shown = (some: Rational, all: Rational) =>
    compare(multiply(some, MILLION), all) < 0 ? '0' : toDecimalDown(some, 7);
  return { epsilon: shown(rest.epsilon, whole.epsilon), delta: shown(rest.delta, whole.delta) };
}

/** In words: without ε, nothing can be released. */
export function leftWords(rest: Cost, budget: WrittenCost): string {
  const { epsilon, delta } = leftFigures(rest, budget);
  if (epsilon === '0') return 'nothing';
  return `ε = ${epsilon}${readCost(budget).delta.num === 0n ? '' : `, δ = ${delta}`}`;
}
