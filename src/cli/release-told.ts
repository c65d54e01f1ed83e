// How a release or count is told: progress, trials, results, the report.

import type { Ledger } from '../ledger/index.js';
import {
  type ColumnCharts,
  type Job,
  type ProtectedColumn,
  publishedError,
  type Released,
  releasedQuantiles,
  reportOf,
  reportPage,
  shownPlace,
  type Trial,
  textOfIndex,
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
  return columns.map((column) => {
    const { mean, meanAbs, std } = utilityOf(column.mechanism.pmf);
    return {
      column: column.name,
      meanAbs,
      bias: mean,
      std,
      quantiles: errorQuantiles(column.mechanism.pmf),
      published: publishedError(column),
    };
  });
}

function errorWords(columns: readonly ProtectedColumn[], what: 'rows' | 'cells'): string[] {
  return columns.flatMap((column) => {
    const { mean, meanAbs, std } = utilityOf(column.mechanism.pmf);
    const [, most] = errorQuantiles(column.mechanism.pmf);
    const published = publishedError(column);
    const name = plainName(column.name);
    // Beside the noise itself, what integers leave of a mean of 0 is nothing.
    const centre =
      Math.abs(mean) < 1e-9 * std ? 'the noise is unbiased' : `the noise has the mean ${rough(mean)}`;
    const step = textOfIndex(1n, column.lattice);
    const rounding =
      step === '1' ? '' : `; values are rounded to multiples of ${step} first, which is not counted here`;
    return [
      `noise      ${name}: a value is off by ${rough(meanAbs)} on average, by at most ${rough(most!.error)} in 9 of 10 ${what}; ${centre}${rounding}`,
      ...(published
        ? [
            `published  ${name}: afterwards a value ${published.bounds ? `truly within ${published.bounds.join(' … ')} ` : ''}comes out from ${biasWords(published.leastBias)} to ${biasWords(published.greatestBias)} on average, depending on what it is${published.bounds ? '; one outside is moved into the bounds' : ''}`,
          ]
        : []),
      ...(published?.warning ? [`warning    ${name}: ${published.warning}`] : []),
    ];
  });
}

function biasWords(bias: number): string {
  return `${rough(Math.abs(bias))} too ${bias < 0 ? 'low' : 'high'}`;
}

/** A name that cannot be taken for other lines of the terminal. */
function plainName(name: string): string {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
    ? JSON.stringify(name).replace(
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
        (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`,
      )
    : name;
}

const MOST_NAMES = 30;

/** What leaves as it is: nothing protects it. */
function unchangedWords(names: readonly string[] | null): string {
  if (names === null) return 'unchanged  all other columns; which there are, only reading would tell';
  if (names.length === 0) return 'unchanged  no column: all of them are protected';
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `unchanged  ${names.slice(0, MOST_NAMES).map(plainName).join(', ')}${more}: ${names.length === 1 ? 'it leaves as it is' : 'they leave as they are'}, and nothing protects ${names.length === 1 ? 'it' : 'them'}`;
}

/** A trial: nothing was read but the header or the keys, nothing was written. */
export function showTrial(
  { quote, unchanged }: Trial,
  columns: readonly ProtectedColumn[],
  ledger: Ledger,
  options: CommonOptions,
): void {
  const isCount = quote.spending.act === 'count';
  if (options.json) {
    printJson({
      dryRun: true,
      fits: quote.fits,
      unchanged,
      ...accountJson(quote),
      ledger: ledger.shown,
      error: errorJson(columns),
    });
  } else {
    process.stdout.write(
      `${[
        'A trial: no value was read, nothing was written or charged.',
        ...(isCount ? [] : [unchangedWords(unchanged)]),
        ...accountWords(quote, ledger.shown, true),
        ...errorWords(columns, isCount ? 'cells' : 'rows'),
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
  /** The mechanism files beside the output. */
  readonly mechanisms: readonly string[];
}

export async function showReleased({
  job,
  released,
  ledger,
  options,
  reports,
  mechanisms,
}: Told): Promise<void> {
  const { reservation, outcome, head } = released;
  if (!released.settled)
    process.stderr.write(
      `note: the ledger could not be told that entry ${reservation.sequence} is complete; it counts as spent all the same\n`,
    );
  if (reports) {
    try {
      await writeReport(reports, job, released, ledger, options, mechanisms);
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
      unchanged: outcome.unchanged,
      ...accountJson(reservation),
      ledger: ledger.shown,
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
      : `${counted(outcome.rows, 'row')} released to ${shownPlace(job.output)}: ${job.columns.map(({ name }) => plainName(name)).join(', ')} protected`,
    ...(reservation.spending.act === 'count' ? [] : [unchangedWords(outcome.unchanged)]),
    ...accountWords(reservation, ledger.shown, false),
    `head       ${head}`,
    ...(reservation.spending.query
      ? [
          'stated     each record is in the query’s result at most once, chosen and ordered without looking at protected columns',
        ]
      : []),
    ...errorWords(job.columns, reservation.spending.act === 'count' ? 'cells' : 'rows'),
    ...(job.skipInvalid ? ['skipped    cells that were no numbers at all are empty'] : []),
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
  mechanisms: readonly string[],
): Promise<void> {
  const quantiles = await releasedQuantiles(
    job.output,
    job.columns.map(({ name }) => name),
    released.outcome.rows,
  );
  const report = reportOf(job, released, ledger, quantiles, mechanisms);
  const charts = await columnCharts(job.columns);
  writeOutput(reports.html, reportPage(report, charts), options.force === true);
  writeOutput(reports.json, `${JSON.stringify(report, null, 2)}\n`, options.force === true);
}

/** The noise of each column, and its bias after clamping and rounding, as pictures. */
async function columnCharts(columns: readonly ProtectedColumn[]): Promise<ColumnCharts[]> {
  const { charts, document } = await picture();
  return columns.map((column) => {
    const { name, mechanism } = column;
    const published = publishedError(column);
    const errors = (of: 'bias' | 'meanAbsolute') =>
      published?.at.map((point) => ({ x: point.value, y: point[of] })) ?? [];
    return {
      noise: charts.massCurves(
        [{ name: 'noise', points: bulkOf(mechanism.pmf).points }],
        { title: `The noise added to ${name}`, x: 'noise, in data units', y: 'probability' },
        document,
      ),
      published:
        published &&
        charts.lineChart(
          [
            { name: 'bias', points: errors('bias') },
            { name: 'error', points: errors('meanAbsolute') },
          ],
          {
            title: `What is published of ${name}`,
            x: 'the true value',
            y: 'bias and mean error, in data units',
          },
          document,
        ),
    };
  });
}
