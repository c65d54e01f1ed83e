// `discreet recover`: the statistics behind a released column.

import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { badData, invalid } from '../error/index.js';
import { latticeOf, type Mechanism } from '../mechanism/index.js';
import { recoverCounts, releaseIn } from '../recover/index.js';
import { formats, type Histogram, histograms, placeOf } from '../release/index.js';
import { quote } from '../spec/index.js';
import { INPUT_MEANING } from './common-options.js';
import { collect, readMechanismFile } from './input.js';
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

async function run(address: string, options: Options): Promise<void> {
  const { column, by = null, range, clamp, roundTo, smooth, confidence } = options;
  if (smooth !== undefined && smooth !== 'none')
    throw invalid(`smooth: expected none, got ${smooth}; leave it out to have it chosen from the data`);
  checkDocuments([options.csv, options.svg], options.force === true, options.json === true);
  const asked = {
    range: range === undefined ? undefined : pairOf(range, 'range', '0,77'),
    clamp: clamp === undefined ? undefined : pairOf(clamp, 'clamp', '0,100'),
    ...{ roundTo, confidence, atLeast: options.atLeast, quantiles: options.quantile },
    smooth: smooth as 'none' | undefined,
  };
  const mechanism = mechanismFor(address, column, options.mechanism);
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
  const recovered = (one: Histogram, bins: boolean): Group => ({
    by: one.by,
    seen: one,
    found: recoverCounts(one.counts, mechanism, { ...asked, bins, nulls: one.nulls }),
  });
  line.show('all rows');
  const all = recovered(together(seen), true);
  const groups =
    by === null
      ? null
      : seen
          .filter(({ counts }) => counts.size > 0)
          .map((one, i) => {
            line.show(`group ${i + 1} of ${seen.length}`);
            return recovered(one, false);
          });
  line.end();
  const force = options.force === true;
  if (options.csv !== undefined) writeOutput(options.csv, csv(all, groups), force);
  if (options.svg !== undefined) writeOutput(options.svg, await draw(all, column, mechanism), force);
  if (options.json)
    printJson({
      ...all.found,
      ...(groups ? { groups: groups.map(({ by, found }) => ({ by, ...found })) } : {}),
    });
  else if (options.csv !== '-' && options.svg !== '-') print(words(all, groups, column, mechanism));
}

/** All groups as one. */
function together(seen: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const { counts: own } of seen)
    for (const [index, count] of own) counts.set(index, (counts.get(index) ?? 0) + count);
  return { by: null, counts, nulls: seen.reduce((sum, { nulls }) => sum + nulls, 0) };
}

function pairOf(text: string, field: string, example: string): readonly [string, string] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 2) throw invalid(`${field}: expected low,high as in ${example}, got ${text}`);
  return parts as [string, string];
}

/** The mechanism that is named, or the one beside the file that says it is this column's. */
function mechanismFor(address: string, column: string, named: string | undefined): Mechanism {
  if (named !== undefined) return readMechanismFile(named);
  const missing = (found: string) =>
    badData(`${found}; name the one that the column was released with: {mechanism} file.json`, 'mechanism');
  if (address === '-' || /^postgres(ql)?:/.test(address))
    throw missing('a pipe or a table has no mechanism beside it');
  const [folder, name] = [dirname(address), basename(address)];
  const beside = listed(folder).filter(
    (file) => file.startsWith(`${name}.`) && file.endsWith('.mechanism.json'),
  );
  const all = beside.map((file) => readMechanismFile(join(folder, file)));
  const own = all.filter(({ origin }) => releaseIn(origin)?.columns.includes(column));
  if (own.length === 1) return own[0]!;
  throw missing(
    beside.length === 0
      ? `there is no ${name}.mechanism.json beside ${name}`
      : `none of ${beside.join(', ')} says that it is of column ${quote(column)}`,
  );
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
