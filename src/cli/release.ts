// `discreet release`: a copy of the data with protected columns, a ledger entry, and a report.

import type { Command } from 'commander';
import { addCommonOptions, collect, NONE, type ReleaseOptions } from './release-options.js';
import { runRelease } from './release-run.js';

export function addRelease(program: Command): void {
  const command = program
    .command('release')
    .summary('release data: protected columns, a ledger entry, a report')
    .description(
      'Copies a file or table and adds certified noise to the named columns, each value on its own. What it costs is in the ledger before the first noisy byte leaves.',
    )
    .argument('<input>', 'a CSV, TSV, Parquet or JSON lines file, - for standard input, or postgres://…')
    .option(
      '--column <name[=mechanism]>',
      'a column to protect, with a mechanism file of its own if it needs one; repeat for several',
      collect,
    )
    .option('--mechanism <file>', 'the mechanism for all columns that name none')
    .option('--epsilon <e>', 'or make the mechanism now: its ε, for each column')
    .option('--adjacency <m>', 'how far one record may move, in data units (default: the budget’s)')
    .option('--delta <d>', 'δ of a mechanism made now (default: 0)')
    .option('--step <step>', 'Δ of a mechanism made now: all values are multiples of it (default: 1)')
    .option('--prior <prior>', 'what is publicly known of the data; the noise is the best for it')
    .option('--prior-is-public', 'a prior read from a column of another file is public')
    .option('--family <family>', 'noise of this family instead of the optimum')
    .option('--snap', 'round values to the lattice first, halves up')
    .option('--skip-invalid', 'empty cells that cannot be released, which tells which they were')
    .option(
      '--person <column>',
      'count the rows of each person by this column, and refuse more than --per-person',
    )
    .option(
      '--part <name>',
      'the part of the dataset that this is; parts declared in the budget cost in parallel',
    )
    .option(
      '--clamp <[column=]low,high>',
      'afterwards, free of privacy cost: move values into these bounds; repeat',
      collect,
    )
    .option(
      '--round-to <[column=]unit>',
      'afterwards, free of privacy cost: round to multiples of this; repeat',
      collect,
    )
    .option('--report <file.html>', 'a report for the auditor; its figures go beside it as JSON')
    .option('--seed <seed>', 'refused: seeded noise protects nobody');
  addCommonOptions(command).addHelpText(
    'after',
    `
Examples:
  discreet release visits.csv --column visits --epsilon 1 --adjacency 5 -o released.csv --report report.html
  discreet release visits.csv --column visits --mechanism mechanism.json -o released.parquet
  discreet release trips.csv --column visits=v.json --column trips=t.json -o released.csv --dataset trips
  discreet release postgres://me@host/db --table trips --column visits --epsilon 1 -o postgres://me@host/db --output-table trips_released --dataset trips
  cat visits.csv | discreet release - --input-format csv --column visits --mechanism m.json -o - --dataset visits > out.csv
  discreet release visits.csv --column visits --epsilon 1 --adjacency 5 -o released.csv --dry-run

Each row gets noise of its own, so a release costs each record ε once. Columns of one row add up, and so do the rows of
one person (--per-person). Rounding comes before clamping. Presence, NULLs, row order and all other columns are not protected.
Passwords come from PGPASSWORD or .pgpass.`,
  );
  command.action((input: string, options: ReleaseOptions) => runRelease(input, { ...NONE, ...options }));
}
