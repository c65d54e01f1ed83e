// `discreet compare`: several noises side by side; with --paper, the paper's Table V beside the truth.

import type { Command } from 'commander';
import { outputDistances } from '../design/index.js';
import { invalid } from '../error/index.js';
import {
  divide,
  exactText,
  multiply,
  type Rational,
  rational,
  toDecimalUp,
  toNumberNear,
} from '../exact/index.js';
import { compile, guaranteeOf } from '../mechanism/index.js';
import { type Noise, specOf } from '../noise/index.js';
import { defaultCut, judge, paperEstimates } from '../paper/index.js';
import { jensenShannon, kullbackLeibler, outputOf, type Pmf } from '../pmf/index.js';
import { readDelta, readDistance, readEpsilon, readSteps, type Steps } from '../spec/index.js';
import { readNoise, readPrior } from './input.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { figure, finite, jsonFigure, jsonNumber, print, printJson, rough, tableText } from './output.js';

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

W, W₂ and W∞ are the p-Wasserstein distances of the output's distribution from the input's for p = 1, 2
and ∞, in data units; KL is KL(input ‖ output) and JS the Jensen-Shannon divergence, both in nats. They
compare distributions, not records: read E|θ| beside them.`,
  )
    .argument('[noises...]', 'the noises, each as family:key=value,…, table:file or a mechanism file')
    .requiredOption('--adjacency <m>', 'how far one record may move, in data units')
    .option('--step <step>', 'Δ, the distance of neighbouring values, such as 0.25 or 1/3', '1')
    .option('--epsilon <e>', 'for noise that is not pure, show δ at this ε (default: 1)')
    .option('--delta <d>', 'for noise that is not pure, show ε at this δ instead')
    .option('--prior <prior>', 'the distribution of the input, for W, W₂, W∞, KL and JS')
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
      step: jsonNumber(options.step),
      adjacency: jsonNumber(options.adjacency),
      prior: prior && { spec: prior.spec, cut: prior.cut },
      rows: rows.map(({ noise, property, utility, w, w2, wMost, kl, js, ...row }) => ({
        noise: specOf(noise),
        property,
        ...jsonFigure('epsilon', row.epsilon),
        ...jsonFigure('delta', row.delta),
        ...{ meanAbs: utility.meanAbs, std: utility.std, mean: utility.mean },
        ...{ w, w2, wInfinity: finite(wMost), kl: finite(kl), js },
      })),
    });
    return;
  }
  const cells = rows.map(({ noise, property, utility, w, w2, wMost, kl, js, ...row }) => [
    ...[specOf(noise), property, figure(row.epsilon), figure(row.delta)],
    ...[utility.meanAbs, utility.std, w, w2, wMost, kl, js].map(rough),
  ]);
  const notes = prior
    ? [`Input: ${prior.spec}${prior.cut ? ` (${prior.cut})` : ''}`]
    : ['W, W₂, W∞, KL and JS need --prior.'];
  print(
    tableText(['noise', 'property', 'ε', 'δ', 'E|θ|', 'std', 'W', 'W₂', 'W∞', 'KL', 'JS'], cells),
    '',
    ...notes,
  );
}

/** A claim of nothing: the integers as they are. */
const NOTHING = { epsilon: rational(0n), delta: rational(0n) };

function distances(
  input: Pmf | undefined,
  noise: Pmf,
): Record<'w' | 'w2' | 'wMost' | 'kl' | 'js', number | null> {
  if (!input) return { w: null, w2: null, wMost: null, kl: null, js: null };
  const output = outputOf(input, noise);
  const { one, two, infinity } = outputDistances(input, noise);
  return {
    w: one,
    w2: two,
    wMost: infinity,
    kl: kullbackLeibler(input, output),
    js: jensenShannon(input, output),
  };
}

function comparePaper(noises: Noise[], { adjacency }: Steps, options: Options): void {
  const rows = noises.flatMap((noise) => {
    const cut =
      options.paperCut === undefined ? defaultCut(noise) : readDistance(options.paperCut, 'paperCut');
    const guarantee = guaranteeOf(noise, adjacency);
    const judged = paperEstimates(noise, adjacency, cut).map((estimate) => judge(estimate, guarantee));
    return judged.map((row) => ({ noise, cut, guarantee, ...row }));
  });
  if (options.json) {
    printJson({
      step: jsonNumber(options.step),
      adjacency: jsonNumber(options.adjacency),
      rows: rows.map((row) => ({
        noise: specOf(row.noise),
        source: row.source,
        formula: row.formula,
        ...(row.noise.family === 'gaussian' ? { cut: exactText(row.cut) } : {}),
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
    ...[specOf(noise), noise.family === 'gaussian' ? `${source}, M = ${exactText(cut)}` : source],
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
  const times = (factor: bigint) => exactText(multiply(rational(factor), step));
  const rate = toDecimalUp(divide(rational(1n, 5n), step), 12);
  return [
    `gaussian:sigma=${times(10n)}`,
    `laplace:scale=${times(10n)}`,
    'staircase:width=5,ratio=0.5',
    `uniform:low=${times(-20n)},high=${times(20n)}`,
    `exponential:rate=${rate}`,
  ].map((text) => readNoise(text, step));
}
