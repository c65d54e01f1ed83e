// `discreet simulate`: what noise does to samples of a given size, run after run.

import type { Command } from 'commander';
import { invalid, wrong } from '../error/index.js';
import { rational, toNumberNear } from '../exact/index.js';
import { checkOutput } from '../files/index.js';
import { compile } from '../mechanism/index.js';
import { drawnOnce, histogram, lawOf, type Simulation, summarise } from '../paper/index.js';
import { barChart } from '../plot/index.js';
import { readDistance } from '../spec/index.js';
import { readMechanismFile, readNoise, readPrior, readWhole } from './input.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { print, printJson, rough, writeOutput } from './output.js';
import { simulateInParallel } from './parallel.js';
import { progressLine } from './progress.js';

type Options = Needed<'step' | 'runs' | 'seed'> &
  Maybe<'noise' | 'mechanism' | 'prior' | 'input' | 'records' | 'workers' | 'csv'> &
  Flags<'priorIsPublic' | 'force' | 'json'>;

export function add(program: Command): void {
  define(
    program,
    'simulate',
    'In each run records are drawn from the prior, or are those of the input, the same in every run, and each gets its own noise; the Wasserstein distance between the two samples is taken. The same seed gives the same runs, on any number of cores.',
    `Examples:
  discreet simulate --noise laplace:scale=7.5 --prior poisson:rate=5 --records 100 --runs 10000 --seed 1
  discreet simulate --mechanism mechanism.json --prior gaussian:sigma=10 --records 10000 --runs 1000
  discreet simulate --noise laplace:scale=7.5 --input gaussian:sigma=10 --records 100 --runs 2000
  discreet simulate --noise geometric:scale=5 --input column:visits.csv#visits --prior-is-public

Between samples W is larger on average than between the distributions: that bias is computed and shown.`,
  )
    .option('--noise <noise>', 'the noise, as family:key=value,…')
    .option('--mechanism <file>', 'or a mechanism file')
    .option('--prior <prior>', 'the distribution of the input, of which the records of each run are drawn')
    .option(
      '--input <input>',
      'or the same records in every run: a column as it is, or drawn once from a distribution',
    )
    .option('--prior-is-public', 'a prior or an input read from a column is public')
    .option('--step <step>', 'Δ, the distance of neighbouring values, such as 0.25 or 1/3', '1')
    .option('--records <n>', 'records in each run (default: 100, or all of a column)')
    .option('--runs <r>', 'runs', '100')
    .option('--seed <seed>', 'any text; the same one gives the same runs', '1')
    .option('--workers <k>', 'threads (default: all cores)')
    .option('--csv <file>', 'write the distance of every run')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON object')
    .action(run);
}

/** Bytes of the arrays of one run in one worker, and in all. */
const BYTES_A_RECORD = 12;
const MOST_BYTES = 4e9;

function checkMemory(records: number, runs: number): void {
  const bytes = records * BYTES_A_RECORD + runs * 8;
  if (bytes > MOST_BYTES)
    throw wrong(
      `{records} and {runs}: they would take about ${Math.round(bytes / 1e9).toLocaleString('en')} GB of memory for each core, more than ${MOST_BYTES / 1e9} GB; use fewer`,
    );
}

async function run(options: Options): Promise<void> {
  const step = readDistance(options.step, 'step');
  if ((options.prior === undefined) === (options.input === undefined))
    throw invalid('prior: expected a distribution to draw from, or an {input} that is held, and not both');
  const isColumn = options.input?.startsWith('column:') === true;
  if (isColumn && options.records !== undefined)
    throw invalid('records: a column is taken as it is, with all of its records; leave out {records}');
  const wanted = readWhole(options.records ?? '100', 'records');
  const runs = readWhole(options.runs, 'runs');
  checkMemory(wanted, runs);
  const workers = options.workers === undefined ? undefined : readWhole(options.workers, 'workers');
  if ((options.noise === undefined) === (options.mechanism === undefined))
    throw invalid('noise: expected a noise, as in laplace:scale=7.5, or a {mechanism} file, and not both');
  checkOutput(options.csv, options.force === true);
  const noise =
    options.mechanism !== undefined
      ? readMechanismFile(options.mechanism).pmf
      : compile(readNoise(options.noise!, step), 1, { epsilon: rational(0n), delta: rational(0n) }).pmf;
  if (noise.step.num * step.den !== step.num * noise.step.den)
    throw invalid(`step: the mechanism has the step ${toNumberNear(noise.step)}; say so with {step}`);
  const { seed } = options;
  const prior = readPrior({ ...options, prior: options.prior ?? options.input! }, step)!;
  const held = options.input !== undefined;
  const input = held && !isColumn ? drawnOnce(prior.pmf, wanted, seed) : prior.pmf;
  const records = isColumn ? Number(input.weights.reduce((sum, count) => sum + count)) : wanted;
  checkMemory(records, runs);
  const simulation: Simulation = { input, noise, records, runs, seed, held };
  // Before the runs: noise too wide for it is refused at once.
  const law = lawOf(simulation);
  const progress = progressLine();
  const started = performance.now();
  const distances = await simulateInParallel(simulation, workers, (done) =>
    progress.show(`${done} of ${runs} runs`),
  );
  progress.end();
  const spent = (performance.now() - started) / 1000;
  process.stderr.write(`${Number((runs / spent).toPrecision(3))} runs/s\n`);
  if (options.csv !== undefined) {
    const lines = Array.from(distances, (w, i) => `${i + 1},${w}`);
    writeOutput(options.csv, `run,w\n${lines.join('\n')}\n`, options.force === true);
  }
  const summary = summarise(distances);
  const bars = histogram(distances, Math.min(20, Math.max(1, runs)));
  if (options.json) {
    printJson({
      noise: options.noise ?? null,
      mechanism: options.mechanism ?? null,
      prior: held ? null : { spec: prior.spec, cut: prior.cut },
      input: held ? { spec: prior.spec, cut: prior.cut } : null,
      records,
      runs,
      seed,
      ...summary,
      population: law.population,
      expectation: law.expectation,
      histogram: bars,
    });
    return;
  }
  if (options.csv === '-') return;
  const width = Math.max(...bars.map(({ from }) => rough(Number(from.toPrecision(4))).length));
  print(
    `${runs} runs of ${records} records${held ? ', the same in each' : ''}, seed ${seed}`,
    `W between the samples   mean ${rough(summary.mean)} ± ${runs > 1 ? rough(Number(summary.standardError.toPrecision(2))) : '–'}, least ${rough(summary.least)}, largest ${rough(summary.largest)}`,
    `its expectation         ${rough(law.expectation)} at ${records} records`,
    `W of the distributions  ${rough(law.population)}`,
    barChart(
      bars.map(({ from, count }) => ({
        label: rough(Number(from.toPrecision(4))).padStart(width),
        value: count,
      })),
    ),
  );
}
