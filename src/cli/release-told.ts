// How a release or count is told: progress, trials, results, the report.

import type { Ledger, Quote } from '../ledger/index.js';
import {
  type Job,
  type ProtectedColumn,
  type Released,
  releasedQuantiles,
  reportOf,
  reportPage,
  shownPlace,
} from '../release/index.js';
import { accountJson, accountWords, counted } from './account.js';
import { errorQuantiles, printJson, rough, utilityOf, writeOutput } from './output.js';
import { bulkOf, picture } from './picture.js';
import type { ProgressLine } from './progress.js';
import type { CommonOptions } from './release-options.js';

/** Rows, rows per second and time left. */
export function rowProgress(line: ProgressLine): Job['progress'] {
  const started = performance.now();
  return (rows, fraction) => {
    const seconds = (performance.now() - started) / 1000;
    const speed = `${rows.toLocaleString('en')} rows, ${Math.round(rows / Math.max(seconds, 0.001)).toLocaleString('en')} per second`;
    if (fraction === null) line.show(speed);
    else {
      const share = Math.min(1, fraction);
      const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
      const left = share > 0.01 ? `, ${Math.ceil((seconds * (1 - share)) / share)} s left` : '';
      line.show(`${bar} ${Math.floor(share * 100)} %, ${speed}${left}`);
    }
  };
}

export function errorJson(columns: readonly ProtectedColumn[]) {
  return columns.map(({ name, mechanism }) => {
    const { mean, meanAbs, std } = utilityOf(mechanism.pmf);
    return { column: name, meanAbs, bias: mean, std, quantiles: errorQuantiles(mechanism.pmf) };
  });
}

function errorWords(columns: readonly ProtectedColumn[]): string[] {
  return columns.map(({ name, mechanism }) => {
    const { mean, meanAbs } = utilityOf(mechanism.pmf);
    const [, most] = errorQuantiles(mechanism.pmf);
    return `${name}: a value is off by ${rough(meanAbs)} on average, by at most ${rough(most!.error)} in 9 of 10 rows; the noise has the mean ${rough(mean)}`;
  });
}

/** A trial: nothing was read but the header, nothing was written. */
export function showQuote(
  quote: Quote,
  columns: readonly ProtectedColumn[],
  ledger: Ledger,
  options: CommonOptions,
): void {
  if (options.json) {
    printJson({ dryRun: true, fits: quote.fits, ...accountJson(quote), error: errorJson(columns) });
  } else {
    process.stdout.write(
      `${[
        'A trial: nothing was read but the header, nothing was written or charged.',
        ...accountWords(quote, ledger.address, true),
        ...errorWords(columns).map((line) => `noise      ${line}`),
        ...(quote.fits ? [] : ['It would be refused: the budget does not suffice.']),
      ].join('\n')}\n`,
    );
  }
  if (!quote.fits) process.exitCode = 3;
}

interface Told {
  readonly job: Omit<Job, 'signal' | 'progress'>;
  readonly released: Released;
  readonly ledger: Ledger;
  readonly options: CommonOptions;
  readonly reports: { readonly html: string; readonly json: string } | null;
  /** Files of mechanisms made now. */
  readonly mechanisms: readonly string[];
  /** Files to verify. */
  readonly verify: readonly string[];
}

export async function showReleased({
  job,
  released,
  ledger,
  options,
  reports,
  mechanisms,
  verify,
}: Told): Promise<void> {
  const { reservation, outcome, head } = released;
  if (!released.settled)
    process.stderr.write(
      `note: the ledger could not be told that entry ${reservation.sequence} is complete; it counts as spent all the same\n`,
    );
  if (reports) {
    try {
      await writeReport(reports, job, released, ledger, options, verify);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new RangeError(
        `${error.message}. The data was released all the same, to ${shownPlace(job.output)}, and charged as entry ${reservation.sequence}; do not release it again for the report`,
      );
    }
  }
  if (options.json) {
    printJson({
      rows: outcome.rows,
      columns: job.columns.map(({ name }, i) => ({ name, values: outcome.values[i] })),
      output: options.output,
      ...accountJson(reservation),
      entry: reservation.sequence,
      head,
      error: errorJson(job.columns),
      mechanisms,
      report: reports,
    });
    return;
  }
  const lines = [
    reservation.spending.act === 'count'
      ? `${counted(outcome.rows, 'cell')} counted, with noise in each, in ${shownPlace(job.output)}`
      : `${counted(outcome.rows, 'row')} released to ${shownPlace(job.output)}: ${job.columns.map(({ name }) => name).join(', ')} protected`,
    ...accountWords(reservation, ledger.address, false),
    `head       ${head}`,
    ...errorWords(job.columns).map((line) => `noise      ${line}`),
    ...(job.snap ? ['snapped    values were rounded to the lattice first, halves up'] : []),
    ...(job.skipInvalid
      ? ['skipped    cells that could not be released are empty, which tells which they were']
      : []),
    ...mechanisms.map((file) => `mechanism  ${file}: readers need it`),
    ...(reports ? [`report     ${reports.html}, figures in ${reports.json}`] : []),
  ];
  (job.output.kind === 'pipe' ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
}

async function writeReport(
  reports: { readonly html: string; readonly json: string },
  job: Told['job'],
  released: Released,
  ledger: Ledger,
  options: CommonOptions,
  verify: readonly string[],
): Promise<void> {
  const quantiles = await releasedQuantiles(
    job.output,
    job.columns.map(({ name }) => name),
    released.outcome.rows,
  );
  const report = reportOf(job, released, ledger, quantiles, verify);
  const charts = await noiseCharts(job.columns);
  writeOutput(reports.html, reportPage(report, charts), options.force === true);
  writeOutput(reports.json, `${JSON.stringify(report, null, 2)}\n`, options.force === true);
}

/** The noise of each column, as a picture. */
async function noiseCharts(columns: readonly ProtectedColumn[]): Promise<string[]> {
  const { charts, document } = await picture();
  return columns.map(({ name, mechanism }) =>
    charts.massCurves(
      [{ name: 'noise', points: bulkOf(mechanism.pmf).points }],
      { title: `The noise added to ${name}`, x: 'noise, in data units', y: 'probability' },
      document,
    ),
  );
}
