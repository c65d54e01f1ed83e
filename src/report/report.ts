// What an auditor needs to know of a release: what is protected and what is not, in a sentence and in numbers. Nothing in it
// comes from a true value.

import { basicComposition, written } from '../account/index.js';
import { accountantFor, unitWords } from '../ledger/index.js';
import type { MechanismFile, ProtectedColumn, Reading, Released } from '../terms/index.js';
import { type ColumnQuantiles, columnReport } from './column.js';
import { COMMAND, VERSION } from './command.js';
import { type CountedBy, countedOf } from './counted.js';
import { inAllOf } from './in-all.js';
import { nearZeroWords } from './near-zero.js';
import { personRisk } from './person.js';
import { priorsOf } from './priors.js';
import { shellWord } from './shell.js';
import { totalCost } from './total.js';
import { totalWarnings, warningsOf } from './warnings.js';
import { notesOf, notProtected, priorNotes, readingNotes, sentence } from './words.js';

export const REPORT_FORMAT = 'discreet/report@2';

/** As it is written to its JSON file; every figure is a text that is exact or rounded upward, or a double for utility. */
export type Report = ReturnType<typeof reportOf>;

/** What a report is made of beside the release itself. */
export interface ReportContext {
  readonly ledger: string;
  readonly quantiles: readonly ColumnQuantiles[] | null;
  readonly time: Date;
  /** How whoever reads it names a field of the request, and the commands that verify it. */
  readonly named: (field: string) => string;
  /** How whoever has the ledger's head checks the ledger; by its address where that is not said. */
  readonly checked?: (head: string) => string;
}

/** What was done: where from and where to, as people are told, and with which columns. */
export interface Reported {
  readonly input: { readonly shown: string };
  readonly output: { readonly shown: string };
  readonly columns: readonly ProtectedColumn[];
  readonly skipInvalid: boolean;
  readonly reading: Reading | null;
  readonly mechanismFiles: readonly MechanismFile[];
  /** Of counts: how many of them a person changes by one, at most. */
  readonly changes?: number;
  /** And by which columns, of which domain. */
  readonly by?: readonly CountedBy[];
  readonly counted?: string | null;
}

/** The figures of a report, none of which comes from a true value. */
export function reportOf(
  job: Reported,
  released: Released,
  { ledger, quantiles, time, named, checked }: ReportContext,
) {
  const { reservation, outcome, head } = released;
  const { spending, account, after, left } = reservation;
  const { budget } = account;
  const total = totalCost(spending, job.columns);
  const columns = job.columns.map((column, i) =>
    columnReport(column, spending.charges[i]!, outcome.values[i]!, quantiles?.[i] ?? null),
  );
  return {
    format: REPORT_FORMAT as typeof REPORT_FORMAT,
    time: time.toISOString(),
    /** Which version of this program made it. */
    version: VERSION,
    who: reservation.who,
    act: spending.act,
    input: job.input.shown,
    output: job.output.shown,
    query: spending.query,
    ...(spending.keyed ? { keyed: spending.keyed } : {}),
    rows: outcome.rows,
    /** Of a count. */
    counted: job.by ? countedOf({ ...job, by: job.by, counted: job.counted ?? null }) : null,
    /** Columns that left as they are, and those of them that left because the publisher said so. */
    unchanged: outcome.unchanged,
    passed: spending.passed,
    /** Columns of the input that did not leave at all. */
    dropped: spending.dropped ?? [],
    guarantee: {
      sentence: sentence(columns, { ...spending, ...total }),
      unit: unitWords(spending),
      ...total,
      /** By all that is published of a person: how often the best guess is right, at most, and what it is about. */
      ...personRisk(job, spending, account),
      /** By all that the dataset has spent, this included; null where this is the first. */
      inAll: inAllOf(job.columns, reservation),
    },
    columns,
    /** What a publisher should think about. */
    warnings: [
      ...totalWarnings(job.columns, reservation),
      ...new Set(job.columns.flatMap((column, i) => warningsOf(column, spending.charges[i]!))),
      ...nearZeroWords(outcome),
    ],
    notProtected: notProtected(spending.act),
    notes: [
      ...notesOf(spending, job.skipInvalid, named),
      ...readingNotes(job.reading),
      ...priorNotes(job.columns, priorsOf(job.columns, spending, account)),
    ],
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
    /** Files that readers need. */
    mechanisms: job.mechanismFiles.map(({ path }) => path),
    /** Of each column, the one that is its own. */
    mechanismOf: job.mechanismFiles.flatMap(({ path, columns: of }) =>
      of.map((column) => ({ column, mechanism: path })),
    ),
    verify: [
      ...job.mechanismFiles.map(({ path }) => `${COMMAND} verify ${shellWord(path)}`),
      checked?.(head) ?? `${COMMAND} ledger check --ledger ${shellWord(ledger)} --head ${head}`,
    ],
  };
}
