// What follows from a request and its dataset's budget, wherever rows are: columns with their noise, what it costs, what may leave.

import {
  checkRoles,
  type Ledger,
  partColumn,
  type Quote,
  quoteOf,
  rowsPerPerson,
  type Spending,
} from '../ledger/index.js';
import { type Asked, chargeOf, type ProtectedColumn, protectedColumns } from './columns.js';
import type { Guard } from './guard.js';

/** What its dataset protects. */
export function guardOf({ budget, earlier }: Pick<Quote['account'], 'budget' | 'earlier'>): Guard {
  return { budget: Object.keys(budget?.adjacency ?? {}), earlier };
}

/** A release as it is asked for, apart from where its rows are. */
export interface Wanted extends Asked {
  readonly dataset: string | null;
  /** The input's own name, for a ledger without budgets. */
  readonly inputName: string | null;
  readonly part: string | null;
  /** Rows of a person as they are stated; null is the budget's. */
  readonly perPerson: number | null;
  /** For the record. */
  readonly input: string;
  readonly output: string;
  readonly query: Spending['query'];
  readonly keyed?: Spending['keyed'];
}

export interface Agreed {
  readonly quote: Quote;
  readonly columns: readonly ProtectedColumn[];
  readonly guard: Guard;
}

/** The noise is made here, and nothing is charged: a quote can be refused, or reserved. */
export async function agreedOn(wanted: Wanted, ledger: Ledger): Promise<Agreed> {
  const { dataset, inputName, person, keyed } = wanted;
  const account = await ledger.account({ dataset, inputName });
  const protects = wanted.columns.map(({ name }) => name);
  checkRoles({ protects, person, part: partColumn(account, wanted.part), id: keyed?.id ?? null }, account);
  const perPerson = rowsPerPerson(account, wanted.perPerson, person !== null);
  const times = perPerson ?? 1;
  const columns = protectedColumns(wanted, account, times);
  const charges = columns.map((column) => chargeOf(column, account, ledger.mechanismHash(column.mechanism)));
  const quote = quoteOf(
    {
      act: 'release',
      part: wanted.part,
      input: wanted.input,
      output: wanted.output,
      query: wanted.query,
      ...(keyed ? { keyed } : {}),
      passed: wanted.pass,
      dropped: wanted.drop ?? [],
      perPerson,
      perPersonEnforced: person !== null,
      person,
      charges,
    },
    account,
  );
  const guard = guardOf(account);
  return { quote, columns, guard };
}
