// What a release would be and cost, from the answers, the file's columns and the ledger: the same rules as the command's.

import { readCost } from 'discreet-dp/account';
import { invalid } from 'discreet-dp/error';
import type { Ledger } from 'discreet-dp/ledger';
import { errorQuantiles, utilityOf } from 'discreet-dp/mechanism';
import { bestGuess, publishedError, shellWord, totalWarnings, warningsOf } from 'discreet-dp/report';
import { findColumn, type RowsJob } from 'discreet-dp/rows';
import { type Agreed, agreedOn, checkColumns, checkLeaving, type Reading } from 'discreet-dp/terms';
import { leftFigures, spentFigures } from './figures.js';
import { trialOf, withLedger } from './keeping.js';
import type { Source } from './source.js';
import { budgetTerms, type ProtectWanted, releaseWanted } from './wanted.js';

export interface Agreement extends Agreed {
  readonly job: RowsJob;
  readonly reading: Reading | null;
  readonly unchanged: readonly string[];
}

/** Has the dataset a budget of its own? */
export async function hasBudget(ledger: Ledger, dataset: string): Promise<boolean> {
  const datasets = await ledger.datasets();
  if (datasets.size === 0) return false;
  try {
    return (await ledger.account({ dataset, inputName: null })).budget !== null;
  } catch {
    return false;
  }
}

/** On a ledger that has the dataset's budget. */
export async function agreementOn(
  wanted: ProtectWanted,
  shown: string,
  source: Source,
  ledger: Ledger,
): Promise<Agreement> {
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
    part: null,
    person: request.person === null ? null : { column: request.person, rows: quote.spending.perPerson ?? 1 },
    guard,
  };
  const found = source.columns.map(({ name, nested }) => ({
    name,
    tableName: null,
    doubt: nested ? ('nested' as const) : null,
    inside: [],
  }));
  return { ...agreed, job, reading: request.reading, unchanged: checkLeaving(job, found, shown, true) };
}

export type Preview = Awaited<ReturnType<typeof preview>>['shown'];

/** What would come of it; nothing is written. */
export async function preview(wanted: ProtectWanted, shown: string, source: Source, rows: number) {
  return withLedger(wanted.ledger, async ({ ledger }) => {
    const trial = await trialOf(ledger);
    const known = await hasBudget(ledger, wanted.dataset);
    if (!known) await trial.setBudget(budgetTerms(wanted));
    const agreement = await agreementOn(wanted, shown, source, trial);
    const { quote, columns } = agreement;
    const { spending, account } = quote;
    const details = columns.map((column, i) => {
      const charge = spending.charges[i]!;
      const { mean, meanAbs, std } = utilityOf(column.mechanism.pmf);
      const published = publishedError(column);
      return {
        name: column.name,
        adjacency: charge.adjacency,
        guess: bestGuess(column, charge),
        meanAbs,
        bias: mean,
        std,
        nineOfTen: errorQuantiles(column.mechanism.pmf)[1]!.error,
        /** How far the mean of all rows is off, about. */
        meanOff: rows === 0 ? 0 : std / Math.sqrt(rows),
        published: published && {
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
        known,
        columns: details,
        unchanged: agreement.unchanged,
        cost: spentFigures(readCost(spending)),
        perPerson: spending.perPerson,
        fits: quote.fits,
        left: quote.left && leftFigures(quote.left),
        budget: account.budget && { epsilon: account.budget.epsilon, delta: account.budget.delta },
        warnings: totalWarnings(spending.epsilon, columns.length, spending.perPerson),
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
      ...wanted.columns.map((name) => ['--adjacency', `${name}=${wanted.adjacency[name]}`] as const),
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
      ...wanted.pass.map((name) => ['--pass', name] as const),
      ['--dataset', wanted.dataset],
      ['-o', wanted.output],
      ['--report', 'report.html'],
    ]),
    ...(wanted.skipInvalid ? ['--skip-invalid'] : []),
  ];
  return [...(known ? [] : [init.join(' ')]), release.join(' ')];
}
