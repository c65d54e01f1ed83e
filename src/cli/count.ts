// `discreet count`: noisy counts of every cell of a public domain.

import type { Command } from 'commander';
import { countRequest, type DomainOf } from '../door/index.js';
import { invalid, quote } from '../error/index.js';
import { count, tryCount } from '../release/index.js';
import {
  addCommonOptions,
  type CommonOptions,
  commonOptions,
  INPUT_MEANING,
  mapOf,
} from './common-options.js';
import { readValues } from './domain-text.js';
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
      'all its values: region=N,S,E,W, year=2019..2024 or month=2026-01..2026-12; repeat',
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
  const columns = by.split(',').map((column) => column.trim());
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) throw invalid(`by: ${quote(twice)} is named twice`);
  const stated = new Map<string, DomainOf>();
  for (const text of domain) {
    const column = columnOf(text, columns);
    if (stated.has(column)) throw invalid(`domain: given twice for ${quote(column)}`);
    stated.set(column, readValues(text.slice(column.length + 1), `domain ${column}`));
  }
  return new Map(
    columns.map((column) => {
      const values = stated.get(column);
      if (!values)
        throw invalid(
          `domain: expected all values that ${quote(column)} may have, as in {domain} ${column}=a,b,c; they are not read from the data, for that would tell which occur`,
        );
      return [column, values];
    }),
  );
}

/** The column before an equals sign: a name may hold one, and so may a value. */
function columnOf(text: string, columns: readonly string[]): string {
  const found = columns.filter((column) => text.startsWith(`${column}=`));
  if (found.length > 0) return found.reduce((a, b) => (b.length > a.length ? b : a));
  const at = text.indexOf('=');
  throw at < 0
    ? invalid(`domain: expected column=values as in region=N,S, got ${text}`)
    : invalid(`domain: ${quote(text.slice(0, at))} is not counted by; add it to {by}`);
}
