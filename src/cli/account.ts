// `discreet account`: what many releases cost together.

import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import {
  account,
  calibrateTotal,
  meets,
  moreWithin,
  type Named,
  type PlanRelease,
  profileOf,
  readPlan,
  readReleases,
  timesWithin,
} from '../account/index.js';
import { invalid, isOurs, wrong } from '../error/index.js';
import { toNumberNear } from '../exact/index.js';
import { checkOutput } from '../files/index.js';
import { families, specOf } from '../noise/index.js';
import { parseFamily, readDecimal, readDelta, readEpsilon, readSteps } from '../spec/index.js';
import { draw, toJson, toText } from './account-words.js';
import { readMechanismFile, readTable, readText, readWhole } from './input.js';
import { define, type Flags, type Maybe } from './options.js';
import { note, print, printJson, writeOutput } from './output.js';
import { progressLine } from './progress.js';

type Options = Maybe<'adjacency' | 'step' | 'times' | 'of' | 'sampling' | 'group'> &
  Maybe<'delta' | 'epsilon' | 'svg' | 'calibrate'> &
  Flags<'json' | 'force' | 'profile'>;

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

Rows have noise of their own each; the noise of a count is there once, however many records change it. A group is of
so many people, or of one person with so many rows. A secret sample is drawn afresh for every release, each record by
itself. More in docs/account.md. The ledger adds up by basic composition still.

A plan is {"releases": [{"noise": "geometric:scale=10", "adjacency": 1, "times": 12}, …]}, with "mechanism": a file
instead of "noise", and where wanted "name", "step", "of": "rows" or "counts", and "sampling".

With --calibrate, --adjacency, --times, --of and --sampling are those of the noise that is looked for; releases and
plans given beside it are fixed.`,
  )
    .argument('[releases...]', 'noises as family:key=value,…, mechanism files, or a plan')
    .option(
      '--adjacency <m>',
      'how far one record may move a value or a count, in data units; a mechanism file has its own',
      once('adjacency'),
    )
    .option(
      '--step <step>',
      'Δ, the distance of neighbouring values, such as 0.25 or 1/3 (default: 1)',
      once('step'),
    )
    .option('--times <n>', 'how often each is released (default: 1)', once('times'))
    .option('--of <what>', 'rows, each with noise of its own, or counts (default: rows)', once('of'))
    .option(
      '--sampling <q>',
      'of counts: the probability that a record is in the secret sample',
      once('sampling'),
    )
    .option('--group <g>', 'for so many records or persons together (default: 1)', once('group'))
    .option('--delta <d>', 'show ε at this δ', once('delta'))
    .option('--epsilon <e>', 'show δ at this ε; with --delta: how often all of it fits', once('epsilon'))
    .option(
      '--calibrate <family>',
      'the least noise of a family, with which all meets --epsilon and --delta',
      once('calibrate'),
    )
    .option('--svg <file>', 'draw the profile, beside other rules', once('svg'))
    .option('--profile', 'with --json: δ at many ε, and the trade-off curve, which takes longer')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON object')
    .action(run);
}

/** An option that is given twice means two things: releases that differ are a plan. */
function once(field: string) {
  return (value: string, before: string | undefined): string => {
    if (before !== undefined) throw invalid(`${field}: given twice; for releases that differ, write a plan`);
    return value;
  };
}

async function run(given: readonly string[], options: Options): Promise<void> {
  const group = options.group === undefined ? 1 : readWhole(options.group, 'group');
  const delta = options.delta === undefined ? undefined : toNumberNear(readDelta(options.delta));
  const epsilon = options.epsilon === undefined ? undefined : toNumberNear(readEpsilon(options.epsilon));
  checkOutput(options.svg, options.force === true);
  if (options.svg !== undefined && /\.(?:png|jpe?g|gif|webp|pdf)$/i.test(options.svg))
    throw invalid(
      `svg: expected a name that ends with .svg, got ${options.svg}; other programs turn SVG into that`,
    );
  if (given.length === 0 && options.calibrate === undefined)
    throw invalid(
      'releases: expected noises, mechanism files or a plan, got none; see discreet account --help',
    );
  const fixed = releasesOf(given, options, group);
  if (group > 1 && options.of === undefined && fixed.some(({ of }) => of === 'rows'))
    note(
      'releases of which nothing else is said are taken for rows; a count moves by all of a group at once: --of counts, or "of": "counts" in a plan',
    );
  const found =
    options.calibrate === undefined ? null : calibrated(fixed, options, { epsilon, delta }, group);
  const releases = found ? [...fixed, found.release] : fixed;
  if (delta === undefined && epsilon === undefined)
    throw invalid('delta: expected a δ, for the ε that it comes with, or an {epsilon}, for its δ');
  const total = account(releases, delta === undefined ? { epsilon, group } : { delta, group });
  const both = delta !== undefined && epsilon !== undefined;
  // Where δ at this ε is small enough, so is this ε at the δ.
  const enough = both && (total.upper <= epsilon || meets(releases, epsilon, delta, group));
  const result = enough && total.upper > epsilon ? { ...total, upper: epsilon } : total;
  const fits = both ? (enough ? Math.max(1, timesWithin(releases, epsilon, delta, group)) : 0) : null;
  const more = enough ? releases.map((_, i) => moreWithin(releases, i, epsilon, delta, group)) : null;
  // One noise that does not fit so often fits less often.
  const [only] = releases.length === 1 ? releases : [];
  const fewer = fits === 0 && only ? timesWithin([{ ...only, times: 1 }], epsilon!, delta!, group) : null;
  if (fits === 0) process.exitCode = 3;
  if (options.profile === true && options.json !== true)
    throw invalid('profile: goes with {json}; --svg draws it');
  const profile = options.profile === true || options.svg !== undefined ? profileOf(result) : null;
  const noise = found && specOf(found.noise);
  const shown = { group, fits, fewer, more, noise, delta, epsilon, svg: options.svg, profile };
  if (options.svg !== undefined)
    writeOutput(options.svg, draw(result, releases, shown), options.force === true);
  if (options.json) printJson(toJson(releases, result, shown));
  else print(toText(releases, result, shown));
}

/** Noises, mechanism files and plans, in this order of what is tried. */
function releasesOf(given: readonly string[], options: Options, group: number): Named[] {
  const kinds = given.map((text) => ({ text, kind: kindOf(text) }));
  const own = ['adjacency', 'step', 'of', 'sampling', 'times'] as const;
  // What is said beside plans alone is for the noise that is looked for, if any.
  if (kinds.length > 0 && kinds.every(({ kind }) => kind === 'plan') && options.calibrate === undefined)
    for (const field of own)
      if (options[field] !== undefined)
        throw invalid(`${field}: the plan says it for each release; leave it out`);
  const onlyFiles = kinds.every(({ kind }) => kind !== 'noise') && options.calibrate === undefined;
  for (const field of ['step', 'adjacency'] as const)
    if (onlyFiles && options[field] !== undefined)
      throw invalid(
        `${field}: a mechanism file has its own; leave it out${field === 'step' ? '' : ', or write a plan with "adjacency" beside "mechanism"'}`,
      );
  const { adjacency, step, of, sampling } = options;
  const times = options.times === undefined ? undefined : readTimes(options.times);
  const common = { times, of, sampling } as Omit<PlanRelease, 'noise' | 'mechanism'>;
  return kinds.flatMap(({ text, kind }) => {
    const files = { mechanism: readMechanismFile, table: readTable };
    if (kind === 'noise') return readReleases([{ ...common, adjacency, step, noise: text }], files, group);
    // The adjacency is that of the noises: a file has its own.
    if (kind === 'mechanism') return readReleases([{ ...common, mechanism: text }], files, group);
    const beside = (path: string) => readMechanismFile(isAbsolute(path) ? path : join(dirname(text), path));
    try {
      return readPlan(readText(text), { ...files, mechanism: beside }, group);
    } catch (error) {
      throw isOurs(error) ? error.in(error.where === null ? text : `${text}, ${error.where}`) : error;
    }
  });
}

function kindOf(text: string): 'noise' | 'mechanism' | 'plan' {
  if (existsSync(text))
    return /"format"\s*:\s*"discreet\/mechanism/.test(readText(text)) ? 'mechanism' : 'plan';
  const isNoise = text.includes(':') || families.some(({ name }) => name === text);
  if (!isNoise || /\.json$/i.test(text))
    throw wrong(`${text}: there is no such file, and no noise of that name`);
  return 'noise';
}

/** Counts may be large; 1e6 is one, too. */
function readTimes(text: string): number {
  const times = Number(text);
  if (!/^[+-]?\d+(?:\.\d+)?(?:e\d+)?$/i.test(text) || !Number.isSafeInteger(times) || times < 1)
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
    throw invalid(
      'adjacency: expected how far one record may move what the noise is for that is looked for, got none',
    );
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
          options.sampling === undefined ? null : toNumberNear(readDecimal(options.sampling, 'sampling')),
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
