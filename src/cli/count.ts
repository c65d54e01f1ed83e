// `discreet count`: noisy counts of every cell of a public domain.

import type { Command } from 'commander';
import { countRequest, type DomainOf } from '../door/index.js';
import { invalid } from '../error/index.js';
import { count, tryCount } from '../release/index.js';
import { parseCsv } from '../spec/index.js';
import {
  addCommonOptions,
  type CommonOptions,
  commonOptions,
  INPUT_MEANING,
  mapOf,
  perColumn,
} from './common-options.js';
import { collect } from './input.js';
import { onLedger } from './on-ledger.js';
import { define, type Flags, type Lists, type Maybe, type Needed } from './options.js';
import { showReleased } from './released.js';

type Options = CommonOptions &
  Needed<'epsilon' | 'by'> &
  Maybe<'delta' | 'counted' | 'other'> &
  Flags<'trim'> &
  Lists<'domain' | 'map'>;

export function add(program: Command): void {
  const command = define(
    program,
    'count',
    'A noisy count for every cell of the domain you state, empty ones included. The domain is never read from the data, and rows outside it are left out without a word.',
    `Examples:
  discreet count visits.csv --by region,year --domain region=N,S,E,W --domain year=2019..2024 --epsilon 1 -o counts.csv
  discreet count trips.parquet --by mode --domain mode=bus,tram,walk --epsilon 0.5 --per-person 3 --clamp 0,1000000 -o counts.csv --dataset trips

Neighbours differ by one person with up to --per-person rows: each cell gets noise for a change of one, at ε divided by the
rows. Counting by a column that the dataset's budget protects takes noise for twice as many changes, for a changed value
leaves one cell for another. A value matches where its text is the same; one with a comma is quoted: 'region="N, S",E'.`,
  )
    .argument('<input>', INPUT_MEANING)
    .requiredOption('--by <columns>', 'the columns to count by, separated by commas')
    .requiredOption(
      '--domain <column=values>',
      'all its values: region=N,S,E,W or year=2019..2024; repeat',
      collect,
    )
    .requiredOption('--epsilon <e>', 'ε for one person')
    .option('--delta <d>', 'δ for one person (default: 0)')
    .option('--counted <column>', 'rows are counted already: this column says how many each stands for')
    .option('--other <name>', 'a further cell of that name for all other values, empty ones too')
    .option('--trim', 'spaces around a value do not count')
    .option('--map <text=value>', "what a text counts as, as in 'N.=N'; repeat", collect)
    .option('--part <name>', 'the part of the dataset that this is')
    .option('--clamp <low,high>', 'afterwards, free of privacy cost: move into these bounds', collect)
    .option('--round-to <unit>', 'afterwards, free of privacy cost: round to multiples of this', collect);
  addCommonOptions(command).action((input: string, options: Options) =>
    run(input, { ...{ clamp: [], roundTo: [], domain: [], map: [] }, ...options }),
  );
}

async function run(address: string, options: Options): Promise<void> {
  const { epsilon, delta, counted, other, trim } = options;
  const request = countRequest({
    ...commonOptions(address, options),
    by: readDomains(options),
    ...{ epsilon, delta, counted, other, trim },
    map: mapOf(options.map),
  });
  await onLedger(
    options,
    request,
    (effects) => tryCount(request, effects),
    (effects) => count(request, effects),
    (done, effects) => showReleased(done, effects, options),
  );
}

function readDomains({ by, domain }: Options): Map<string, DomainOf> {
  const stated = perColumn(domain, 'domain', readValues, 'first');
  const columns = by.split(',').map((column) => column.trim());
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) throw invalid(`by: ${JSON.stringify(twice)} is named twice`);
  for (const column of stated.keys())
    if (column === null)
      throw invalid(
        `domain: expected column=values as in region=N,S, got ${domain.find((text) => !text.includes('='))}`,
      );
    else if (!columns.includes(column))
      throw invalid(`domain: ${JSON.stringify(column)} is not counted by; add it to {by}`);
  return new Map(
    columns.map((column) => {
      const values = stated.get(column);
      if (!values)
        throw invalid(
          `domain: expected all values that ${JSON.stringify(column)} may have, as in {domain} ${column}=a,b,c; they are not read from the data, for that would tell which occur`,
        );
      return [column, values];
    }),
  );
}

function readValues(text: string): DomainOf {
  const range = /^(-?\d{1,15})\.\.(-?\d{1,15})$/.exec(text);
  return range ? { from: Number(range[1]), to: Number(range[2]) } : (parseCsv(text)[0] ?? []);
}
