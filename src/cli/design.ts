// `discreet design`: the least harmful noise for a target, proved private and proved optimal.

import type { Command } from 'commander';
import { clamped, parseObjective } from '../design/index.js';
import { invalid } from '../error/index.js';
import { divide, exactText, isInteger, parseRational, type Rational, toNumberUp } from '../exact/index.js';
import { writeMechanism } from '../mechanism/index.js';
import { readDelta, readGap, readPositiveEpsilon, readSteps } from '../spec/index.js';
import { draw } from './design-picture.js';
import { designInThread } from './design-thread.js';
import { type Designed, json, text } from './design-words.js';
import { readPrior } from './input.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { checkDocuments, print, printJson, writeOutput } from './output.js';
import { progressLine } from './progress.js';

type Options = Needed<'adjacency' | 'step' | 'epsilon' | 'delta'> &
  Maybe<'prior' | 'objective' | 'clamp' | 'gap' | 'output' | 'svg'> &
  Flags<'priorIsPublic' | 'unbiased' | 'symmetric' | 'force' | 'json'> & { readonly alternatives: boolean };

export function add(program: Command): void {
  define(
    program,
    'design',
    'Among all noise with the asked guarantee, the one that hurts the least: certified in integers, with a proved lower bound on what any other could reach.',
    `Examples:
  discreet design --epsilon 1 --adjacency 5
  discreet design --epsilon 2 --adjacency 15 --prior poisson:rate=5 -o mechanism.json
  discreet design --epsilon 1 --delta 1e-6 --adjacency 5
  discreet design --epsilon 1 --adjacency 5 --prior poisson:rate=3 --clamp 0,50 --svg design.svg
  discreet design --epsilon 1 --adjacency 5 --prior poisson:rate=3 --objective wasserstein,magnitude=0.1
  discreet design --epsilon 1 --adjacency 5 --prior poisson:rate=3 --objective kl

W, W₂ and W∞ (p-Wasserstein), KL and JS compare the distributions of output and input, not records: read E|θ|
beside them. KL the other way round is infinite: noise goes where the input has nothing. KL and JS are for pure ε,
and not mixed with W. A prior taken from the
data that is to be protected leaks it; name one that is public.
The gap says how far the value may be from the least possible. By default a design stops after an amount of work that
takes some ten seconds; --gap goes on, and Ctrl-C takes the best so far, certified like any other.`,
  )
    .requiredOption('--epsilon <e>', 'the ε to meet')
    .requiredOption('--adjacency <m>', 'how far one record may move, in data units')
    .option('--delta <d>', 'the δ to meet', '0')
    .option('--step <step>', 'Δ, the distance of neighbouring values, such as 0.25 or 1/3', '1')
    .option('--prior <prior>', 'what is publicly known of the data: its distribution')
    .option('--prior-is-public', 'a prior read from a column is public')
    .option(
      '--objective <goal>',
      'wasserstein, kl (KL(input ‖ output)), js (Jensen-Shannon), magnitude (E|θ|), variance (E θ²), tail:t (P(|θ| > t)), or a mix (default: wasserstein with a prior, else magnitude)',
    )
    .option('--unbiased', 'only noise with E θ = 0')
    .option('--symmetric', 'only noise with p(k) = p(−k)')
    .option(
      '--gap <relative>',
      'go on until the value is proved within this part of the least possible (default: 1e-6, or what some ten seconds of work give)',
    )
    .option('--clamp <low,high>', 'report what clamping the output to these bounds gives')
    .option('--no-alternatives', 'leave out the comparison with other noise')
    .option('-o, --output <file>', 'write the mechanism, claim included, to this file')
    .option('--svg <file>', 'draw input, noise and output')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run(options: Options): Promise<void> {
  const { step, adjacency } = readSteps(options);
  const target = {
    epsilon: readPositiveEpsilon(options.epsilon),
    delta: readDelta(options.delta),
    adjacency,
  };
  const prior = readPrior(options, step);
  const objective = parseObjective(options.objective ?? (prior ? 'wasserstein' : 'magnitude'), step);
  const bounds = options.clamp === undefined ? null : readClamp(options.clamp, step);
  if (bounds && !prior)
    throw invalid('clamp: what clamping gives depends on the data; give its distribution with {prior}');
  checkDocuments([options.output, options.svg], options.force === true, options.json === true);
  const wanted = {
    objective,
    prior,
    unbiased: options.unbiased === true,
    symmetric: options.symmetric === true,
    ...(options.gap === undefined ? {} : { gap: readGap(options.gap) }),
  };
  const progress = progressLine(' (Ctrl-C: take the best so far)');
  const { found, others, taken, wasStopped } = await designInThread(
    { target, wanted, step, withAlternatives: options.alternatives },
    progress.show,
  );
  progress.end();
  const { mechanism } = found;
  if (options.svg !== undefined)
    writeOutput(options.svg, draw(mechanism.pmf, prior?.pmf ?? null), options.force === true);
  if (options.output !== undefined)
    writeOutput(options.output, writeMechanism(mechanism), options.force === true);
  const designed: Designed = {
    options,
    found,
    wanted,
    others,
    wasStopped,
    afterClamp: bounds && clamped(prior!.pmf, mechanism.pmf, bounds.low, bounds.high),
  };
  process.stderr.write(`solved in ${(taken / 1000).toPrecision(3)} s\n`);
  if (options.json) printJson(json(designed));
  else if (options.output !== '-' && options.svg !== '-') print(text(designed));
}

const WIDEST_CLAMP = 5_000_000;

/** Two lattice values, low,high. */
function readClamp(text: string, step: Rational): { low: number; high: number } {
  const parts = text.split(',');
  if (parts.length !== 2) throw invalid(`clamp: expected low,high as in 0,100, got ${text}`);
  const [low, high] = parts.map((part) => {
    const index = divide(parseRational(part, 'clamp'), step);
    if (!isInteger(index))
      throw invalid(`clamp: expected multiples of the step ${exactText(step)}, got ${part}`);
    return toNumberUp(index);
  }) as [number, number];
  if (low >= high) throw invalid(`clamp: expected low below high, got ${text}`);
  if (!(high - low <= WIDEST_CLAMP && Math.abs(low) <= WIDEST_CLAMP))
    throw invalid(`clamp: expected bounds within ${WIDEST_CLAMP} steps, got ${text}`);
  return { low, high };
}
