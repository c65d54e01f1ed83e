// `discreet count`: noisy counts of every cell of a public domain.

import type { Command } from 'commander';
import { runCount } from './count-run.js';
import { addCommonOptions, type CommonOptions, collect } from './release-options.js';

export interface CountOptions extends CommonOptions {
  readonly epsilon: string;
  readonly delta?: string;
  readonly by: string;
  readonly domain: readonly string[];
}

export function addCount(program: Command): void {
  const command = program
    .command('count')
    .summary('count rows by public domains, with noise in every cell')
    .description(
      'A noisy count for every cell of the domain you state, empty ones included. The domain is never read from the data, and rows outside it are left out without a word.',
    )
    .argument('<input>', 'a CSV, TSV, Parquet or JSON lines file, - for standard input, or postgres://…')
    .requiredOption('--by <columns>', 'the columns to count by, separated by commas')
    .requiredOption(
      '--domain <column=values>',
      'all values that a column may have: region=N,S,E,W or year=2019..2024; repeat for each column',
      collect,
    )
    .requiredOption('--epsilon <e>', 'ε for one person')
    .option('--delta <d>', 'δ for one person (default: 0)')
    .option(
      '--person <column>',
      'count the rows of each person by this column, and refuse more than --per-person',
    )
    .option('--part <name>', 'the part of the dataset that this is')
    .option('--clamp <low,high>', 'afterwards, free of privacy cost: move counts into these bounds', collect)
    .option('--round-to <unit>', 'afterwards, free of privacy cost: round to multiples of this', collect)
    .option('--report <file.html>', 'a report for the auditor; its figures go beside it as JSON')
    .option('--seed <seed>', 'refused: seeded noise protects nobody');
  addCommonOptions(command).addHelpText(
    'after',
    `
Examples:
  discreet count visits.csv --by region,year --domain region=N,S,E,W --domain year=2019..2024 --epsilon 1 -o counts.csv
  discreet count trips.parquet --by mode --domain mode=bus,tram,walk --epsilon 0.5 --per-person 3 --clamp 0,1000000 -o counts.csv --dataset trips

Neighbours differ by one person with up to --per-person rows: each cell gets noise for a change of one, at ε divided by the
rows. Counting by a column that the dataset's budget protects takes noise for twice as many changes, for a changed value
leaves one cell for another. A value matches where its text is the same; one with a comma is quoted: 'region="N, S",E'.`,
  );
  command.action((input: string, options: CountOptions) =>
    runCount(input, { ...{ clamp: [], roundTo: [], domain: [] }, ...options }),
  );
}
