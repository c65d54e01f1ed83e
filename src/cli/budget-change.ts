// What a new budget would drop of the one that stands: budgets are stated whole, so what is not repeated is gone.

import { wrong } from '../error/index.js';
import { compare, integer, multiply, parseDecimal } from '../exact/index.js';
import type { Budget } from '../ledger/index.js';
import { nameLike } from '../spec/index.js';

export interface Meant {
  /** It is meant that terms are dropped. */
  readonly change: boolean;
  /** It is meant that so much more may be spent. */
  readonly yes: boolean;
  /** Does a person sit there? Programs state what they mean. */
  readonly terminal: boolean;
}

/** Refuse what may be a slip: terms that are gone, and ten times the budget. */
export function checkChange(next: Budget, before: Budget | null, { change, yes, terminal }: Meant): void {
  if (before === null) return;
  const gone = droppedTerms(next, before);
  if (gone.length > 0 && !change)
    throw wrong(
      `ledger: ${next.dataset} has a budget already, and a budget is stated whole: this would change ${gone.join('; ')}; repeat what is to stay, or say {change} where this is meant`,
    );
  const much = (['epsilon', 'delta'] as const).find((key) => isTenfold(next[key], before[key]));
  if (much !== undefined && terminal && !yes)
    throw wrong(
      `ledger: ${next.dataset} has ${SIGN[much]} = ${before[much]}, and ${next[much]} is ten times that or more; correct it, or say {yes} where it is meant`,
    );
}

const SIGN = { epsilon: 'ε', delta: 'δ' } as const;

function isTenfold(next: string, before: string): boolean {
  const old = parseDecimal(before);
  return old.num > 0n && compare(parseDecimal(next), multiply(old, integer(10))) >= 0;
}

/** What is there no more, or is less, each as it was and as it would be. */
function droppedTerms(next: Budget, before: Budget): string[] {
  const less = (['epsilon', 'delta'] as const).filter(
    (key) => compare(parseDecimal(next[key]), parseDecimal(before[key])) < 0,
  );
  const columns = Object.keys(next.adjacency);
  const moved = Object.entries(before.adjacency).flatMap(([column, m]) => {
    const own = nameLike(column, columns);
    const now = own === undefined ? null : next.adjacency[own]!;
    if (now !== null && compare(parseDecimal(now), parseDecimal(m)) >= 0) return [];
    return [`${column} by up to ${m} → ${now === null ? 'no more protected' : `by up to ${now}`}`];
  });
  const rows = (k: number | null) => (k === null ? 'not stated' : String(k));
  const parts = ({ partition }: Budget) =>
    partition ? `${partition.column}=${partition.parts.join(',')}` : 'none';
  const filter = (budget: Budget) => budget.filter ?? 'basic';
  return [
    ...less.map((key) => `${SIGN[key]} = ${before[key]} → ${next[key]}`),
    ...moved,
    ...(before.perPerson === null || (next.perPerson ?? 0) >= before.perPerson
      ? []
      : [`rows per person: ${rows(before.perPerson)} → ${rows(next.perPerson)}`]),
    ...(parts(next) === parts(before) ? [] : [`parts: ${parts(before)} → ${parts(next)}`]),
    ...(filter(next) === filter(before) ? [] : [`how releases add up: ${filter(before)} → ${filter(next)}`]),
  ];
}
