// What something cost, has cost and may cost, for people and for programs.

import { type Cost, readCost, timesRows, type WrittenCost, written } from '../account/index.js';
import { leftWords, type Quote, unitWords } from '../ledger/index.js';
import { figure } from './output.js';

/** ε and δ for people, rounded up. */
function costWords({ epsilon, delta }: Cost): string {
  return `ε = ${figure(epsilon)}${delta.num === 0n ? '' : `, δ = ${figure(delta)}`}`;
}

export function accountJson({ spending, account, before, after, left }: Quote) {
  const { budget } = account;
  return {
    dataset: spending.dataset,
    part: spending.part,
    perPerson: spending.perPerson,
    perPersonEnforced: spending.perPersonEnforced,
    unit: unitWords(spending),
    cost: { epsilon: spending.epsilon, delta: spending.delta },
    charges: spending.charges,
    spentBefore: written(before),
    spentAfter: written(after),
    budget: budget && { epsilon: budget.epsilon, delta: budget.delta },
    remaining: left && written(left),
  };
}

export function accountWords(
  quote: Quote,
  ledger: string,
  trial: boolean,
  total: WrittenCost = quote.spending,
): string[] {
  const { spending, before, after, fits } = quote;
  const { budget } = quote.account;
  const name = `${spending.dataset}${spending.part === null ? '' : `, part ${spending.part},`}`;
  const limit = budget ? ` of ${costWords(readCost(budget))}` : '';
  const left = quote.left && budget && fits ? `, ${leftWords(quote.left, budget)} left` : '';
  const none = budget ? '' : '; no budget is set';
  return [
    `cost       ${costWords(readCost(total))}, ${unitWords(spending, trial)}${spending.perPerson === null ? '; where a person may have several, say so with --per-person' : ''}`,
    ...shareWords(spending),
    trial
      ? `ledger     ${ledger}: ${name} has spent ${costWords(before)}${limit}; with this it would be ${costWords(after)}${left}${none}`
      : `ledger     ${ledger}: ${name} has spent ${costWords(after)}${limit}${left}${none}`,
  ];
}

/** Who gets how much of it, where there are a few. */
function shareWords({ act, charges, perPerson }: Quote['spending']): string[] {
  if (act !== 'release' || charges.length < 2 || charges.length > 12) return [];
  const shares = charges.map((charge) => costWords(timesRows(readCost(charge), perPerson ?? 1)));
  const [first] = shares;
  if (charges.length > 3 && shares.every((share) => share === first)) return [`shares     ${first} each`];
  return [`shares     ${charges.map(({ on }, i) => `${on} ${shares[i]}`).join('; ')}`];
}

/** 1 row, 2 rows. */
export function counted(count: number, word: string): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${word}${count === 1 ? '' : 's'}`;
}
