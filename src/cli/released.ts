// How a release or count is told: trials, results, the report.

import { reportPaths } from '../door/index.js';
import { unquoted } from '../error/index.js';
import { parseDecimal } from '../exact/index.js';
import type { Charge, Ledger, Quote } from '../ledger/index.js';
import { errorQuantiles, textOfIndex, utilityOf } from '../mechanism/index.js';
import { paidWords } from '../prior/index.js';
import { type CountJob, type Effects, type Job, type Trial, writeReport } from '../release/index.js';
import {
  bestGuess,
  guessWords,
  inAllOf,
  inAllWords,
  type PersonRisk,
  personRisk,
  personWords,
  publishedError,
  shellWord,
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
  const names = group.map(({ name }) => unquoted(name));
  return names.length <= 3 ? names.join(', ') : `${names[0]} … ${names.at(-1)} (${names.length} columns)`;
}

/** What is said of all that is published of a person together, before what is said of each column. */
function allWords(columns: readonly ProtectedColumn[], quote: Quote, risk: PersonRisk): string[] {
  return [
    ...totalWarnings(columns, quote).map((words) => `warning    ${words}`),
    ...(risk.several ? [`guess      ${personWords(risk)}`] : []),
    ...inAllWords(inAllOf(columns, quote)).map((words) => `guess      ${words}`),
  ];
}

function errorWords(
  columns: readonly ProtectedColumn[],
  charges: readonly Charge[],
  what: 'rows' | 'cells',
): string[] {
  return alike(columns).flatMap((group) => {
    const column = group[0]!;
    const charge = charges[columns.indexOf(column)]!;
    const { mean, meanAbs } = utilityOf(column.mechanism.pmf);
    const [, most] = errorQuantiles(column.mechanism.pmf);
    const published = publishedError(column);
    const name = groupName(group);
    const centre = mean === 0 ? 'the noise is unbiased' : `the noise has the mean ${rough(mean)}`;
    const step = textOfIndex(1n, column.lattice);
    const rounding =
      step === '1' ? '' : `; values are rounded to multiples of ${step} first, which is not counted here`;
    return [
      `noise      ${name}: ${published ? 'the noise moves a value by' : 'a value is off by'} ${rough(meanAbs)} on average, by at most ${rough(most!.error)} in 9 of 10 ${what}; ${centre}${rounding}`,
      `guess      ${name}: ${guessWords(column, charge)}`,
      ...warningsOf(column, charge).map((words) => `warning    ${words}`),
      ...(published
        ? [
            `published  ${name}: afterwards a value ${published.bounds ? `truly within ${published.bounds.join(' … ')} ` : ''}is off by ${rough(published.leastError)} to ${rough(published.greatestError)} on average, and comes out from ${biasWords(published.leastBias)} to ${biasWords(published.greatestBias)}, depending on what it is${published.bounds ? '; one outside is moved into the bounds' : ''}`,
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
      `prior      ${unquoted(name)}: ${paidWords(gain.paid)}, in ${gain.file}; with the noise ε = ${figure(parseDecimal(gain.epsilon))}`,
      `gained     ${unquoted(name)}: ${less > 0.5 ? `output and input are W = ${rough(own)} apart, ${less.toFixed(0)} % less than the ${rough(without)} of the best noise without a prior for all of ε` : `nothing: W = ${rough(own)}, and the best noise without a prior for all of ε would give ${rough(without)}`}; E|θ| is ${rough(gain.meanAbsolute.own)} against ${rough(gain.meanAbsolute.without)}`,
    ];
  });
}

function biasWords(bias: number): string {
  return `${rough(Math.abs(bias))} too ${bias < 0 ? 'low' : 'high'}`;
}

const MOST_NAMES = 30;

/** What leaves as it is: nothing protects it. */
function unchangedWords(names: readonly string[] | null): string {
  if (names === null) return 'unchanged  all other columns; which there are, only reading would tell';
  if (names.length === 0) return 'unchanged  no column: all of them are protected';
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `unchanged  ${names.slice(0, MOST_NAMES).map(unquoted).join(', ')}${more}: ${names.length === 1 ? 'it leaves as it is' : 'they leave as they are'}, and nothing protects ${names.length === 1 ? 'it' : 'them'}`;
}

/** What does not leave at all. */
function droppedWords({ dropped = [] }: Job): string[] {
  if (dropped.length === 0) return [];
  const more = dropped.length > MOST_NAMES ? ` and ${dropped.length - MOST_NAMES} more` : '';
  return [
    `dropped    ${dropped.slice(0, MOST_NAMES).map(unquoted).join(', ')}${more}: ${dropped.length === 1 ? 'it does' : 'they do'} not leave`,
  ];
}

/** Of decimals that are read as such: which of their columns keep none, and how the first would. */
function roundedWords({ reading, columns }: Job): string[] {
  if (!reading?.decimal) return [];
  const whole = columns.filter(({ lattice }) => lattice.places === 0);
  const steps = [...new Set(whole.map(({ lattice }) => textOfIndex(1n, lattice)))];
  return steps.map((step) => {
    const group = whole.filter(({ lattice }) => textOfIndex(1n, lattice) === step);
    const to = step === '1' ? 'whole numbers' : `multiples of ${step}`;
    return `rounded    ${groupName(group)}: decimals were rounded to ${to}; --step ${shellWord(`${group[0]!.name}=0.01`)} keeps two`;
  });
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
  const risk = personRisk(job, quote.spending, quote.account, priors !== undefined);
  if (asJson)
    printJson({
      dryRun: true,
      fits: quote.fits,
      unchanged,
      dropped: job.dropped ?? [],
      ...accountJson(quote),
      ledger: ledger.shown,
      bestGuess: risk.bestGuess,
      inAll: inAllOf(job.columns, quote),
      warnings: totalWarnings(job.columns, quote),
      error: errorJson(job.columns, quote.spending.charges),
      ...(priors ? { priors } : {}),
    });
  else
    print(
      'A trial: no value was read, nothing was written or charged.',
      ...(act === 'release' ? [unchangedWords(unchanged), ...droppedWords(job)] : []),
      ...accountWords(quote, ledger.shown, true),
      ...allWords(job.columns, quote, risk),
      ...errorWords(job.columns, quote.spending.charges, act === 'release' ? 'rows' : 'cells'),
      ...(priors ?? []).map(
        ({ column, epsilon, file, without }) =>
          `prior      ${unquoted(column)}: ε = ${figure(parseDecimal(epsilon))} of it first, in ${file}; the noise above is for the rest, as it would be without a prior; all of ε for it would be off by ${rough(without)}`,
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
  const risk = personRisk(job, spending, reservation.account);
  if (options.json) {
    printJson({
      rows: outcome.rows,
      columns: job.columns.map(({ name }, i) => ({ name, values: outcome.values[i] })),
      output: options.output,
      unchanged: outcome.unchanged,
      dropped: job.dropped ?? [],
      ...(outcome.nearZero ? { nearZero: outcome.nearZero } : {}),
      ...accountJson(reservation),
      cost: totalCost(spending, job.columns),
      ledger: ledger.shown,
      entry: sequence,
      head,
      ...(spending.keyed ? { keyed: spending.keyed } : {}),
      bestGuess: risk.bestGuess,
      inAll: inAllOf(job.columns, reservation),
      warnings: totalWarnings(job.columns, reservation),
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
    ...(isCount ? elsewhereWords(job) : [unchangedWords(outcome.unchanged), ...droppedWords(job)]),
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
    ...allWords(job.columns, reservation, risk),
    ...errorWords(job.columns, spending.charges, isCount ? 'cells' : 'rows'),
    ...roundedWords(job),
    ...gainWords(job.columns),
    ...(job.skipInvalid ? ['skipped    cells that were no numbers at all are empty'] : []),
    ...mechanisms.map((file) => `mechanism  ${file}: readers need it`),
    ...(reports ? [`report     ${reports.html}, figures in ${reports.json}`] : []),
  ];
  (job.output.kind === 'pipe' ? process.stderr : process.stdout).write(`${lines.map(labelled).join('\n')}\n`);
}
