// What somebody wants to do, what it costs by the dataset's budget, and whether that suffices.

import { basicComposition, type Cost, type Planned, readCost, written } from '../account/index.js';
import { invalid, PrivacyError, quote, unquoted } from '../error/index.js';
import { nameLike, readsLike, suggest } from '../spec/index.js';
import type { Budget, Charge, KeyedNoise, Query, Spending } from './entry.js';
import { checkFirstProtected, checkNoPart, type Protection, protectedBy, protectsAny } from './protection.js';
import { leftWords } from './rest.js';
import {
  accountantFor,
  countedReleases,
  type Dataset,
  fits,
  left,
  protectedSoFar,
  spent,
  unknownFilter,
} from './spending.js';

/** A dataset as its ledger knows it: the terms of whatever is done with it. */
export interface Account {
  readonly dataset: Dataset;
  readonly budget: Budget | null;
  /** Columns that the dataset's releases have protected so far. */
  readonly earlier: readonly string[];
  /** Columns that other datasets of the ledger protect, by their budgets or releases. */
  readonly elsewhere: readonly { readonly column: string; readonly dataset: string }[];
}

/** The dataset that is meant, or the input's own name where none is given. */
export interface Meant {
  readonly dataset: string | null;
  readonly inputName: string | null;
}

export function accountOf(meant: Meant, datasets: ReadonlyMap<string, Dataset>): Account {
  const name = datasetName(meant, datasets);
  const dataset = datasets.get(name) ?? { name, budget: null, releases: [], mechanism: () => null };
  if (!accountantFor(dataset.budget))
    throw new PrivacyError(`${name}: ${unknownFilter(dataset.budget!.filter!)}`);
  return {
    dataset,
    budget: dataset.budget,
    earlier: protectedSoFar(dataset),
    elsewhere: [...datasets.values()]
      .filter((other) => other !== dataset)
      .flatMap((other) =>
        [...new Set([...Object.keys(other.budget?.adjacency ?? {}), ...protectedSoFar(other)])].map(
          (column) => ({ column, dataset: other.name }),
        ),
      ),
  };
}

/** What is to be done, for the record. */
export interface Act {
  readonly act: Spending['act'];
  readonly part: string | null;
  readonly input: string;
  readonly output: string;
  readonly query?: Query | null;
  /** Where noise is a function of a key. */
  readonly keyed?: KeyedNoise;
  /** Columns that leave as they are because the publisher says so; none by default. */
  readonly passed?: readonly string[];
  /** Columns that do not leave at all; none by default. */
  readonly dropped?: readonly string[];
  /** Columns that are counted by; none by default. */
  readonly by?: readonly string[];
  /** Of a count: the column that says how many rows each row stands for, null where each is one. */
  readonly counted?: string | null;
  /** Thresholds so far apart, in data units, where values were counted below them. */
  readonly apart?: string;
  readonly perPerson: number | null;
  readonly perPersonEnforced: boolean;
  /** The column that tells persons apart; null or absent where nobody counts their rows. */
  readonly person?: string | null;
  /** What it costs, mechanism by mechanism, for one row or for one change of a count. */
  readonly charges: readonly Charge[];
}

export interface Quote {
  readonly account: Account;
  readonly spending: Spending;
  readonly before: Cost;
  readonly after: Cost;
  readonly fits: boolean;
  /** Of the budget, once this is spent, or before it where it does not fit; null without a budget. */
  readonly left: Cost | null;
}

/** Columns that are counted by and whose values are protected: one that changes moves a row from one count to another. */
export function movedBy(columns: readonly string[], known: Protection): string[] {
  return columns.filter((column) => protectedBy(known, column) !== null);
}

/** What says how often a person is charged. */
export type Moves = Pick<Spending, 'act' | 'perPerson' | 'query' | 'byProtected' | 'apart'>;

/**
 * How often a person is charged: each row has noise of its own. A count has its noise once: a row that comes or goes changes one, and
 * one that moves changes two. What a query computes may depend on any column, and of counts below thresholds a move changes one.
 */
export function howOften(
  { act, perPerson, query, byProtected, apart }: Moves,
  known: Protection,
): Pick<Planned, 'of' | 'times'> {
  const rows = perPerson ?? 1;
  if (act !== 'count' && act !== 'prior') return { of: 'rows', times: rows };
  const moves = act === 'prior' ? apart === undefined : query ? protectsAny(known) : byProtected.length > 0;
  return { of: 'counts', times: rows * (moves ? 2 : 1) };
}

/** What a spending costs a person, from its charges. */
export function costOf(spending: Moves & Pick<Spending, 'charges'>, known: Protection): Cost {
  const parts = spending.charges.map((charge) => ({
    mechanism: null,
    adjacency: charge.adjacency,
    cost: readCost(charge),
  }));
  const accountant = accountantFor(known.budget) ?? basicComposition;
  return accountant.charge({ parts, ...howOften(spending, known) });
}

/** What an act costs and where it would bring its dataset. */
export function quoteOf(act: Act, account: Account): Quote {
  const { dataset } = account;
  const by = act.by ?? [];
  const spending = {
    act: act.act,
    dataset: dataset.name,
    part: partOf(act.part, dataset),
    input: act.input,
    output: act.output,
    query: act.query ?? null,
    charges: act.charges,
    passed: act.passed ?? [],
    ...(act.dropped && act.dropped.length > 0 ? { dropped: act.dropped } : {}),
    by,
    byProtected: act.act === 'prior' ? by : movedBy(by, account),
    ...(act.act === 'count' ? { counted: act.counted ?? null } : {}),
    ...(act.apart === undefined ? {} : { apart: act.apart }),
    perPerson: act.perPerson,
    perPersonEnforced: act.perPersonEnforced,
    ...(act.person == null ? {} : { person: act.person }),
    ...(act.keyed ? { keyed: act.keyed } : {}),
  };
  return requoted({ ...spending, ...written(costOf(spending, account)) }, account);
}

/** The same spending on an account that has moved on. */
export function requoted(spending: Spending, account: Account): Quote {
  const { dataset, budget } = account;
  checkNoPart(spending, account.budget);
  checkFirstProtected(spending, account, countedReleases(dataset));
  const within = !budget || fits(dataset, budget, [spending]);
  return {
    account,
    spending,
    before: spent(dataset),
    after: spent(dataset, [spending]),
    fits: within,
    left: left(dataset, within ? [spending] : []),
  };
}

/** The rows of a person that are charged: the budget's, else as stated, else one where they are counted; null where nobody states them. */
export function rowsPerPerson(
  { budget }: Pick<Account, 'budget'>,
  stated: number | null,
  enforced: boolean,
): number | null {
  if (budget && stated !== null && stated !== (budget.perPerson ?? 1))
    throw budget.perPerson === null
      ? invalid(
          `perPerson: the budget of ${budget.dataset} is for one row, got ${stated}; rows per person are stated in it, with {setBudget} {perPerson} ${stated}`,
        )
      : invalid(
          `perPerson: the budget of ${budget.dataset} is for ${budget.perPerson === 1 ? 'one row' : `${budget.perPerson} rows`} per person, got ${stated}; leave it out`,
        );
  return budget?.perPerson ?? stated ?? (enforced ? 1 : null);
}

/** What the guarantee is for. */
export function unitWords(
  { perPerson, perPersonEnforced }: Pick<Spending, 'perPerson' | 'perPersonEnforced'>,
  trial = false,
): string {
  if (perPerson === null) return 'for one row; rows per person were not stated';
  return `for a person with up to ${perPerson} ${perPerson === 1 ? 'row' : 'rows'} (${perPersonEnforced ? (trial ? 'to be counted' : 'counted') : 'as asserted'})`;
}

/** Throw where the budget does not suffice. */
export function refuseBeyond({
  spending,
  account: { budget },
  after,
  fits: within,
  left: rest,
}: Quote): void {
  if (within || !budget || !rest) return;
  const { words } = accountantFor(budget) ?? basicComposition;
  const part = spending.part === null ? '' : `, some of it spent on ${spending.part} or on all parts`;
  throw new PrivacyError(
    `${spending.dataset}: this would cost ${words(readCost(spending))} and bring it to ${words(after)}, beyond its budget of ε = ${budget.epsilon}, δ = ${budget.delta}, of which ${leftWords(rest, budget)} is left${part}. Nothing was read, released or charged`,
    null,
    'budget',
  );
}

/** The dataset that is meant: in a ledger with budgets it must be named, and known. Names are compared as people read them. */
export function datasetName({ dataset, inputName }: Meant, datasets: ReadonlyMap<string, Dataset>): string {
  const budgeted = [...datasets.values()].filter(({ budget }) => budget !== null).map(({ name }) => name);
  if (budgeted.length === 0) {
    const name = dataset ?? inputName;
    if (name === null || name.trim() === '')
      throw invalid(
        'dataset: expected the name under which the ledger keeps this data, for the input has none',
      );
    return knownName(name, [...datasets.keys()]) ?? name.trim();
  }
  if (dataset === null)
    throw invalid(
      `dataset: this ledger has budgets; say which one this data falls under: ${budgeted.map(unquoted).join(', ')}`,
    );
  const known = knownName(dataset, budgeted);
  if (known === undefined)
    throw invalid(
      `dataset: the ledger has no budget for ${quote(dataset)}; ${suggest(dataset, budgeted, 'it has')}`,
    );
  return known;
}

/** The name among those known that is spelt or reads so; where several read so, one must be spelt out. */
export function knownName(name: string, known: readonly string[]): string | undefined {
  const found = nameLike(name, known);
  const alike = known.filter((other) => readsLike(other, name));
  if (found === undefined && alike.length > 1)
    throw invalid(
      `dataset: ${quote(name)} reads like ${alike.map((other) => quote(other)).join(' and ')}; spell out which one is meant`,
    );
  return found;
}

/** The part as its partition spells it. */
export function partOf(part: string | null, { name, budget }: Dataset): string | null {
  if (part === null) return null;
  const parts = budget?.partition?.parts;
  if (!parts)
    throw invalid(`part: no partition of ${name} has been declared; declare it with {setBudget} {partition}`);
  if (!parts.includes(part))
    throw invalid(`part: ${name} has no part ${quote(part)}; ${suggest(part, parts, 'it has')}`);
  return part;
}
