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
    .option(
      '--epsilon <[column=]e>',
      'or make the noise now: ε for one person, all rows and all columns made now together; repeat for shares by column',
      collect,
    )
    .option('--adjacency <m>', 'how far one record may move, in data units (default: the budget’s)')
    .option('--delta <[column=]d>', 'δ of noise made now, likewise for one person (default: 0)', collect)
    .option('--step <step>', 'Δ of noise made now: values are rounded to multiples of it (default: 1)')
    .option('--prior <prior>', 'what is publicly known of the data; the noise is the best for it')
    .option('--prior-is-public', 'a prior read from a column of another file is public')
    .option('--family <family>', 'noise of this family instead of the optimum')
    .option(
      '--allow-bias',
      'the very optimum, whose mean need not be 0; without it, noise made now is unbiased',
    )
    .option('--skip-invalid', 'empty cells that are no numbers at all; which they were is not protected')
    .option(
      '--pass <column>',
      'let a column leave as it is that was protected before, is nested or is computed; recorded; repeat',
      collect,
    )
    .option('--snap', 'does nothing: every number is rounded to the nearest multiple of the step, halves up')
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
  discreet release trips.csv --column visits --column trips --epsilon visits=0.7 --epsilon trips=0.3 -o released.csv --dataset trips
  discreet release postgres://me@host/db --table trips --column visits --epsilon 1 -o postgres://me@host/db --output-table trips_released --dataset trips
  cat visits.csv | discreet release - --input-format csv --column visits --mechanism m.json -o - --dataset visits > out.csv
  discreet release visits.csv --column visits --epsilon 1 --adjacency 5 -o released.csv --dry-run

ε is what one person spends in all: every value of theirs gets an equal share, over the columns for which noise is made now and
over their rows (--per-person). Mechanism files cost what they cost, on top. Rounding comes before clamping. Presence, NULLs,
row order and all other columns are not protected; those that leave as they are, are listed. Passwords come from PGPASSWORD or .pgpass.`,
  );
  command.action((input: string, options: ReleaseOptions) => runRelease(input, { ...NONE, ...options }));
}
