// What an auditor needs to know of a release: what is protected and what is not, in a sentence and in numbers. Nothing in it
// comes from a true value.

import { basicComposition, written } from '../account/index.js';
import { accountantFor, type Query, unitWords } from '../ledger/index.js';
import type { Job } from './job.js';
import type { Released } from './paid.js';
import type { ColumnQuantiles } from './places/index.js';
import { type ColumnReport, columnReport } from './report-column.js';
import { notesOf, notProtected, sentence } from './report-words.js';

export const REPORT_FORMAT = 'discreet/report@2';

export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly time: string;
  readonly who: string;
  readonly act: 'release' | 'count' | 'choose';
  readonly input: string;
  readonly output: string;
  readonly query: Query | null;
  readonly rows: number;
  /** Columns that left as they are, and those of them that left because the publisher said so. */
  readonly unchanged: readonly string[];
  readonly passed: readonly string[];
  readonly guarantee: {
    readonly sentence: string;
    readonly unit: string;
    readonly epsilon: string;
    readonly delta: string;
  };
  readonly columns: readonly ColumnReport[];
  readonly notProtected: readonly string[];
  readonly notes: readonly string[];
  readonly ledger: {
    readonly address: string;
    readonly dataset: string;
    readonly part: string | null;
    readonly entry: number;
    readonly head: string;
    readonly spent: { readonly epsilon: string; readonly delta: string };
    readonly budget: { readonly epsilon: string; readonly delta: string } | null;
    readonly remaining: { readonly epsilon: string; readonly delta: string } | null;
    readonly accountant: string;
  };
  readonly verify: readonly string[];
}

/** What a report is made of beside the release itself. */
export interface ReportContext {
  readonly ledger: string;
  readonly quantiles: readonly ColumnQuantiles[] | null;
  readonly time: Date;
  /** How whoever reads it names a field of the request, and the commands that verify it. */
  readonly named: (field: string) => string;
}

export function reportOf(
  job: Pick<Job, 'input' | 'output' | 'columns' | 'skipInvalid' | 'mechanismFiles'>,
  released: Released,
  { ledger, quantiles, time, named }: ReportContext,
): Report {
  const { reservation, outcome, head } = released;
  const { spending, account, after, left } = reservation;
  const { budget } = account;
  const columns = job.columns.map((column, i) =>
    columnReport(column, spending.charges[i]!, outcome.values[i]!, quantiles?.[i] ?? null),
  );
  return {
    format: REPORT_FORMAT,
    time: time.toISOString(),
    who: reservation.who,
    act: spending.act,
    input: job.input.shown,
    output: job.output.shown,
    query: spending.query,
    rows: outcome.rows,
    unchanged: outcome.unchanged,
    passed: spending.passed,
    guarantee: {
      sentence: sentence(columns, spending),
      unit: unitWords(spending),
      epsilon: spending.epsilon,
      delta: spending.delta,
    },
    columns,
    notProtected: notProtected(spending.act),
    notes: notesOf(spending, job.skipInvalid, named),
    ledger: {
      address: ledger,
      dataset: spending.dataset,
      part: spending.part,
      entry: reservation.sequence,
      head,
      spent: written(after),
      budget: budget && { epsilon: budget.epsilon, delta: budget.delta },
      remaining: left && written(left),
      accountant: (accountantFor(budget) ?? basicComposition).name,
    },
    verify: [
      ...job.mechanismFiles.map(({ path }) => `discreet verify ${shellWord(path)}`),
      `discreet ledger check --ledger ${shellWord(ledger)} --head ${head}`,
    ],
  };
}

/** A word as a shell reads it. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
