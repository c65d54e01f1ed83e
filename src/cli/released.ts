// How a release or count is told: trials, results, the report.

import { reportPaths } from '../door/index.js';
import { parseDecimal } from '../exact/index.js';
import type { Charge, Ledger } from '../ledger/index.js';
import { errorQuantiles, textOfIndex, utilityOf } from '../mechanism/index.js';
import { paidWords } from '../prior/index.js';
import { type CountJob, type Effects, type Job, type Trial, writeReport } from '../release/index.js';
import {
  bestGuess,
  guessWords,
  publishedError,
  totalCost,
  totalWarnings,
  warningsOf,
} from '../report/index.js';
import type { ProtectedColumn, Released } from '../terms/index.js';
import type { CommonOptions } from './common-options.js';
import { accountJson, accountWords, counted } from './cost-words.js';
import { figure, labelled, note, print, printJson, rough } from './output.js';

function errorJson(columns: readonly ProtectedColumn[], charges: readonly Charge[]) {
  return columns.map((column, i) => {
    const { mean, meanAbs, std } = utilityOf(column.mechanism.pmf);
    return {
      column: column.name,
      meanAbs,
      bias: mean,
      std,
      quantiles: errorQuantiles(column.mechanism.pmf),
      published: publishedError(column),
      bestGuess: bestGuess(column, charges[i]!),
      warnings: warningsOf(column, charges[i]!),
    };
  });
}

/** Columns with the same noise and the same finish, of which one line is enough. */
function alike(columns: readonly ProtectedColumn[]): ProtectedColumn[][] {
  const groups: ProtectedColumn[][] = [];
  for (const column of columns) {
    const { low, high, roundTo } = column.finish;
    const same = groups.find(
      ([other]) =>
        other!.mechanism === column.mechanism &&
        other!.finish.low === low &&
        other!.finish.high === high &&
        other!.finish.roundTo === roundTo,
    );
    if (same) same.push(column);
    else groups.push([column]);
  }
  return groups;
}

/** The names of a group, of which the first and the last are enough. */
function groupName(group: readonly ProtectedColumn[]): string {
  const names = group.map(({ name }) => plainName(name));
  return names.length <= 3 ? names.join(', ') : `${names[0]} … ${names.at(-1)} (${names.length} columns)`;
}

/** What is said of all columns together. */
function allWords(columns: readonly ProtectedColumn[], epsilon: string, rows: number | null): string[] {
  return totalWarnings(epsilon, columns.length, rows).map((words) => `warning    ${words}`);
}

function errorWords(
  columns: readonly ProtectedColumn[],
  charges: readonly Charge[],
  what: 'rows' | 'cells',
): string[] {
  return alike(columns).flatMap((group) => {
    const column = group[0]!;
    const charge = charges[columns.indexOf(column)]!;
    const { mean, meanAbs, std } = utilityOf(column.mechanism.pmf);
    const [, most] = errorQuantiles(column.mechanism.pmf);
    const published = publishedError(column);
    const name = groupName(group);
    // Beside the noise itself, what integers leave of a mean of 0 is nothing.
    const centre =
      Math.abs(mean) < 1e-9 * std ? 'the noise is unbiased' : `the noise has the mean ${rough(mean)}`;
    const step = textOfIndex(1n, column.lattice);
    const rounding =
      step === '1' ? '' : `; values are rounded to multiples of ${step} first, which is not counted here`;
    return [
      `noise      ${name}: a value is off by ${rough(meanAbs)} on average, by at most ${rough(most!.error)} in 9 of 10 ${what}; ${centre}${rounding}`,
      `guess      ${name}: ${guessWords(column, charge)}`,
      ...warningsOf(column, charge).map((words) => `warning    ${words}`),
      ...(published
        ? [
            `published  ${name}: afterwards a value ${published.bounds ? `truly within ${published.bounds.join(' … ')} ` : ''}comes out from ${biasWords(published.leastBias)} to ${biasWords(published.greatestBias)} on average, depending on what it is${published.bounds ? '; one outside is moved into the bounds' : ''}`,
          ]
        : []),
      ...(published?.warning ? [`warning    ${name}: ${published.warning}`] : []),
    ];
  });
}

/** What priors that were paid for first were good for. */
function gainWords(columns: readonly ProtectedColumn[]): string[] {
  return columns.flatMap(({ name, gain }) => {
    if (!gain) return [];
    const { own, without } = gain.wasserstein;
    const less = 100 * (1 - own / without);
    return [
      `prior      ${plainName(name)}: ${paidWords(gain.paid)}, in ${gain.file}; with the noise ε = ${figure(parseDecimal(gain.epsilon))}`,
      `gained     ${plainName(name)}: ${less > 0.5 ? `output and input are W = ${rough(own)} apart, ${less.toFixed(0)} % less than the ${rough(without)} of the best noise without a prior for all of ε` : `nothing: W = ${rough(own)}, and the best noise without a prior for all of ε would give ${rough(without)}`}; E|θ| is ${rough(gain.meanAbsolute.own)} against ${rough(gain.meanAbsolute.without)}`,
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

/** Of a count: what becomes of other values, whether there are any or not. */
function elsewhereWords(job: Job): string[] {
  const { by, reading } = job as Partial<CountJob>;
  if (!by || by.every(({ other }) => other !== null)) return [];
  return [
    `elsewhere  rows with other values are counted nowhere${reading ? '' : ', also where spaces make the difference (--trim)'}; --other gives them a cell`,
  ];
}

export type Done = Released & { readonly job: Job };

/** A trial: nothing was read but the header or the keys, nothing was written. */
export function showTrial({ quote, unchanged, job, priors }: Trial, ledger: Ledger, asJson: boolean): void {
  const { act } = quote.spending;
  if (asJson)
    printJson({
      dryRun: true,
      fits: quote.fits,
      unchanged,
      ...accountJson(quote),
      ledger: ledger.shown,
      error: errorJson(job.columns, quote.spending.charges),
      ...(priors ? { priors } : {}),
    });
  else
    print(
      'A trial: no value was read, nothing was written or charged.',
      ...(act === 'release' ? [unchangedWords(unchanged)] : []),
      ...accountWords(quote, ledger.shown, true),
      ...allWords(job.columns, quote.spending.epsilon, quote.spending.perPerson),
      ...errorWords(job.columns, quote.spending.charges, act === 'release' ? 'rows' : 'cells'),
      ...(priors ?? []).map(
        ({ column, epsilon, file, without }) =>
          `prior      ${plainName(column)}: ε = ${figure(parseDecimal(epsilon))} of it first, in ${file}; the noise above is for the rest, as it would be without a prior; all of ε for it would be off by ${rough(without)}`,
      ),
      ...(quote.fits ? [] : ['It would be refused: the budget does not suffice.']),
    );
  if (!quote.fits) process.exitCode = 3;
}

export async function showReleased(done: Done, effects: Effects, options: CommonOptions): Promise<void> {
  const reports = options.report === undefined ? null : reportPaths(options.report);
  const { job, reservation, outcome, head } = done;
  const { spending, sequence } = reservation;
  const { ledger } = effects;
  if (!done.settled)
    note(`the ledger could not be told that entry ${sequence} is complete; it counts as spent all the same`);
  if (reports) await writeReport(reports, done, effects, (field) => `--${field}`);
  const mechanisms = job.mechanismFiles.map(({ path }) => path);
  if (options.json) {
    printJson({
      rows: outcome.rows,
      columns: job.columns.map(({ name }, i) => ({ name, values: outcome.values[i] })),
      output: options.output,
      unchanged: outcome.unchanged,
      ...accountJson(reservation),
      cost: totalCost(spending, job.columns),
      ledger: ledger.shown,
      entry: sequence,
      head,
      ...(spending.keyed ? { keyed: spending.keyed } : {}),
      error: errorJson(job.columns, spending.charges),
      priors: job.columns.flatMap(({ name, gain }) => (gain ? [{ column: name, ...gain }] : [])),
      mechanisms,
      report: reports,
    });
    return;
  }
  const isCount = spending.act === 'count';
  const lines = [
    isCount
      ? `${counted(outcome.rows, 'cell')} counted, with noise in each, in ${job.output.shown}`
      : `${counted(outcome.rows, 'row')} released to ${job.output.shown}: ${groupName(job.columns)} protected`,
    ...(isCount ? elsewhereWords(job) : [unchangedWords(outcome.unchanged)]),
    ...accountWords(reservation, ledger.shown, false, totalCost(spending, job.columns)),
    `head       ${head}`,
    ...(spending.keyed
      ? [
          `keyed      noise by a key that is gone now, so that tasks could be run again; computational, by AES; input: ${spending.keyed.pinned}`,
        ]
      : []),
    ...(spending.query
      ? [
          'stated     each record is in the query’s result at most once, chosen and ordered without looking at protected columns',
        ]
      : []),
    ...allWords(job.columns, spending.epsilon, spending.perPerson),
    ...errorWords(job.columns, spending.charges, isCount ? 'cells' : 'rows'),
    ...(job.reading?.decimal && job.columns.some(({ lattice }) => lattice.places === 0)
      ? ['rounded    decimals were rounded to whole numbers; --step 0.01 keeps cents']
      : []),
    ...gainWords(job.columns),
    ...(job.skipInvalid ? ['skipped    cells that were no numbers at all are empty'] : []),
    ...mechanisms.map((file) => `mechanism  ${file}: readers need it`),
    ...(reports ? [`report     ${reports.html}, figures in ${reports.json}`] : []),
  ];
  (job.output.kind === 'pipe' ? process.stderr : process.stdout).write(`${lines.map(labelled).join('\n')}\n`);
}
