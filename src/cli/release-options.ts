// Options that release and count share.

import type { Command } from 'commander';

export interface CommonOptions {
  readonly table?: string;
  readonly query?: string;
  readonly inputFormat?: string;
  readonly delimiter?: string;
  readonly output?: string;
  readonly outputTable?: string;
  readonly outputFormat?: string;
  readonly dataset?: string;
  readonly ledger: string;
  readonly perPerson?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly epsilon?: string;
  readonly delta?: string;
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
  readonly adjacency?: string;
  readonly step?: string;
  readonly prior?: string;
  readonly priorIsPublic?: boolean;
  readonly family?: string;
  readonly snap?: boolean;
  readonly skipInvalid?: boolean;
}

/** Of options that may be repeated, none. */
export const NONE = { column: [], clamp: [], roundTo: [], domain: [] };

export const DEFAULT_LEDGER = 'discreet-ledger.db';

export function addCommonOptions(command: Command): Command {
  return command
    .option('-o, --output <file>', 'where to write: a file, - for standard output, or postgres://…')
    .option('--output-table <name>', 'the new table in a PostgreSQL output')
    .option('--output-format <format>', 'csv, tsv, parquet or jsonl (default: by the file’s name)')
    .option('--table <name>', 'the table of a PostgreSQL input')
    .option('--query <sql>', 'or a query')
    .option('--input-format <format>', 'csv, tsv, parquet or jsonl (default: by the file’s name)')
    .option('--delimiter <char>', 'of delimited text (default: found in the header)')
    .option('--dataset <name>', 'the dataset in the ledger (default: the input’s name)')
    .option('--ledger <file>', 'the ledger: a file or postgres://…', DEFAULT_LEDGER)
    .option('--per-person <k>', 'rows that one person may have (default: the budget’s, or 1)')
    .option('--dry-run', 'say what it would cost and how far off values would be; read only the header')
    .option('--force', 'overwrite existing files or tables')
    .option('--json', 'print one JSON object');
}

/** An option that is repeated. */
export function collect(value: string, all: string[] | undefined): string[] {
  return [...(all ?? []), value];
}
