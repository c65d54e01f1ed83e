// `discreet account`: what many releases cost together.

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import {
  type Account,
  account,
  calibrateTotal,
  type Named,
  type PlanRelease,
  type Rule,
  readPlan,
  readReleases,
  timesWithin,
  tradeOff,
} from '../account/index.js';
import { invalid, isOurs, wrong } from '../error/index.js';
import { toNumberNear } from '../exact/index.js';
import { checkOutput } from '../files/index.js';
import { specOf } from '../noise/index.js';
import { picture, textTable } from '../plot/index.js';
import { parseFamily, readDelta, readEpsilon, readPositive, readSteps } from '../spec/index.js';
import { readMechanismFile, readTable, readText, readWhole } from './input.js';
import { define, type Flags, type Maybe } from './options.js';
import { print, printJson, writeOutput } from './output.js';
import { progressLine } from './progress.js';

type Options = Maybe<'adjacency' | 'step' | 'times' | 'of' | 'sampling' | 'group'> &
  Maybe<'delta' | 'epsilon' | 'svg' | 'calibrate'> &
  Flags<'json' | 'force'>;

export function add(program: Command): void {
  define(
    program,
    'account',
    'What any number of releases cost together: ε at a δ, or δ at an ε, from below and from above.',
    `Examples:
  discreet account "discrete-gaussian:sigma=10" --adjacency 1 --times 1000 --delta 1e-6
  discreet account plan.json --delta 1e-6 --svg profile.svg
  discreet account m1.json m2.json --times 12 --epsilon 3 --group 2 --json
  discreet account geometric:scale=20 --adjacency 1 --times 50 --epsilon 2 --delta 1e-6   (how often does it fit?)
  discreet account --calibrate discrete-gaussian --adjacency 1 --times 100 --epsilon 1 --delta 1e-6

A plan is {"releases": [{"noise": "geometric:scale=10", "adjacency": 1, "times": 12}, …]}, with "mechanism": a file
instead of "noise", and where wanted "name", "step", "of": "rows" or "counts", and "sampling".`,
  )
    .argument('[releases...]', 'noises as family:key=value,…, mechanism files, or a plan')
    .option('--adjacency <m>', 'how far one record may move, in data units (default: a mechanism’s own)')
    .option('--step <step>', 'Δ, the distance of neighbouring values (default: 1)')
    .option('--times <n>', 'how often each is released (default: 1)')
    .option('--of <what>', 'rows, each with noise of its own, or counts (default: rows)')
    .option('--sampling <q>', 'of counts: the probability that a record is in the secret sample')
    .option('--group <g>', 'for so many records or persons together (default: 1)')
    .option('--delta <d>', 'show ε at this δ')
    .option('--epsilon <e>', 'show δ at this ε; with --delta: how often all of it fits')
    .option('--calibrate <family>', 'the least noise of a family, with which all meets --epsilon and --delta')
    .option('--svg <file>', 'draw the profile, beside other rules')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run(given: readonly string[], options: Options): Promise<void> {
  const group = options.group === undefined ? 1 : readWhole(options.group, 'group');
  const delta = options.delta === undefined ? undefined : toNumberNear(readDelta(options.delta));
  const epsilon = options.epsilon === undefined ? undefined : toNumberNear(readEpsilon(options.epsilon));
  checkOutput(options.svg, options.force === true);
  if (given.length === 0 && options.calibrate === undefined)
    throw invalid('releases: expected noises, mechanism files or a plan, got none; see {help}');
  const fixed = given.flatMap((text) => releasesOf(text, options, group));
  const found =
    options.calibrate === undefined ? null : calibrated(fixed, options, { epsilon, delta }, group);
  const releases = found ? [...fixed, found.release] : fixed;
  if (delta === undefined && epsilon === undefined)
    throw invalid('delta: expected a δ, for the ε that it comes with, or an {epsilon}, for its δ');
  const result = account(releases, delta === undefined ? { epsilon, group } : { delta, group });
  const fits =
    delta !== undefined && epsilon !== undefined ? timesWithin(releases, epsilon, delta, group) : null;
  if (options.svg !== undefined) writeOutput(options.svg, await draw(result), options.force === true);
  if (options.json) printJson(toJson(releases, result, { group, fits, noise: found && specOf(found.noise) }));
  else
    print(
      toText(releases, result, {
        group,
        fits,
        noise: found && specOf(found.noise),
        delta,
        epsilon,
        svg: options.svg,
      }),
    );
}

/** A noise, a mechanism file or a plan. */
function releasesOf(text: string, options: Options, group: number): Named[] {
  const { adjacency, step, of, sampling } = options;
  const times = options.times === undefined ? undefined : readTimes(options.times);
  const files = { mechanism: readMechanismFile, table: readTable };
  const common = { adjacency, step, times, of, sampling } as Omit<PlanRelease, 'noise' | 'mechanism'>;
  if (!existsSync(text)) {
    if (/\.json$/i.test(text)) throw wrong(`${text}: there is no such file`);
    return readReleases([{ ...common, noise: text }], files, group);
  }
  const content = readText(text);
  if (!/"releases"\s*:/.test(content))
    return readReleases([{ ...common, mechanism: text, step: undefined }], files, group);
  for (const field of ['adjacency', 'step', 'of', 'sampling', 'times'] as const)
    if (options[field] !== undefined)
      throw invalid(`${field}: the plan ${text} says it for each release; leave it out`);
  try {
    return readPlan(content, files, group);
  } catch (error) {
    throw isOurs(error) && error.where === null ? error.in(text) : error;
  }
}

/** Counts may be large; 1e6 is one, too. */
function readTimes(text: string): number {
  const times = Number(text);
  if (!/^[+-]?\d/.test(text) || !Number.isSafeInteger(times) || times < 1)
    throw invalid(`times: expected a whole number from 1 on, got ${text}`);
  return times;
}

function calibrated(
  fixed: readonly Named[],
  options: Options,
  { epsilon, delta }: { readonly epsilon: number | undefined; readonly delta: number | undefined },
  group: number,
) {
  if (epsilon === undefined || delta === undefined || delta === 0)
    throw invalid('calibrate: expected {epsilon} and a {delta} above 0, which all together must meet');
  if (options.adjacency === undefined)
    throw invalid('adjacency: expected how far one record may move, got none');
  const { step, adjacency } = readSteps({ step: options.step ?? '1', adjacency: options.adjacency });
  const { family, values } = parseFamily(options.calibrate!);
  const line = progressLine();
  const of = options.of ?? 'rows';
  if (of !== 'rows' && of !== 'counts') throw invalid(`of: expected rows or counts, got ${of}`);
  try {
    return calibrateTotal(
      {
        ...{ family, values, step, adjacency, of },
        times: options.times === undefined ? 1 : readTimes(options.times),
        sampling:
          options.sampling === undefined ? null : toNumberNear(readPositive(options.sampling, 'sampling')),
      },
      fixed,
      { epsilon, delta },
      group,
      (trial) => line.show(`trying ${trial}`),
    );
  } finally {
    line.end();
  }
}

interface More {
  readonly group: number;
  readonly fits: number | null;
  readonly noise: string | null;
}

const RULES: readonly (readonly [Rule, string])[] = [
  ['basic', 'basic composition'],
  ['advanced', 'advanced composition'],
  ['zcdp', 'concentrated (zCDP)'],
  ['renyi', 'Rényi'],
  ['gdp', 'Gaussian (GDP)'],
];

function toJson(releases: readonly Named[], found: Account, { group, fits, noise }: More) {
  const { lower, upper, of, method, error, comparison, attacker, parameters } = found;
  return {
    of,
    lower: finite(lower),
    upper: finite(upper),
    method,
    error,
    comparison,
    attacker,
    parameters,
    ...(noise === null ? {} : { noise }),
    ...(fits === null ? {} : { fits }),
    group,
    releases: releases.map(({ name, adjacency, times, of: what, sampling }) => ({
      ...{ name, adjacencySteps: adjacency, times, of: what, sampling },
    })),
    tradeOff: tradeOff(found.total, 17),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function toText(
  releases: readonly Named[],
  found: Account,
  more: More & Pick<AccountTarget, 'delta' | 'epsilon'> & { readonly svg: string | undefined },
): string {
  const { upper, lower, of, attacker, comparison, parameters, error } = found;
  const { group, fits, noise, delta, epsilon, svg } = more;
  const many = releases.reduce((sum, { times }) => sum + times, 0);
  const symbol = of === 'epsilon' ? 'ε' : 'δ';
  const at = of === 'epsilon' ? `δ = ${delta}` : `ε = ${epsilon}`;
  const parts = [
    `${many} ${many === 1 ? 'release' : 'releases'}${group > 1 ? `, for a group of ${group}` : ''}, together at ${at}`,
    ...(noise === null ? [] : [`noise      ${noise}: the least that meets it`]),
    Number.isFinite(upper)
      ? `${symbol}          at most ${upwards(upper)}, at least ${downwards(lower)}`
      : `${symbol}          none: outputs that only one dataset can give are more likely than δ`,
    `attacker   guesses right at most ${percent(attacker.upper)} of the time, where a coin is right half the time`,
    ...(fits === null
      ? []
      : [
          fits === 0
            ? `budget     ε = ${epsilon}, δ = ${delta} does not suffice`
            : `budget     all of it fits ${fits === 1 ? 'once' : `${fits} times`} into ε = ${epsilon}, δ = ${delta}`,
        ]),
    '',
    textTable(
      ['rule', `${symbol} at ${at}`, 'times ours'],
      [
        ['this account', upwards(upper), ''],
        ...RULES.map(([rule, name]) => {
          const value = comparison[rule];
          return [
            name,
            value === null ? '–' : upwards(value),
            value === null || upper === 0 ? '–' : (value / upper).toPrecision(4),
          ];
        }),
      ],
    ),
    '',
    `zCDP ρ = ${upwards(parameters.rho)}, GDP μ = ${parameters.mu === null ? 'none' : upwards(parameters.mu)}`,
    `How: ${error}.`,
    ...(svg === undefined ? [] : [`The profile is in ${svg}`]),
  ];
  return parts.join('\n');
}

interface AccountTarget {
  readonly delta: number | undefined;
  readonly epsilon: number | undefined;
}

/** Seven digits, not below. */
function upwards(value: number): string {
  return rounded(value, 1);
}

function downwards(value: number): string {
  return rounded(value, -1);
}

function rounded(value: number, direction: 1 | -1): string {
  if (value === 0 || !Number.isFinite(value)) return value === 0 ? '0' : '∞';
  const digits = value.toPrecision(8);
  const off = Number(digits) - value;
  const nudged =
    off * direction >= 0
      ? Number(digits)
      : Number(digits) + direction * 10 ** (Math.floor(Math.log10(Math.abs(value))) - 7);
  return String(Number(nudged.toPrecision(8)));
}

function percent(share: number): string {
  return `${(Math.ceil(share * 1e4) / 1e2).toFixed(2)} %`;
}

/** δ against ε, ours and by other rules. */
async function draw({ total, others }: Account): Promise<string> {
  const { charts, document } = await picture();
  const least = total.epsilonAt(1e-12).upper;
  const most = Number.isFinite(least) ? Math.max(least, 1e-6) : 20;
  const epsilons = Array.from({ length: 48 }, (_, i) => (most * i) / 47);
  const curve = (name: string, deltaAt: (epsilon: number) => number | null) => ({
    name,
    points: epsilons.map((x) => ({ x, y: deltaAt(x) ?? Number.NaN })).filter(({ y }) => y > 1e-14 && y <= 1),
  });
  const series = [
    curve('ours', (x) => total.deltaAt(x).upper),
    ...RULES.filter(([rule]) => rule !== 'zcdp').map(([rule]) => curve(rule, others[rule].deltaAt)),
  ].filter(({ points }) => points.length > 1);
  return charts.lineChart(
    series,
    { title: 'What all releases cost together', x: 'ε', y: 'δ', logY: true, height: 420 },
    document,
  );
}
