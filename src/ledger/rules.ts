// What an entry must keep of those before it. Whoever writes one keeps these rules (`checkNext`), and whoever checks a ledger goes
// through them again (`faults`), as they were at that point of the chain. docs/verify-ledger.py has the same.

import { basicComposition, type Cost, readCost, within } from '../account/index.js';
import { DiscreetError, isOurs, quote, wrong } from '../error/index.js';
import { compare, parseDecimal } from '../exact/index.js';
import { readsLike } from '../spec/index.js';
import { budgetOf, checkBudget, declaredAdjacency } from './budget.js';
import { type Budget, type Entry, FORMAT, type Spending } from './entry.js';
import { checkFirstProtected, checkNoPart, type Protection, protectedBy, protects } from './protection.js';
import { costOf, knownName, partOf, rowsPerPerson } from './quote.js';
import { checkRoles, partColumn } from './roles.js';
import {
  accountantFor,
  countedReleases,
  type Dataset,
  fits,
  growing,
  protectedIn,
  protectedSoFar,
  spent,
  unknownFilter,
} from './spending.js';

type Datasets = ReadonlyMap<string, Dataset>;
type Of<Kind> = Entry & { readonly kind: Kind };

/** Refuse an entry that cannot follow; the datasets are as they are before it. Whether its budget suffices is asked apart. */
export function checkNext(entry: Entry, datasets: Datasets): void {
  if (entry.kind === 'budget') checkTerms(entry, datasets);
  else if (entry.kind === 'release') checkSpending(entry, datasets);
  else if (!isOpen(entry.release, datasets))
    throw wrong(`settles entry ${entry.release}, which is no open release`);
}

function isOpen(sequence: number, datasets: Datasets): boolean {
  return [...datasets.values()].some(({ releases }) =>
    releases.some(({ entry, state }) => entry.sequence === sequence && state === 'open'),
  );
}

function checkTerms(entry: Of<'budget'>, datasets: Datasets): void {
  if (!accountantFor(entry)) throw new DiscreetError('ledger', null, unknownFilter(entry.filter!));
  checkSpelling(entry, datasets);
  checkBudget(budgetOf(entry), datasets.get(entry.dataset));
}

/** A name that reads like a known one is that one: it would have the budget once more. The first format told names apart by their letters. */
function checkSpelling({ format, dataset }: Of<'budget' | 'release'>, datasets: Datasets): void {
  const known = format === FORMAT ? knownName(dataset, [...datasets.keys()]) : dataset;
  if (known !== undefined && known !== dataset)
    throw wrong(`${quote(dataset)} reads like ${quote(known)}, which the ledger has`);
}

function checkSpending(entry: Of<'release'>, datasets: Datasets): void {
  const { charges, perPerson, perPersonEnforced } = entry;
  const dataset = datasetFor(entry, datasets);
  const { budget } = dataset;
  partOf(entry.part, dataset);
  if (rowsPerPerson({ budget }, perPerson, perPersonEnforced) !== perPerson)
    throw wrong('its rows per person are not those of the budget');
  if (entry.act === 'release') for (const { on, adjacency } of charges) checkReach(budget, on, adjacency);
  if (entry.apart !== undefined) for (const column of entry.by) checkReach(budget, column, entry.apart);
  const known: Protection = {
    budget,
    get earlier() {
      return protectedSoFar(dataset);
    },
  };
  checkMoved(entry, known);
  checkNoPart(entry, budget);
  checkUses(entry, known);
  const releases = countedReleases(dataset);
  // Older programs had no such rule: their counts do not say what they counted.
  const telling = releases.filter((release) => release.entry.counted !== undefined);
  if (telling.length > 0) checkFirstProtected(entry, known, releases, telling);
  const { words } = accountantFor(budget) ?? basicComposition;
  const least = costOf({ ...entry, charges }, isOlder(entry) ? { budget, earlier: [] } : known);
  if (!within(least, readCost(entry)))
    throw wrong(`its charges come to ${words(least)}, and it says ${words(readCost(entry))}`);
}

/** What its columns were used for, and that it cost something. */
function checkUses(entry: Of<'release'>, known: Protection): void {
  const { act, charges, by, counted, passed, dropped = [], part, apart, query } = entry;
  if (charges.length === 0 || charges.some((charge) => isNothing(readCost(charge))))
    throw wrong('it has no charge, or one that costs nothing');
  if ((counted !== undefined && act !== 'count') || (apart !== undefined && act !== 'prior'))
    throw wrong(`it says of a ${act} what can be said of counts alone`);
  if (entry.person !== undefined && !entry.perPersonEnforced)
    throw wrong('it tells persons apart, and does not count their rows');
  if (counted != null && entry.perPersonEnforced)
    throw wrong('rows of a person are not counted where each row stands for several');
  checkRoles(
    {
      ...{ protects: protectedIn(entry), by, counted: counted ?? null },
      ...{ person: entry.person ?? null, id: entry.keyed?.id ?? null },
      part: partColumn(known, part),
      query: Boolean(query),
    },
    known,
  );
  const left = passed.find((column) => protects(known.budget, column));
  if (left !== undefined) throw wrong(`${quote(left)} left as it is, which the budget protects`);
  const both = passed.find((column) => dropped.some((name) => readsLike(name, column)));
  if (both !== undefined) throw wrong(`${quote(both)} left as it is, and was left out`);
}

function isNothing({ epsilon, delta }: Cost): boolean {
  return epsilon.num === 0n && delta.num === 0n;
}

/** The dataset as it is before: in a ledger with budgets it has one. */
function datasetFor(entry: Of<'release'>, datasets: Datasets): Dataset {
  const { dataset: name } = entry;
  const known = datasets.get(name) ?? { name, budget: null, releases: [], mechanism: () => null };
  if (known.budget !== null) return known;
  if ([...datasets.values()].some(({ budget }) => budget !== null))
    throw wrong(`the ledger has budgets, and none for ${quote(name)}`);
  if (name.trim() === '') throw wrong('its dataset has no name');
  checkSpelling(entry, datasets);
  return known;
}

/** Under a budget a column is charged at the adjacency that it declares, or at more. */
function checkReach(budget: Budget | null, column: string, adjacency: string): void {
  const declared = declaredAdjacency(budget, column);
  if (declared !== undefined && compare(parseDecimal(adjacency), parseDecimal(declared)) < 0)
    throw wrong(`${column} is charged at adjacency ${adjacency}, and its budget says ${declared}`);
}

/** Is it a count of before counts said what they counted, and looked at what earlier releases had protected? */
function isOlder({ act, counted }: Spending): boolean {
  return act === 'count' && counted === undefined;
}

/** Which of the columns that were counted by were protected. */
function checkMoved(entry: Spending, known: Protection): void {
  const { act, by, byProtected } = entry;
  const may = by.filter((column) => act === 'prior' || protectedBy(known, column) !== null);
  const must = isOlder(entry) ? by.filter((column) => protectedBy({ ...known, earlier: [] }, column)) : may;
  const wrongly =
    must.find((column) => !byProtected.includes(column)) ??
    byProtected.find((column) => !may.includes(column));
  if (wrongly !== undefined)
    throw wrong(`whether ${quote(wrongly)} is protected, by which it counts, is not as it says`);
}

/** What the entries say that no ledger of ours would. */
export function faults(entries: readonly Entry[]): string[] {
  const found: string[] = [];
  const { datasets, add } = growing();
  // Where spending only grows, the last moment tells for those before it.
  const due = new Set<string>();
  const settle = (name: string | undefined) => {
    if (name === undefined || !due.delete(name)) return;
    const dataset = datasets.get(name)!;
    const { words } = accountantFor(dataset.budget) ?? basicComposition;
    if (dataset.budget && !fits(dataset, dataset.budget))
      found.push(`${name}: ${words(spent(dataset))} is spent, beyond its budget`);
  };
  for (const [i, entry] of entries.entries()) {
    try {
      if (entry.format !== FORMAT && entries[i - 1]?.format === FORMAT)
        throw wrong('its format is older than that of the entry before it');
      checkNext(entry, datasets);
    } catch (error) {
      if (!isOurs(error)) throw error;
      found.push(`entry ${entry.sequence}: ${error.problem}`);
    }
    if (entry.kind === 'release') due.add(entry.dataset);
    else if (entry.kind === 'budget') settle(entry.dataset);
    else if (entry.kind === 'void') settle(datasetOf(entry.release, entries));
    add(entry);
  }
  for (const name of due) settle(name);
  return found;
}

/** Of a release, by its number. */
function datasetOf(release: number, entries: readonly Entry[]): string | undefined {
  const entry = entries[release - 1];
  return entry?.kind === 'release' ? entry.dataset : undefined;
}
