// `discreet recover`: the statistics behind a released column.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { badData, cannot, invalid, unquoted, wrong } from '../error/index.js';
import { sameFile } from '../files/index.js';
import { latticeOf, type Mechanism } from '../mechanism/index.js';
import { recoverCounts, releaseIn } from '../recover/index.js';
import { formats, type Histogram, histograms, placeOf } from '../release/index.js';
import { quote, readsLike } from '../spec/index.js';
import { INPUT_MEANING, pairOf } from './common-options.js';
import { collect, readMechanismFile } from './input.js';
import { addLocate } from './locate.js';
import { define, type Flags, type Lists, type Maybe, type Needed } from './options.js';
import { checkDocuments, print, printJson, writeOutput } from './output.js';
import { progressLine } from './progress.js';
import { csv, draw, type Group, words } from './recover-words.js';

type Options = Needed<'column' | 'confidence'> &
  Maybe<'mechanism' | 'range' | 'by' | 'clamp' | 'roundTo' | 'smooth' | 'csv' | 'svg'> &
  Maybe<'table' | 'query' | 'inputFormat' | 'delimiter'> &
  Flags<'force' | 'json'> &
  Partial<Lists<'atLeast' | 'quantile'>>;

export function add(program: Command): void {
  addLocate(
    define(
      program,
      'recover',
      'The distribution behind a released column, its mean, variance, quantiles and shares, each with an interval that usually holds the true figure and one that is guaranteed to. It reads the released file and its mechanism, nothing else, and costs no privacy.',
      `Examples:
  discreet recover released.csv --column visits --range 0,77
  discreet recover released.csv --column visits --range 0,77 --at-least 10 --quantile 0.5 --quantile 0.9
  discreet recover released.parquet --column visits --range 0,77 --by region --json
  discreet recover released.csv --column visits --range 0,77 --svg visits.svg --csv visits.recovered.csv

The range is what true values can be, from public knowledge; released values lie outside it, for they hold noise. Without
it only the mean has a guaranteed interval. The mechanism is found beside the file where release put it, with the clamp
and the rounding of the column.`,
    ),
  )
    .argument('<released>', INPUT_MEANING)
    .requiredOption('--column <name>', 'the column')
    .option('--mechanism <file>', 'its mechanism (default: the one beside the file)')
    .option('--range <low,high>', 'the lowest and the highest true value there can be')
    .option('--by <column>', 'each group of rows by itself')
    .option('--at-least <t>', 'the share of values of t or more; repeat', collect)
    .option('--quantile <p>', 'the value that a share p lies at or below; repeat (default: 0.5)', collect)
    .option('--confidence <c>', 'of both intervals', '0.95')
    .option('--smooth <how>', 'none: the plain maximum of the likelihood, a handful of spikes')
    .option(
      '--clamp <low,high>',
      'bounds that noisy values were moved into (default: by the mechanism’s file)',
    )
    .option('--round-to <unit>', 'multiples that they were rounded to (default: by the mechanism’s file)')
    .option('--table <name>', 'the table of a PostgreSQL input')
    .option('--query <sql>', 'or a query')
    .option(
      '--input-format <format>',
      `${formats.map(({ name }) => name).join(', ')} (default: by the file’s name)`,
    )
    .option('--delimiter <char>', 'of delimited text (default: found in the header)')
    .option('--csv <file>', 'write the distribution')
    .option('--svg <file>', 'draw it')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print one JSON object')
    .action(run);
}

/** Each takes a part of a second. */
const MOST_GROUPS = 5000;

async function run(address: string, options: Options): Promise<void> {
  const { column, by = null, range, clamp, roundTo, smooth, confidence } = options;
  if (smooth !== undefined && smooth !== 'none')
    throw invalid(`smooth: expected none, got ${smooth}; leave it out to have it chosen from the data`);
  checkDocuments([options.csv, options.svg], options.force === true, options.json === true);
  const asked = {
    range: range === undefined ? undefined : pairOf('range', '0,77')(range),
    clamp: clamp === undefined ? undefined : pairOf('clamp', '0,100')(clamp),
    ...{ roundTo, confidence, atLeast: options.atLeast, quantiles: options.quantile },
    smooth: smooth as 'none' | undefined,
  };
  const { mechanism, path } = mechanismFor(address, column, options.mechanism);
  const noisy = [mechanism, ...mechanismsBeside(address).map((beside) => beside.mechanism)].flatMap(
    ({ origin }) => releaseIn(origin)?.columns ?? [],
  );
  for (const output of [options.csv, options.svg])
    if (output !== undefined && output !== '-' && [address, path].some((read) => sameFile(output, read)))
      throw wrong(`${output}: this is what is read; choose another name`);
  const input = placeOf(
    {
      address,
      format: options.inputFormat ?? null,
      table: options.table ?? null,
      query: options.query ?? null,
      rowsOnce: false,
    },
    'input',
  );
  const line = progressLine();
  line.show(`reading ${input.shown}`);
  const lattice = latticeOf(mechanism.pmf.step);
  const seen = await histograms(
    { input, column, by, delimiter: options.delimiter ?? null, lattice },
    { input: process.stdin, signal: new AbortController().signal },
  );
  if (seen.length > MOST_GROUPS)
    throw invalid(
      `by: expected at most ${MOST_GROUPS} groups, got ${seen.length}; choose a column with fewer values`,
    );
  const recovered = (one: Histogram, bins: boolean): Group => ({
    by: one.by,
    seen: one,
    // A group that is one of the cases that confidence leaves must not take the others with it.
    found: recoverCounts(one.counts, mechanism, {
      ...asked,
      bins,
      nulls: one.nulls,
      impossible: bins ? 'fail' : 'warn',
    }),
  });
  line.show('looking for the distribution behind all rows; many different values take longer');
  const whole = recovered(together(seen), true);
  const all = { ...whole, found: { ...whole.found, warning: warningOf(whole.found.warning, by, noisy) } };
  const groups =
    by === null
      ? null
      : seen
          .filter(({ counts }) => counts.size > 0)
          .map((one, i) => {
            line.show(`looking for the distribution behind group ${i + 1} of ${seen.length}`);
            return recovered(one, false);
          });
  line.end();
  const force = options.force === true;
  if (options.csv !== undefined) writeOutput(options.csv, csv(all, groups), force);
  if (options.svg !== undefined) writeOutput(options.svg, draw(all, column, mechanism), force);
  if (options.json)
    printJson({
      ...all.found,
      ...(groups ? { groups: groups.map(({ by, found }) => ({ by, ...found })) } : {}),
    });
  else if (options.csv !== '-' && options.svg !== '-') print(words(all, groups, column, mechanism));
}

/** Groups of a column that has noise of its own are of noisy values. */
function warningOf(found: string | null, by: string | null, noisy: readonly unknown[]): string | null {
  if (by === null || !noisy.some((column) => typeof column === 'string' && readsLike(column, by)))
    return found;
  const groups = `${quote(by)} was released with noise of its own: groups are by its noisy values, and hold rows that truly belong to others`;
  return found === null ? groups : `${found}; ${groups}`;
}

/** All groups as one. */
function together(seen: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const { counts: own } of seen)
    for (const [index, count] of own) counts.set(index, (counts.get(index) ?? 0) + count);
  return { by: null, counts, nulls: seen.reduce((sum, { nulls }) => sum + nulls, 0) };
}

/** The mechanism that is named, or the one beside the file that says it is this column's. */
function mechanismFor(
  address: string,
  column: string,
  named: string | undefined,
): { readonly mechanism: Mechanism; readonly path: string } {
  if (named !== undefined) return { mechanism: readMechanismFile(named), path: named };
  const missing = (found: string) =>
    badData(`${found}; name the one that the column was released with: {mechanism} file.json`, 'mechanism');
  if (isNoFile(address)) throw missing('a pipe or a table has no mechanism beside it');
  const name = basename(address);
  const all = mechanismsBeside(address);
  const own = all.filter(({ mechanism }) => releaseIn(mechanism.origin)?.columns.includes(column));
  if (own.length === 1) return own[0]!;
  if (all.length === 0) {
    if (!existsSync(address)) throw cannot(`${address}: there is no such file`);
    throw missing(`there is no ${name}.mechanism.json beside ${name}`);
  }
  const beside = all.map(({ path }) => basename(path));
  const known = all.flatMap(({ mechanism }) => releaseIn(mechanism.origin)?.columns ?? []).map(String);
  throw badData(
    `${quote(column)} is none of the columns that ${beside.join(', ')} ${beside.length === 1 ? 'is' : 'are'} of: ${known.map(unquoted).join(', ') || 'none is named'}; correct it, or name its mechanism: {mechanism} file.json`,
    'column',
  );
}

/** What a release wrote beside a file. */
function mechanismsBeside(
  address: string,
): readonly { readonly mechanism: Mechanism; readonly path: string }[] {
  if (isNoFile(address)) return [];
  const folder = dirname(address);
  return listed(folder)
    .filter((file) => file.startsWith(`${basename(address)}.`) && file.endsWith('.mechanism.json'))
    .map((file) => join(folder, file))
    .map((path) => ({ mechanism: readMechanismFile(path), path }));
}

function isNoFile(address: string): boolean {
  return address === '-' || /^postgres(ql)?:/.test(address);
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
