// Options that release and count share.

import type { Command } from 'commander';

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

export interface ReleaseOptions extends CommonOptions {
  readonly column: readonly string[];
  readonly mechanism?: string;
  readonly epsilon: readonly string[];
  readonly delta: readonly string[];
  readonly pass: readonly string[];
  readonly adjacency?: string;
  readonly step?: string;
  readonly prior?: string;
  readonly priorIsPublic?: boolean;
  readonly family?: string;
  readonly allowBias?: boolean;
  readonly skipInvalid?: boolean;
}

/** Of options that may be repeated, none. */
export const NONE = { column: [], epsilon: [], delta: [], pass: [], clamp: [], roundTo: [] };

export const LEDGER_OPTION = [
  '--ledger <file>',
  'the ledger: a file or postgres://… (default: DISCREET_LEDGER, else discreet.json or discreet-ledger.db, the nearest from here upward)',
] as const;

export function addCommonOptions(command: Command): Command {
  return command
    .option('-o, --output <file>', 'where to write: a file, - for standard output, or postgres://…')
    .option('--output-table <name>', 'the new table in a PostgreSQL output')
    .option('--output-format <format>', 'csv, tsv, parquet or jsonl (default: by the file’s name)')
    .option('--table <name>', 'the table of a PostgreSQL input')
    .option('--query <sql>', 'or a query, with --rows-once')
    .option(
      '--rows-once',
      'of a query: you state that each record is in its result at most once, and that rows are chosen and ordered without looking at protected columns',
    )
    .option('--input-format <format>', 'csv, tsv, parquet or jsonl (default: by the file’s name)')
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

/** An option that is repeated. */
export function collect(value: string, all: string[] | undefined): string[] {
  return [...(all ?? []), value];
}
