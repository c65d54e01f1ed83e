// What release and count share beyond their options: places, the ledger, interruption, and how results are told.

import { existsSync } from 'node:fs';
import { parseDecimal, toDecimal, toNumberNear } from '../exact/index.js';
import {
  type Budget,
  datasetName,
  emptyLedger,
  type Ledger,
  openLedger,
  type Quote,
  remaining,
} from '../ledger/index.js';
import { probabilities, quantile } from '../pmf/index.js';
import {
  Interrupted,
  isPostgres,
  type Job,
  nameOf,
  type Place,
  type ProtectedColumn,
  type Released,
  readPlace,
  releasedQuantiles,
  reportOf,
  reportPage,
  shownPlace,
} from '../release/index.js';
import { checkOutputs, errorQuantiles, figure, printJson, rough, utilityOf, writeOutput } from './output.js';
import { picture } from './picture.js';
import type { ProgressLine } from './progress.js';
import type { CommonOptions } from './release-options.js';

export function readInput(text: string, options: CommonOptions): Place {
  return readPlace(text, options.inputFormat, '--input-format', {
    table: options.table,
    query: options.query,
    tableFlag: '--table',
  });
}

export function readOutput(options: CommonOptions): Place {
  if (options.output === undefined)
    throw new RangeError('-o: expected where to write the released data: a file, - or postgres://…');
  if (options.delimiter !== undefined && options.delimiter.length !== 1)
    throw new RangeError(`--delimiter: expected one character, got ${JSON.stringify(options.delimiter)}`);
  checkOutputs(
    [isPostgres(options.output) ? undefined : options.output],
    options.force === true || options.dryRun === true,
    options.json === true && options.dryRun !== true,
  );
  return readPlace(options.output, options.outputFormat, '--output-format', {
    table: options.outputTable,
    tableFlag: '--output-table',
  });
}

/** The page and its figures. */
export function reportPaths(options: CommonOptions): { html: string; json: string } | null {
  if (options.report === undefined) return null;
  if (!/\.html?$/i.test(options.report))
    throw new RangeError(`--report: expected a name that ends in .html, got ${options.report}`);
  const paths = { html: options.report, json: options.report.replace(/\.html?$/i, '.json') };
  checkOutputs([paths.html, paths.json], options.force === true, false);
  return paths;
}

export function readPerPerson(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new RangeError(`--per-person: expected a whole number of rows from 1 on, got ${text}`);
  return Number(text);
}

/** `[column=]value`, repeated: what stands for a column, or for all. */
export function readPerColumn(
  texts: readonly string[],
  flag: string,
): (column: string) => string | undefined {
  const own = new Map<string, string>();
  let all: string | undefined;
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    if (at >= 0) own.set(text.slice(0, at), text.slice(at + 1));
    else if (all === undefined) all = text;
    else
      throw new RangeError(
        `${flag}: given twice for all columns; name the column, as in ${flag} visits=${text}`,
      );
  }
  return (column) => own.get(column) ?? all;
}

/** For a trial, a ledger that is not there is an empty one. */
export async function openLedgerFor(options: CommonOptions, create: boolean): Promise<Ledger> {
  if (!create && !isPostgres(options.ledger) && !existsSync(options.ledger))
    return emptyLedger(options.ledger);
  return openLedger(options.ledger, { create });
}

/** The budget that this falls under; a name that is missing or unknown is refused before anything else. */
export async function budgetFor(
  ledger: Ledger,
  dataset: string | null,
  input: Place,
): Promise<Budget | null> {
  const datasets = await ledger.datasets();
  return datasets.get(datasetName({ dataset, inputName: nameOf(input) }, datasets))?.budget ?? null;
}

/** Ctrl-C and SIGTERM stop the work in an orderly way: no output, and an entry that says so. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const handlers = (['SIGINT', 'SIGTERM'] as const).map((name) => {
    const handler = () => controller.abort(new Interrupted(name));
    process.on(name, handler);
    return () => process.off(name, handler);
  });
  try {
    await work(controller.signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    process.stderr.write(
      'interrupted: no output was left; the ledger’s entry is marked aborted and counts as spent\n',
    );
    process.exitCode = error.signal === 'SIGINT' ? 130 : 143;
  } finally {
    for (const off of handlers) off();
  }
}

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

/** ε and δ for people, rounded up. */
export function costWords({ epsilon, delta }: Quote['before']): string {
  return `ε = ${figure(epsilon)}${delta.num === 0n ? '' : `, δ = ${figure(delta)}`}`;
}

export function accountJson(quote: Quote) {
  const left = quote.budget && remaining(quote.budget, quote.after);
  return {
    dataset: quote.spending.dataset,
    part: quote.spending.part,
    perPerson: quote.spending.perPerson,
    perPersonEnforced: quote.spending.perPersonEnforced,
    cost: { epsilon: quote.spending.epsilon, delta: quote.spending.delta },
    charges: quote.spending.charges,
    spent: { epsilon: toDecimal(quote.after.epsilon), delta: toDecimal(quote.after.delta) },
    budget: quote.budget && { epsilon: quote.budget.epsilon, delta: quote.budget.delta },
    remaining: left && { epsilon: toDecimal(left.epsilon), delta: toDecimal(left.delta) },
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

export function accountWords(quote: Quote, ledger: Ledger): string[] {
  const { budget, spending, after } = quote;
  const cost = costWords({ epsilon: parseDecimal(spending.epsilon), delta: parseDecimal(spending.delta) });
  const rows =
    spending.perPerson > 1
      ? `, for a person with up to ${spending.perPerson} rows (${spending.perPersonEnforced ? 'counted' : 'as asserted'})`
      : '';
  const left = budget && remaining(budget, after);
  return [
    `cost       ${cost}${rows}`,
    `ledger     ${ledger.address}: ${spending.dataset}${spending.part === null ? '' : `, part ${spending.part},`} has spent ${costWords(after)}${left ? ` of ${costWords({ epsilon: parseDecimal(budget.epsilon), delta: parseDecimal(budget.delta) })}` : '; no budget is set'}`,
  ];
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
        ...accountWords(quote, ledger),
        ...errorWords(columns),
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
  if (reports) {
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
  const { reservation, outcome, head } = released;
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
    `${outcome.rows.toLocaleString('en')} rows released to ${shownPlace(job.output)}: ${job.columns.map(({ name }) => name).join(', ')} protected`,
    ...accountWords(reservation, ledger),
    `head       ${head}`,
    ...errorWords(job.columns).map((line) => `error      ${line}`),
    ...mechanisms.map((file) => `mechanism  ${file}: readers need it`),
    ...(reports ? [`report     ${reports.html}, figures in ${reports.json}`] : []),
  ];
  (job.output.kind === 'pipe' ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
}

/** The noise of each column, as a picture. */
async function noiseCharts(columns: readonly ProtectedColumn[]): Promise<string[]> {
  const { charts, document } = await picture();
  return columns.map(({ name, mechanism: { pmf } }) => {
    const unit = toNumberNear(pmf.step);
    const at = (num: bigint) => Math.round(toNumberNear(quantile(pmf, { num, den: 1000n })) / unit);
    const [low, high] = [at(2n) - 2, at(998n) + 2];
    const { p } = probabilities(pmf, low, high);
    const points = Array.from(p, (y, i) => ({ x: (low + i) * unit, y }));
    return charts.massCurves(
      [{ name: 'noise', points }],
      { title: `The noise added to ${name}`, x: 'noise, in data units', y: 'probability' },
      document,
    );
  });
}
