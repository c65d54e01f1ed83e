// What something cost, has cost and may cost, for people and for programs.

import { parseDecimal, toDecimal, toDecimalDown } from '../exact/index.js';
import { type Quote, remaining, timesRows, unitWords } from '../ledger/index.js';
import { figure } from './output.js';

/** ε and δ for people, rounded up. */
export function costWords({ epsilon, delta }: Quote['before']): string {
  return `ε = ${figure(epsilon)}${delta.num === 0n ? '' : `, δ = ${figure(delta)}`}`;
}

/** The same of what is left, rounded down. */
function leftWords({ epsilon, delta }: Quote['before']): string {
  return `ε = ${toDecimalDown(epsilon, 7)}${delta.num === 0n ? '' : `, δ = ${toDecimalDown(delta, 7)}`}`;
}

export function accountJson(quote: Quote) {
  const decimals = ({ epsilon, delta }: Quote['before']) => ({
    epsilon: toDecimal(epsilon),
    delta: toDecimal(delta),
  });
  return {
    dataset: quote.spending.dataset,
    part: quote.spending.part,
    perPerson: quote.spending.perPerson,
    perPersonEnforced: quote.spending.perPersonEnforced,
    unit: unitWords(quote.spending),
    cost: { epsilon: quote.spending.epsilon, delta: quote.spending.delta },
    charges: quote.spending.charges,
    spentBefore: decimals(quote.before),
    spentAfter: decimals(quote.after),
    budget: quote.budget && { epsilon: quote.budget.epsilon, delta: quote.budget.delta },
    remaining: quote.budget && decimals(remaining(quote.budget, quote.fits ? quote.after : quote.before)),
  };
}

export function accountWords(quote: Quote, ledger: string, trial: boolean): string[] {
  const { budget, spending, before, after } = quote;
  const cost = costWords({ epsilon: parseDecimal(spending.epsilon), delta: parseDecimal(spending.delta) });
  const name = `${spending.dataset}${spending.part === null ? '' : `, part ${spending.part},`}`;
  const limit = budget
    ? ` of ${costWords({ epsilon: parseDecimal(budget.epsilon), delta: parseDecimal(budget.delta) })}`
    : '';
  const left = budget && quote.fits ? `, ${leftWords(remaining(budget, after))} left` : '';
  const none = budget ? '' : '; no budget is set';
  return [
    `cost       ${cost}, ${unitWords(spending, trial)}`,
    ...shareWords(spending),
    trial
      ? `ledger     ${ledger}: ${name} has spent ${costWords(before)}${limit}; with this it would be ${costWords(after)}${left}${none}`
      : `ledger     ${ledger}: ${name} has spent ${costWords(after)}${limit}${left}${none}`,
  ];
}

/** Who gets how much of it, where there are a few. */
function shareWords({ act, charges, perPerson }: Quote['spending']): string[] {
  if (act !== 'release' || charges.length < 2 || charges.length > 12) return [];
  const shares = charges.map(({ on, epsilon, delta }) => {
    const row = { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta) };
    return `${on} ${costWords(timesRows(row, perPerson ?? 1))}`;
  });
  return [`shares     ${shares.join('; ')}`];
}

/** 1 row, 2 rows. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}
