// What somebody wants from a ledger, as tests say it: what it costs may depend on the budget.

import { createHash } from 'node:crypto';
import {
  type Act,
  type Budget,
  type Charge,
  type Ledger,
  type Meant,
  type Quote,
  quoteOf,
  rowsPerPerson,
} from '../../src/ledger/index.js';

export interface Wish extends Omit<Act, 'charges'>, Meant {
  readonly price: (budget: Budget | null, rows: number) => readonly Charge[];
}

export async function quoteFor(ledger: Ledger, wish: Wish): Promise<Quote> {
  const account = await ledger.account(wish);
  const perPerson = rowsPerPerson(account, wish.perPerson, wish.perPersonEnforced);
  const rows = perPerson ?? 1;
  const charges = wish.price(account.budget, rows);
  return quoteOf({ ...wish, perPerson, charges }, account);
}

export async function reserve(ledger: Ledger, wish: Wish, quote?: Quote) {
  return ledger.reserve(quote ?? (await quoteFor(ledger, wish)));
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
