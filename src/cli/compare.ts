// `discreet compare`: several noises side by side; with --paper, the paper's Table V beside the truth.

import type { Command } from 'commander';
import { invalid } from '../error/index.js';
import {
  divide,
  multiply,
  type Rational,
  rational,
  toDecimal,
  toDecimalUp,
  toNumberNear,
} from '../exact/index.js';
import { compile, guaranteeOf } from '../mechanism/index.js';
import { type Noise, specOf } from '../noise/index.js';
import { defaultCut, judge, paperEstimates } from '../paper/index.js';
import { jensenShannon, kullbackLeibler, outputOf, type Pmf, wasserstein } from '../pmf/index.js';
import { readDelta, readEpsilon, readPositive, readSteps, type Steps } from '../spec/index.js';
import { readNoise, readPrior } from './input.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { figure, jsonFigure, print, printJson, rough, tableText } from './output.js';

type Options = Needed<'adjacency' | 'step'> &
  Maybe<'epsilon' | 'delta' | 'prior' | 'paperCut'> &
  Flags<'priorIsPublic' | 'paper' | 'json'>;

export function add(program: Command): void {
  define(
    program,
    'compare',
    'One row for each noise: property, exact ε and δ, error, and the distance of output from input.',
    `Examples:
  discreet compare laplace:scale=7.5 staircase:width=5,ratio=0.52 --adjacency 15 --prior poisson:rate=5
  discreet compare gaussian:sigma=20 geometric:scale=7.5 --adjacency 15 --delta 1e-6
  discreet compare --paper --adjacency 15

W is the Wasserstein distance of the output's distribution from the input's in data units, KL is
KL(input ‖ output) and JS the Jensen-Shannon divergence, both in nats. W compares distributions, not
records: read E|θ| beside it.`,
  )
    .argument('[noises...]', 'the noises, each as family:key=value,…, table:file or a mechanism file')
    .requiredOption('--adjacency <m>', 'how far one record may move, in data units')
    .option('--step <step>', 'Δ, the distance of neighbouring values', '1')
    .option('--epsilon <e>', 'for noise that is not pure, show δ at this ε (default: 1)')
    .option('--delta <d>', 'for noise that is not pure, show ε at this δ instead')
    .option('--prior <prior>', 'the distribution of the input, for W, KL and JS')
    .option('--prior-is-public', 'a prior read from a column is public')
    .option('--paper', "the paper's Table V: its figures, the exact ones and the verdict")
    .option('--paper-cut <M>', "the paper's constant M for Gaussian noise (default: 3σ)")
    .option('--json', 'print one JSON object')
    .action(compare);
}

function compare(texts: string[], options: Options): void {
  const lattice = readSteps(options);
  const noises = texts.map((text) => readNoise(text, lattice.step));
  if (options.paper) comparePaper(noises.length > 0 ? noises : examples(lattice), lattice, options);
  else if (noises.length === 0)
    throw invalid('compare: expected at least one noise, as in laplace:scale=7.5, or {paper}');
  else compareNoises(noises, lattice, options);
}

function compareNoises(noises: Noise[], { step, adjacency }: Steps, options: Options): void {
  const prior = readPrior(options, step);
  const delta = options.delta === undefined ? null : readDelta(options.delta);
  const epsilon = readEpsilon(options.epsilon ?? '1');
  const rows = noises.map((noise) => {
    const guarantee = guaranteeOf(noise, adjacency);
    const { pure, pmf } = guarantee;
    const stated = pure
      ? { epsilon: pure.epsilonUpper as Rational | null, delta: rational(0n) }
      : delta
        ? { epsilon: guarantee.epsilonAt(delta), delta }
        : { epsilon: epsilon as Rational | null, delta: guarantee.deltaAt(epsilon) };
    return {
      noise,
      property: pure ? 'pure' : 'approximate',
      ...stated,
      utility: guarantee.utility(),
      // On the lattice of the data, however wide the noise is.
      ...distances(prior?.pmf, prior && noise.outline ? compile(noise, adjacency, NOTHING).pmf : pmf),
    };
  });
  if (options.json) {
    printJson({
      step: Number(options.step),
      adjacency: Number(options.adjacency),
      prior: prior && { spec: prior.spec, cut: prior.cut },
      rows: rows.map(({ noise, property, utility, w, kl, js, ...row }) => ({
        noise: specOf(noise),
        property,
        ...jsonFigure('epsilon', row.epsilon),
        ...jsonFigure('delta', row.delta),
        ...{ meanAbs: utility.meanAbs, std: utility.std, mean: utility.mean },
        ...{ w, kl: kl === Infinity ? 'Infinity' : kl, js },
      })),
    });
    return;
  }
  const cells = rows.map(({ noise, property, utility, w, kl, js, ...row }) => [
    ...[specOf(noise), property, figure(row.epsilon), figure(row.delta)],
    ...[utility.meanAbs, utility.std, w, kl, js].map(rough),
  ]);
  const notes = prior
    ? [`Input: ${prior.spec}${prior.cut ? ` (${prior.cut})` : ''}`]
    : ['W, KL and JS need --prior.'];
  print(tableText(['noise', 'property', 'ε', 'δ', 'E|θ|', 'std', 'W', 'KL', 'JS'], cells), '', ...notes);
}

/** A claim of nothing: the integers as they are. */
const NOTHING = { epsilon: rational(0n), delta: rational(0n) };

function distances(input: Pmf | undefined, noise: Pmf): Record<'w' | 'kl' | 'js', number | null> {
  if (!input) return { w: null, kl: null, js: null };
  const output = outputOf(input, noise);
  const [w, kl, js] = [wasserstein, kullbackLeibler, jensenShannon].map((of) => of(input, output));
  return { w: w!, kl: kl!, js: js! };
}

function comparePaper(noises: Noise[], { adjacency }: Steps, options: Options): void {
  const rows = noises.flatMap((noise) => {
    const cut =
      options.paperCut === undefined ? defaultCut(noise) : readPositive(options.paperCut, 'paperCut');
    const guarantee = guaranteeOf(noise, adjacency);
    const judged = paperEstimates(noise, adjacency, cut).map((estimate) => judge(estimate, guarantee));
    return judged.map((row) => ({ noise, cut, guarantee, ...row }));
  });
  if (options.json) {
    printJson({
      step: Number(options.step),
      adjacency: Number(options.adjacency),
      rows: rows.map((row) => ({
        noise: specOf(row.noise),
        source: row.source,
        formula: row.formula,
        ...(row.noise.family === 'gaussian' ? { cut: toDecimal(row.cut) } : {}),
        epsilon: toNumberNear(row.epsilon.upper),
        delta: toNumberNear(row.delta.upper),
        ...jsonFigure('exactDelta', row.exactDelta),
        ...jsonFigure('exactPureEpsilon', row.guarantee.pure?.epsilonUpper ?? null),
        verdict: row.verdict,
      })),
    });
    return;
  }
  const cells = rows.map(({ noise, source, cut, epsilon, delta, guarantee, exactDelta, verdict }) => [
    ...[specOf(noise), noise.family === 'gaussian' ? `${source}, M = ${toDecimal(cut)}` : source],
    ...[epsilon, delta].map(({ upper }) => rough(toNumberNear(upper))),
    ...[guarantee.pure ? figure(guarantee.pure.epsilonUpper) : 'none', exactDelta ? figure(exactDelta) : '–'],
    verdict,
  ]);
  const header = ['noise', 'paper', 'its ε', 'its δ', 'exact pure ε', 'exact δ at its ε', 'verdict'];
  print(
    tableText(header, cells),
    '',
    `tight: exact; loose: safe but wasteful; unsound: promises more privacy than there is; undefined: no guarantee.`,
  );
}

/** The paper's five mechanisms at a scale that fits the step. */
function examples({ step }: Steps): Noise[] {
  const times = (factor: bigint) => toDecimal(multiply(rational(factor), step));
  const rate = toDecimalUp(divide(rational(1n, 5n), step), 12);
  return [
    `gaussian:sigma=${times(10n)}`,
    `laplace:scale=${times(10n)}`,
    'staircase:width=5,ratio=0.5',
    `uniform:low=${times(-20n)},high=${times(20n)}`,
    `exponential:rate=${rate}`,
  ].map((text) => readNoise(text, step));
}
