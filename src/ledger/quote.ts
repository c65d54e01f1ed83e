// What somebody wants to do, what it costs by the dataset's budget, and whether that suffices.

import {
  add,
  parseDecimal,
  type Rational,
  toDecimal,
  toDecimalDown,
  toDecimalUp,
  zero,
} from '../exact/index.js';
import { PrivacyError } from '../mechanism/index.js';
import { nameLike, readsLike, suggest } from '../spec/index.js';
import {
  type Accountant,
  type Cost,
  type Dataset,
  fits,
  protectedSoFar,
  spent,
  unknownFilter,
} from './account.js';
import { protects, remaining } from './budget.js';
import { timesRows } from './charge.js';
import type { Budget, Charge, Query, Spending } from './entry.js';

/** What somebody wants to do, before it is known what neighbours are in the dataset. */
export interface Wish {
  readonly act: Spending['act'];
  /** As given, or null: then the input's name serves where the ledger has no budgets. */
  readonly dataset: string | null;
  readonly inputName: string | null;
  readonly part: string | null;
  readonly input: string;
  readonly output: string;
  readonly query?: Query | null;
  /** Columns that leave as they are because the publisher says so; none by default. */
  readonly passed?: readonly string[];
  /** As given, or null: then the budget's, or not stated. */
  readonly perPerson: number | null;
  readonly perPersonEnforced: boolean;
  /** Columns that are counted by; none by default. */
  readonly by?: readonly string[];
  /** What it costs for one row, charge by charge, at the adjacencies and for the rows per person of the budget. */
  readonly price: (budget: Budget | null, rows: number) => readonly Charge[];
  /** Of all rows of a person; by default the charges of one row times the rows. */
  readonly forPerson?: (perPerson: number, budget: Budget | null) => Cost;
}

export interface Quote {
  readonly spending: Spending;
  readonly budget: Budget | null;
  readonly before: Cost;
  readonly after: Cost;
  readonly fits: boolean;
  /** Columns that the dataset's releases have protected so far. */
  readonly earlier: readonly string[];
  /** Columns that other datasets of the ledger protect, by their budgets or releases. */
  readonly elsewhere: readonly { readonly column: string; readonly dataset: string }[];
}

/** What a wish costs and where it would bring its dataset. */
export function quoteOf(wish: Wish, datasets: ReadonlyMap<string, Dataset>, accountant: Accountant): Quote {
  const name = datasetName(wish, datasets);
  const dataset: Dataset = datasets.get(name) ?? { name, budget: null, releases: [] };
  const { budget } = dataset;
  if (budget?.filter !== undefined && budget.filter !== 'basic')
    throw new PrivacyError(`${name}: ${unknownFilter(budget.filter)}`);
  const part = partOf(wish.part, dataset);
  const perPerson = rowsPerPerson(wish, budget);
  const rows = perPerson ?? 1;
  const charges = wish.price(budget, rows);
  const cost = wish.forPerson ? wish.forPerson(rows, budget) : sumForRows(charges, rows);
  const spending: Spending = {
    act: wish.act,
    dataset: name,
    part,
    input: wish.input,
    output: wish.output,
    query: wish.query ?? null,
    charges,
    passed: wish.passed ?? [],
    by: wish.by ?? [],
    byProtected: (wish.by ?? []).filter((column) => protects(budget, column)),
    perPerson,
    perPersonEnforced: wish.perPersonEnforced,
    epsilon: toDecimal(cost.epsilon),
    delta: toDecimal(cost.delta),
  };
  const after = spent(dataset, accountant, [spending]);
  return {
    spending,
    budget,
    before: spent(dataset, accountant),
    after,
    fits: !budget || fits(after, budget),
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

/** The rows of a person that are charged: the budget's, else as stated, else one where they are counted. */
function rowsPerPerson({ perPerson, perPersonEnforced }: Wish, budget: Budget | null): number | null {
  if (budget && perPerson !== null && perPerson !== (budget.perPerson ?? 1))
    throw new RangeError(
      budget.perPerson === null
        ? `--per-person: the budget of ${budget.dataset} is for one row, got ${perPerson}; rows per person are stated in it, with discreet ledger init --per-person ${perPerson}`
        : `--per-person: the budget of ${budget.dataset} is for ${budget.perPerson === 1 ? 'one row' : `${budget.perPerson} rows`} per person, got ${perPerson}; leave the option out`,
    );
  return budget?.perPerson ?? perPerson ?? (perPersonEnforced ? 1 : null);
}

/** What the guarantee is for. */
export function unitWords(
  { perPerson, perPersonEnforced }: Pick<Spending, 'perPerson' | 'perPersonEnforced'>,
  trial = false,
): string {
  if (perPerson === null) return 'for one row; rows per person were not stated';
  return `for a person with up to ${perPerson} ${perPerson === 1 ? 'row' : 'rows'} (${perPersonEnforced ? (trial ? 'to be counted' : 'counted') : 'as asserted'})`;
}

/** Columns of one row add up, and so do the rows of a person. */
function sumForRows(charges: readonly Charge[], perPerson: number): Cost {
  const row = charges.reduce(
    (sum, { epsilon, delta }) => ({
      epsilon: add(sum.epsilon, parseDecimal(epsilon)),
      delta: add(sum.delta, parseDecimal(delta)),
    }),
    { epsilon: zero, delta: zero },
  );
  return timesRows(row, perPerson);
}

/** Throw where the budget does not suffice. */
export function refuseBeyond({ spending, budget, before, after, fits: within }: Quote): void {
  if (within || !budget) return;
  const left = remaining(budget, before);
  const up = (epsilon: Rational, delta: Rational) =>
    `ε = ${toDecimalUp(epsilon, 7)}, δ = ${toDecimalUp(delta, 7)}`;
  const part = spending.part === null ? '' : `, some of it spent on ${spending.part} or on all parts`;
  throw new PrivacyError(
    `${spending.dataset}: this would cost ${up(parseDecimal(spending.epsilon), parseDecimal(spending.delta))} and bring it to ${up(after.epsilon, after.delta)}, beyond its budget of ε = ${budget.epsilon}, δ = ${budget.delta}; ε = ${toDecimalDown(left.epsilon, 7)}, δ = ${toDecimalDown(left.delta, 7)} is left${part}. Nothing was read, released or charged`,
  );
}

/** The dataset that is meant: in a ledger with budgets it must be named, and known. Names are compared as people read them. */
export function datasetName(
  { dataset, inputName }: Pick<Wish, 'dataset' | 'inputName'>,
  datasets: ReadonlyMap<string, Dataset>,
): string {
  const budgeted = [...datasets.values()].filter(({ budget }) => budget !== null).map(({ name }) => name);
  if (budgeted.length === 0) {
    const name = dataset ?? inputName;
    if (name === null || name.trim() === '')
      throw new RangeError(
        '--dataset: expected the name under which the ledger keeps this data, for the input has none',
      );
    return knownName(name, [...datasets.keys()]) ?? name.trim();
  }
  if (dataset === null)
    throw new RangeError(
      `--dataset: this ledger has budgets; say which one this data falls under: ${budgeted.join(', ')}`,
    );
  const known = knownName(dataset, budgeted);
  if (known === undefined)
    throw new RangeError(
      `--dataset: the ledger has no budget for ${JSON.stringify(dataset)}; ${suggest(dataset, budgeted, 'it has')}`,
    );
  return known;
}

/** The name among those known that is spelt or reads so; where several read so, one must be spelt out. */
export function knownName(name: string, known: readonly string[]): string | undefined {
  const found = nameLike(name, known);
  const alike = known.filter((other) => readsLike(other, name));
  if (found === undefined && alike.length > 1)
    throw new RangeError(
      `--dataset: ${JSON.stringify(name)} reads like ${alike.map((other) => JSON.stringify(other)).join(' and ')}; spell out which one is meant`,
    );
  return found;
}

/** The part as its partition spells it. */
function partOf(part: string | null, { name, budget }: Dataset): string | null {
  if (part === null) return null;
  const parts = budget?.partition?.parts;
  if (!parts)
    throw new RangeError(
      `--part: no partition of ${name} has been declared; declare it with discreet ledger init --partition`,
    );
  if (!parts.includes(part))
    throw new RangeError(
      `--part: ${name} has no part ${JSON.stringify(part)}; ${suggest(part, parts, 'it has')}`,
    );
  return part;
}
