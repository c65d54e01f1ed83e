// `discreet count`: noisy counts of every cell of a public domain.

import type { Command } from 'commander';
import { invalid } from '../error/index.js';
import {
  type CountRequest,
  checkPaths,
  count,
  countColumn,
  type Domain,
  tryCount,
} from '../release/index.js';
import { readDelta, readPositiveEpsilon } from '../spec/index.js';
import {
  addCommonOptions,
  type CommonOptions,
  INPUT_MEANING,
  onLedger,
  readAfterwards,
  readRequest,
} from './common-options.js';
import { parseCsv } from './csv.js';
import { collect } from './input.js';
import { showReleased, showTrial } from './released.js';

interface Options extends CommonOptions {
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
    .argument('<input>', INPUT_MEANING)
    .requiredOption('--by <columns>', 'the columns to count by, separated by commas')
    .requiredOption(
      '--domain <column=values>',
      'all values that a column may have: region=N,S,E,W or year=2019..2024; repeat for each column',
      collect,
    )
    .requiredOption('--epsilon <e>', 'ε for one person')
    .option('--delta <d>', 'δ for one person (default: 0)')
    .option('--part <name>', 'the part of the dataset that this is')
    .option('--clamp <low,high>', 'afterwards, free of privacy cost: move counts into these bounds', collect)
    .option('--round-to <unit>', 'afterwards, free of privacy cost: round to multiples of this', collect);
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
  command.action((input: string, options: Options) =>
    run(input, { ...{ clamp: [], roundTo: [], domain: [] }, ...options }),
  );
}

async function run(address: string, options: Options): Promise<void> {
  const { reports, ...common } = readRequest(address, options);
  const request: CountRequest = {
    ...common,
    reads: [],
    by: readDomains(options),
    epsilon: readPositiveEpsilon(options.epsilon),
    delta: readDelta(options.delta ?? '0'),
    ...readAfterwards(options, [countColumn])(countColumn),
  };
  const own = [common.input.path, common.output.path].map((path) => (path === null ? [] : [path]));
  await onLedger(options, (ledger) => checkPaths(own[0]!, [...own[1]!, ...common.writes], ledger), {
    attempt: (effects) => tryCount(request, effects),
    showTrial: (trial, ledger) => showTrial(trial, ledger, options),
    run: (effects) => count(request, effects),
    show: (released, effects) => showReleased(released, effects, options, reports),
  });
}

const LARGEST_RANGE = 10_000_000;

function readDomains({ by, domain }: Options): Domain[] {
  const stated = new Map<string, Domain>();
  for (const text of domain) {
    const at = text.indexOf('=');
    if (at < 1)
      throw invalid('domain', `expected column=values as in region=N,S or year=2019..2024, got ${text}`);
    const column = text.slice(0, at);
    if (stated.has(column)) throw invalid('domain', `given twice for ${JSON.stringify(column)}`);
    stated.set(column, { column, ...readValues(text.slice(at + 1), column) });
  }
  const columns = by.split(',').map((column) => column.trim());
  const unused = [...stated.keys()].find((column) => !columns.includes(column));
  if (unused !== undefined)
    throw invalid('domain', `${JSON.stringify(unused)} is not counted by`, 'add it to {by}');
  return columns.map((column, i) => {
    if (columns.indexOf(column) !== i) throw invalid('by', `${JSON.stringify(column)} is named twice`);
    const found = stated.get(column);
    if (!found)
      throw invalid(
        'domain',
        `expected all values that ${JSON.stringify(column)} may have, as in {domain} ${column}=a,b,c`,
        'they are not read from the data, for that would tell which occur',
      );
    return found;
  });
}

function readValues(text: string, column: string): { values: string[]; isRange: boolean } {
  const field = `domain: ${column}`;
  const range = /^(-?\d{1,15})\.\.(-?\d{1,15})$/.exec(text);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    if (to < from || to - from >= LARGEST_RANGE)
      throw invalid(field, `expected a range upward of at most ${LARGEST_RANGE} values, got ${text}`);
    return { values: Array.from({ length: to - from + 1 }, (_, i) => String(from + i)), isRange: true };
  }
  const values = parseCsv(text)[0] ?? [];
  if (values.length === 0 || (values.length === 1 && values[0] === ''))
    throw invalid(field, `expected the values that it may have, as in ${column}=a,b,c`);
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw invalid(field, `${JSON.stringify(twice)} is named twice`);
  return { values, isRange: false };
}
