// What a release would be and cost, from the answers, the file's columns and the ledger: the same rules as the command's.

import { readCost } from 'discreet-dp/account';
import { invalid, quote } from 'discreet-dp/error';
import { budgetOf, type Ledger, leftFigures, protects, sha256 } from 'discreet-dp/ledger';
import { errorQuantiles, utilityOf } from 'discreet-dp/mechanism';
import {
  bestGuess,
  percentUp,
  personRisk,
  publishedError,
  shellWord,
  totalWarnings,
  warningsOf,
} from 'discreet-dp/report';
import { findColumn, type RowsJob, withoutDropped } from 'discreet-dp/rows';
import { nameLike } from 'discreet-dp/spec';
import { type Agreed, agreedOn, checkColumns, checkLeaving, type Reading } from 'discreet-dp/terms';
import { own } from './by-column.js';
import { spentFigures } from './figures.js';
import { isSettled, trialOf, withLedger } from './keeping.js';
import type { Source } from './source.js';
import type { Survey } from './survey.js';
import { budgetTerms, type ProtectWanted, releaseWanted } from './wanted.js';

/** What a release follows from, as one word: where it is another, something has changed since it was looked at. */
export function tokenOf({ quote: { spending, account }, unchanged, job }: Agreement): string {
  const { person, dropped, skipInvalid, reading } = job;
  const read = reading && { ...reading, map: [...reading.map] };
  const all = [
    spending,
    account.budget && budgetOf(account.budget),
    unchanged,
    account.earlier,
    person,
    dropped,
    skipInvalid,
    read,
  ];
  return sha256(JSON.stringify(all));
}

export interface Agreement extends Agreed {
  readonly job: RowsJob;
  readonly reading: Reading | null;
  readonly unchanged: readonly string[];
}

/** Sets the budget that is wanted, unless the dataset has one that stands. */
export async function withBudget(wanted: ProtectWanted, ledger: Ledger): Promise<boolean> {
  const datasets = await ledger.datasets();
  const name = nameLike(wanted.dataset, [...datasets.keys()]);
  const known = name === undefined ? undefined : datasets.get(name);
  if (known && isSettled(known)) {
    const bare = wanted.columns.find((column) => !protects(known.budget, column));
    if (bare !== undefined)
      throw invalid(
        `columns: ${quote(bare)} is not protected by the budget of “${known.name}”. What left as it is in an earlier release can no longer be protected under this name; do not choose it, or leave it out of the result (5)`,
      );
    return true;
  }
  const terms = budgetOf(budgetTerms(wanted));
  const before = known?.budget;
  const same =
    before != null &&
    JSON.stringify({ ...budgetOf(before), dataset: '' }) === JSON.stringify({ ...terms, dataset: '' });
  if (!same) await ledger.setBudget(terms, { first: true });
  return false;
}

/** On a ledger that has the dataset's budget. */
export async function agreementOn(
  wanted: ProtectWanted,
  shown: string,
  source: Source,
  ledger: Ledger,
): Promise<Agreement> {
  checkOutput(wanted.output, shown, source.ending);
  const request = releaseWanted(wanted, shown);
  checkColumns(request);
  for (const { name } of request.columns) findColumn(source.columns, name, shown, 'columns');
  if (request.person !== null) findColumn(source.columns, request.person, shown, 'person');
  if (request.reading && source.format === 'parquet')
    throw invalid(
      'map: marks, texts for numbers and decimals are for text files, and Parquet has types of its own; leave them empty',
    );
  const agreed = await agreedOn(request, ledger);
  const { quote, columns, guard } = agreed;
  const job: RowsJob = {
    columns,
    skipInvalid: wanted.skipInvalid,
    reading: request.reading,
    passed: wanted.pass,
    dropped: wanted.drop,
    part: null,
    person: request.person === null ? null : { column: request.person, rows: quote.spending.perPerson ?? 1 },
    guard,
  };
  const found = withoutDropped(source.columns, wanted.drop, shown).map(({ name, nested }) => ({
    name,
    tableName: null,
    doubt: nested ? ('nested' as const) : null,
    inside: [],
    // No part is told apart in the page.
    oneText: false,
  }));
  return { ...agreed, job, reading: request.reading, unchanged: checkLeaving(job, found, shown, true) };
}

/** Names of what is saved beside the data. */
const TAKEN = ['report.html', 'report.json', 'ledger.jsonl'];

function checkOutput(name: string, input: string, ending: string): void {
  if (!name.toLowerCase().endsWith(ending) || name.length === ending.length || /[/\\]/.test(name))
    throw invalid(`output: expected a name that ends in ${ending}, such as released${ending}`);
  if (name === input || TAKEN.includes(name.toLowerCase()))
    throw invalid(`output: ${quote(name)} is the name of another file; choose another name`);
}

export type Preview = Awaited<ReturnType<typeof preview>>['shown'];

/** What would come of it; nothing is written. */
export async function preview(wanted: ProtectWanted, { name: shown, rows }: Survey, source: Source) {
  return withLedger(wanted.ledger, async ({ ledger }) => {
    const trial = await trialOf(ledger);
    const known = await withBudget(wanted, trial);
    const agreement = await agreementOn(wanted, shown, source, trial);
    const { quote, columns } = agreement;
    const { spending, account } = quote;
    const risk = personRisk({ columns }, spending, account);
    const details = columns.map((column, i) => {
      const charge = spending.charges[i]!;
      const { meanAbs, std } = utilityOf(column.mechanism.pmf);
      const published = publishedError(column);
      return {
        name: column.name,
        adjacency: charge.adjacency,
        /** At most, in per cent. */
        guessed: percentUp(bestGuess(column, charge)),
        meanAbs,
        nineOfTen: errorQuantiles(column.mechanism.pmf)[1]!.error,
        /** How far the mean of all rows is off, about. */
        meanOff: rows === 0 ? 0 : std / Math.sqrt(rows),
        published: published && {
          leastError: published.leastError,
          greatestError: published.greatestError,
          leastBias: published.leastBias,
          greatestBias: published.greatestBias,
          warning: published.warning,
        },
        warnings: warningsOf(column, charge),
      };
    });
    return {
      agreement,
      shown: {
        token: tokenOf(agreement),
        columns: details,
        unchanged: agreement.unchanged,
        cost: spentFigures(readCost(spending)),
        /** How often somebody is right, at most, by all that is published of a person; is that more than one value? */
        person: { guessed: percentUp(risk.bestGuess), several: risk.several, about: risk.about },
        fits: quote.fits,
        left: quote.left && leftFigures(quote.left, account.budget!),
        budget: account.budget && { epsilon: account.budget.epsilon, delta: account.budget.delta },
        warnings: totalWarnings(columns, quote),
        command: commandLines(wanted, shown, known),
      },
    };
  });
}

/** The same by the command; a budget only where there is none yet. */
function commandLines(wanted: ProtectWanted, shown: string, known: boolean): string[] {
  const options = (pairs: readonly (readonly [string, string])[]) =>
    pairs.filter(([, value]) => value !== '').flatMap(([flag, value]) => [flag, shellWord(value)]);
  const init = [
    'discreet ledger init',
    ...options([
      ['--dataset', wanted.dataset],
      ['--epsilon', wanted.budget],
      ['--delta', wanted.budgetDelta === '0' ? '' : wanted.budgetDelta],
      ...wanted.columns.map((name) => ['--adjacency', `${name}=${own(wanted.adjacency, name)}`] as const),
      ['--per-person', wanted.perPerson],
    ]),
  ];
  const release = [
    `discreet release ${shellWord(shown)}`,
    ...options([
      ...wanted.columns.map((name) => ['--column', name] as const),
      ['--epsilon', wanted.epsilon],
      ['--delta', wanted.delta === '0' ? '' : wanted.delta],
      ['--step', wanted.step === '1' ? '' : wanted.step],
      ['--prior', wanted.prior],
      ...Object.entries(wanted.clamp).map(
        ([name, bounds]) => ['--clamp', bounds && `${name}=${bounds}`] as const,
      ),
      ['--person', wanted.person],
      ['--na', wanted.na],
      ...wanted.map.split('\n').map((line) => ['--map', line.trim()] as const),
      ['--decimal', wanted.decimal],
      ['--encoding', wanted.encoding],
      ...wanted.pass.map((name) => ['--pass', name] as const),
      ...wanted.drop.map((name) => ['--drop', name] as const),
      ['--dataset', wanted.dataset],
      ['-o', wanted.output],
      ['--report', 'report.html'],
    ]),
    ...(wanted.skipInvalid ? ['--skip-invalid'] : []),
  ];
  return [...(known ? [] : [init.join(' ')]), release.join(' ')];
}
