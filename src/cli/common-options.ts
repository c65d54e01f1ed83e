// Options that release and count share, and what they say.

import type { Command } from 'commander';
import { invalid, PrivacyError } from '../error/index.js';
import type { Ledger } from '../ledger/index.js';
import { isPostgres } from '../postgres/index.js';
import {
  type Effects,
  formats,
  type Place,
  placeOf,
  type ReportPaths,
  type Request,
} from '../release/index.js';
import { readDecimal, suggest } from '../spec/index.js';
import { LEDGER_OPTION, ledgerFrom, openLedgerFor } from './ledger-opening.js';
import { checkDocuments } from './output.js';
import { progressLine } from './progress.js';
import { effectsOf, interruptible, rowProgress, trialEffects } from './surroundings.js';

export interface CommonOptions {
  readonly table?: string;
  readonly query?: string;
  readonly rowsOnce?: boolean;
  readonly inputFormat?: string;
  readonly delimiter?: string;
  readonly output?: string;
  readonly outputTable?: string;
  readonly outputFormat?: string;
  readonly dataset?: string;
  readonly ledger?: string;
  readonly perPerson?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly person?: string;
  readonly part?: string;
  readonly clamp: readonly string[];
  readonly roundTo: readonly string[];
  readonly report?: string;
  readonly seed?: string;
}

export const INPUT_MEANING =
  'a CSV, TSV (both also as .gz), Parquet or JSON lines file, - for standard input, or postgres://…';

export function addCommonOptions(command: Command): Command {
  const names = formats.map(({ name }) => name).join(', ');
  return command
    .option(
      '--person <column>',
      'count the rows of each person by this column, and refuse more than --per-person',
    )
    .option('--report <file.html>', 'a report for the auditor; its figures go beside it as JSON')
    .option('--seed <seed>', 'refused: seeded noise protects nobody')
    .option('-o, --output <file>', 'where to write: a file, - for standard output, or postgres://…')
    .option('--output-table <name>', 'the new table in a PostgreSQL output')
    .option('--output-format <format>', `${names} (default: by the file’s name)`)
    .option('--table <name>', 'the table of a PostgreSQL input')
    .option('--query <sql>', 'or a query, with --rows-once')
    .option(
      '--rows-once',
      'of a query: you state that each record is in its result at most once, and that rows are chosen and ordered without looking at protected columns',
    )
    .option('--input-format <format>', `${names} (default: by the file’s name)`)
    .option('--delimiter <char>', 'of delimited text (default: found in the header)')
    .option('--dataset <name>', 'the dataset in the ledger (default: the input’s name)')
    .option(...LEDGER_OPTION)
    .option(
      '--per-person <k>',
      'rows that one person may have (default: the budget’s; where nothing is stated, all is for one row)',
    )
    .option('--dry-run', 'say what it would cost and how far off values would be; read only the header')
    .option('--force', 'overwrite existing files or tables')
    .option('--json', 'print one JSON object');
}

/** What both commands take from their options. */
export function readRequest(
  address: string,
  options: CommonOptions,
): Omit<Request, 'reads'> & { readonly reports: ReportPaths | null } {
  if (options.seed !== undefined)
    throw new PrivacyError(
      'seeded noise protects nobody, so nothing is released with it; for simulations see discreet sample --for-simulation',
      null,
      'seed',
    );
  const input = placeOf(
    {
      address,
      format: options.inputFormat ?? null,
      table: options.table ?? null,
      query: options.query ?? null,
      rowsOnce: options.rowsOnce === true,
    },
    'input',
  );
  const output = readOutput(options, input);
  const reports = reportPaths(options);
  return {
    input,
    output,
    dataset: options.dataset ?? null,
    part: options.part ?? null,
    perPerson: readPerPerson(options.perPerson),
    person: options.person ?? null,
    delimiter: readDelimiter(options.delimiter),
    force: options.force === true,
    writes: reports ? [reports.html, reports.json] : [],
    reports,
  };
}

/** Standard output takes the input's format where none is named. */
function readOutput(options: CommonOptions, input: Place): Place {
  const { output } = options;
  if (output === undefined)
    throw invalid('output', 'expected where to write the released data: a file, - or postgres://…');
  checkDocuments(
    [isPostgres(output) ? undefined : output],
    options.force === true,
    options.json === true && options.dryRun !== true,
  );
  const format = options.outputFormat ?? (output === '-' ? (input.format?.name ?? 'csv') : null);
  return placeOf(
    { address: output, format, table: options.outputTable ?? null, query: null, rowsOnce: false },
    'output',
  );
}

/** One character; \\t is a tab. */
function readDelimiter(text: string | undefined): string | null {
  if (text === undefined) return null;
  const char = text === '\\t' ? '\t' : text;
  if (char.length !== 1 || char === '"' || char === '\n' || char === '\r')
    throw invalid('delimiter', `expected one character, such as ; or \\t, got ${JSON.stringify(text)}`);
  return char;
}

/** The page and its figures. */
function reportPaths(options: CommonOptions): ReportPaths | null {
  if (options.report === undefined) return null;
  if (!/\.html?$/i.test(options.report))
    throw invalid('report', `expected a name that ends in .html, got ${options.report}`);
  const paths = { html: options.report, json: options.report.replace(/\.html?$/i, '.json') };
  checkDocuments([paths.html, paths.json], options.force === true, false);
  return paths;
}

export function readPerPerson(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw invalid('perPerson', `expected a whole number of rows from 1 on, got ${text}`);
  return Number(text);
}

/** `[column=]value`, repeated: what stands for all columns, and for each that is named. */
export function perColumn<T>(texts: readonly string[], field: string, read: (text: string) => T) {
  const own = new Map<string, T>();
  let all: T | null = null;
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const column = text.slice(0, Math.max(0, at));
    if (at >= 0 ? own.has(column) : all !== null)
      throw invalid(
        field,
        at >= 0
          ? `given twice for ${JSON.stringify(column)}`
          : `given twice for all columns; name the column, as in {${field}} visits=${text}`,
      );
    if (at >= 0) own.set(column, read(text.slice(at + 1)));
    else all = read(text);
  }
  return { all, own };
}

/** What is done afterwards to the values of each of the columns. */
export function readAfterwards({ clamp, roundTo }: CommonOptions, columns: readonly string[]) {
  const clamps = perColumn(clamp, 'clamp', (text) => {
    const bounds = text.split(',');
    if (bounds.length !== 2) throw invalid('clamp', `expected low,high as in 0,100, got ${text}`);
    return { low: readDecimal(bounds[0]!, 'clamp'), high: readDecimal(bounds[1]!, 'clamp') };
  });
  const roundings = perColumn(roundTo, 'roundTo', (text) => readDecimal(text, 'roundTo'));
  for (const [field, { own }] of [['clamp', clamps] as const, ['roundTo', roundings] as const])
    for (const column of own.keys())
      if (!columns.includes(column))
        throw invalid(
          field,
          `${JSON.stringify(column)} is not released`,
          suggest(column, columns, 'released are'),
        );
  return (column: string) => ({
    clamp: clamps.own.get(column) ?? clamps.all,
    roundTo: roundings.own.get(column) ?? roundings.all,
  });
}

/** A trial or the act itself, on the ledger that is meant. */
export async function onLedger<T, R>(
  options: CommonOptions,
  check: (address: string) => void,
  act: {
    readonly attempt: (effects: Effects) => Promise<T>;
    readonly showTrial: (trial: T, ledger: Ledger) => void;
    readonly run: (effects: Effects) => Promise<R>;
    readonly show: (done: R, effects: Effects) => Promise<void>;
  },
): Promise<void> {
  const found = await ledgerFrom(options.ledger);
  check(found.address);
  const ledger = await openLedgerFor(found, options.dryRun === true);
  try {
    if (options.dryRun) {
      act.showTrial(await act.attempt(trialEffects(ledger)), ledger);
      return;
    }
    await interruptible(async (signal) => {
      const line = progressLine();
      const effects = effectsOf(ledger, signal, rowProgress(line));
      let done: R;
      try {
        done = await act.run(effects);
      } finally {
        line.end();
      }
      await act.show(done, effects);
    });
  } finally {
    await ledger.close();
  }
}
