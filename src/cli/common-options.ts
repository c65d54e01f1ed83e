// Options that release and count share, and what they say.

import type { Command } from 'commander';
import { rowsOf } from '../door/index.js';
import { invalid, PrivacyError, quote } from '../error/index.js';
import { formats } from '../release/index.js';
import { parseCsv } from '../spec/index.js';
import { collect } from './input.js';
import { LEDGER_OPTION } from './ledger-opening.js';
import { addLocate } from './locate.js';
import type { Flags, Lists, Maybe } from './options.js';
import { checkDocuments, note } from './output.js';

/** What is said of an input, of whose data it is, and of who pays. */
export type InputOptions = Maybe<'table' | 'query' | 'inputFormat' | 'output' | 'delimiter' | 'encoding'> &
  Maybe<'dataset' | 'ledger' | 'perPerson' | 'person' | 'part' | 'seed'> &
  Flags<'rowsOnce' | 'dryRun' | 'force' | 'json'>;

export type CommonOptions = InputOptions &
  Maybe<'outputTable' | 'outputFormat' | 'report'> &
  Flags<'recreate'> &
  Lists<'clamp' | 'roundTo'>;

export const INPUT_MEANING =
  "a CSV, TSV (both also as .gz), Parquet, JSON lines or Arrow file, a folder or 'part-*.csv', - for standard input, or postgres://…";

export function addCommonOptions(command: Command): Command {
  return addInputOptions(
    command
      .option('--report <file.html>', 'a report for the auditor; its figures go beside it as JSON')
      .option('-o, --output <file>', 'where to write: a file, - for standard output, or postgres://…')
      .option('--output-table <name>', 'the new table in a PostgreSQL output')
      .option('--recreate', 'with --force: that table may lose its indexes, grants, partitions and the like')
      .option('--output-format <format>', `${FORMATS} (default: by the file’s name)`),
  );
}

const FORMATS = formats.map(({ name }) => name).join(', ');

export function addInputOptions(command: Command): Command {
  return addLocate(command)
    .option('--person <column>', 'count rows by this column, and refuse more than --per-person')
    .option('--seed <seed>', 'refused: seeded noise protects nobody')
    .option('--table <name>', 'the table of a PostgreSQL input')
    .option('--query <sql>', 'or a query, with --rows-once')
    .option(
      '--rows-once',
      'of a query: you state that each record is in its result at most once, and that rows are chosen and ordered without looking at protected columns',
    )
    .option('--input-format <format>', `${FORMATS} (default: by the file’s name)`)
    .option('--delimiter <char>', 'of delimited text (default: found in the header)')
    .option('--encoding <name>', 'of text that is not UTF-8, such as windows-1252, which latin1 is read as')
    .option('--dataset <name>', 'the dataset in the ledger (default: the input’s name)')
    .option(...LEDGER_OPTION)
    .option(
      '--per-person <k>',
      'rows that one person may have (default: the budget’s, or all is for one row)',
    )
    .option('--dry-run', 'say what it would cost and how far off values would be; read only the header')
    .option('--force', 'overwrite existing files or tables')
    .option('--json', 'print one JSON object');
}

/** How cells of protected columns are read. */
export type CellFlags = Maybe<'na' | 'decimal'> & Lists<'map'>;

export function addCellOptions(command: Command): Command {
  return command
    .option('--na <texts>', 'cells that say that there is no value, such as NA,-; they come out empty')
    .option('--map <text=number>', "what a text counts as, such as '85+=85'; repeat", collect)
    .option('--decimal <mark>', '. or , before decimals; the other one may then group thousands');
}

export function cellOptions({ na, map, decimal }: CellFlags) {
  return { na: na === undefined ? undefined : (parseCsv(na)[0] ?? ['']), map: mapOf(map), decimal };
}

/** `text=value`, repeated or after commas; a text may hold an equals sign, or a comma. */
export function mapOf(texts: readonly string[] = []): Map<string, string> {
  const map = new Map<string, string>();
  const pairs = texts.flatMap((text) => (SEVERAL.test(text) ? text.split(',') : [text]));
  for (const text of pairs) {
    const at = text.lastIndexOf('=');
    if (at < 1) throw invalid(`map: expected text=value, as in '85+=85', got ${text}`);
    const from = text.slice(0, at).trim();
    if (map.has(from)) throw invalid(`map: given twice for ${quote(from)}`);
    map.set(from, text.slice(at + 1));
  }
  return map;
}

/** Every piece says what it counts as. */
const SEVERAL = /^[^=,]+=[^=,]+(?:,[^=,]+=[^=,]+)+$/;

/** Names between commas are one name of a column: said of the first such, with what to do for several. */
export function noteLists(columns: readonly string[], several: string): void {
  const listed = columns.find((text) => /^\w+(?:,\w+)+$/.test(text));
  if (listed !== undefined) note(`--column ${listed} is one column of that name; for several, ${several}`);
}

/** What all commands pass on as it is said. */
export function inputOptions(input: string, options: InputOptions) {
  const { perPerson, output } = options;
  if (options.seed !== undefined)
    throw new PrivacyError(
      'seeded noise protects nobody, so nothing is released with it; for simulations see discreet sample --for-simulation',
      'seed',
    );
  const { table, query, rowsOnce, inputFormat, delimiter, encoding, dataset, force, person, part } = options;
  return {
    ...{ table, query, rowsOnce, inputFormat, delimiter, encoding, dataset, force, person, part },
    input,
    output: output!,
    perPerson: perPerson === undefined ? undefined : rowsOf(perPerson),
  };
}

/** What releases and counts pass on beside that. */
export function commonOptions(input: string, options: CommonOptions) {
  const { clamp, roundTo, output, outputTable, outputFormat, recreate, report } = options;
  const common = inputOptions(input, options);
  // Of several documents, standard output takes one.
  if (output === '-') checkDocuments([output], true, options.json === true && options.dryRun !== true);
  return {
    ...common,
    ...{ outputTable, outputFormat, recreate, report },
    clamp: perColumn(clamp, 'clamp', pairOf('clamp', '0,100')),
    roundTo: perColumn(roundTo, 'roundTo', (text) => text),
  };
}

/** `low,high`. */
export function pairOf(field: string, example: string): (text: string) => [string, string] {
  return (text) => {
    const ends = text.split(',').map((end) => end.trim());
    if (ends.length !== 2) throw invalid(`${field}: expected low,high as in ${example}, got ${text}`);
    return ends as [string, string];
  };
}

/** `[column=]value`, repeated: what stands for each column that is named, and for all under null. A name may hold an
 * equals sign. */
export function perColumn<T>(texts: readonly string[], field: string, read: (text: string) => T) {
  const values = new Map<string | null, T>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const column = at < 0 ? null : text.slice(0, at);
    if (values.has(column))
      throw invalid(
        `${field}: ${
          column === null
            ? `given twice for all columns; name the column, as in {${field}} visits=${text}`
            : `given twice for ${quote(column)}`
        }`,
      );
    values.set(column, read(text.slice(at + 1)));
  }
  return values;
}
