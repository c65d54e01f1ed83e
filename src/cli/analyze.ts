// `discreet analyze`: what privacy a noise gives, exactly, beside what the paper says of it.

import type { Command } from 'commander';
import { invalid } from '../error/index.js';
import { exactText, type Rational, rational, toNumberNear } from '../exact/index.js';
import { type BeforeAndAfter, beforeAndAfter, type Guarantee, guaranteeOf } from '../mechanism/index.js';
import { specOf } from '../noise/index.js';
import { defaultCut, type Judgement, judge, paperEstimates } from '../paper/index.js';
import { massChart } from '../plot/index.js';
import { readDelta, readDistance, readEpsilon, readSteps } from '../spec/index.js';
import { continuousJson, continuousText } from './continuous-words.js';
import { collect, readNoise } from './input.js';
import { define, type Flags, type Lists, type Maybe, type Needed } from './options.js';
import {
  figure,
  inUnits,
  jsonFigure,
  jsonNumber,
  jsonWitness,
  print,
  printJson,
  quantileWords,
  rough,
  tableText,
} from './output.js';
import { vectorJson, vectorText } from './vector-words.js';

type Options = Needed<'adjacency' | 'step'> &
  Maybe<'paperCut'> &
  Flags<'json' | 'continuous'> &
  Lists<'epsilon' | 'delta'>;

export function add(program: Command): void {
  define(
    program,
    'analyze',
    'The exact privacy of a noise: its pure ε or why there is none, its profile δ(ε), its error.',
    `Examples:
  discreet analyze laplace:scale=7.5 --adjacency 15
  discreet analyze gaussian:sigma=10 --adjacency 15 --epsilon 3.68 --paper-cut 30
  discreet analyze uniform:low=-10,high=10 --step 0.5 --adjacency 3 --json
  discreet analyze table:noise.csv --adjacency 2 --delta 1e-6
  discreet analyze mechanism.json --adjacency 5 --epsilon 1
  discreet analyze gaussian:sigma=10 --adjacency 15 --epsilon 1 --continuous
  discreet analyze laplace:scale=7.5 geometric:scale=5 --adjacency 15`,
  )
    .argument(
      '<noises...>',
      'the noise, as family:key=value,…, table:file or a mechanism file; several are those of the coordinates of a vector',
    )
    .requiredOption('--adjacency <m>', 'how far one record may move, in data units')
    .option('--step <step>', 'Δ, the distance of neighbouring values, such as 0.25 or 1/3', '1')
    .option('--epsilon <e>', 'show δ at this ε (repeat for several)', collect, [])
    .option('--delta <d>', 'show ε at this δ (repeat for several)', collect, [])
    .option('--paper-cut <M>', "the paper's constant M for Gaussian noise (default: 3σ)")
    .option('--continuous', 'also the density the noise comes from, and finer lattices')
    .option('--json', 'print one JSON object')
    .action(analyze);
}

function analyze(texts: string[], options: Options): void {
  const { step, adjacency } = readSteps(options);
  const noises = texts.map((text) => readNoise(text, step));
  const epsilons = options.epsilon.map((value) => readEpsilon(value));
  const deltas = options.delta.map((value) => readDelta(value));
  if (noises.length > 1) {
    for (const field of ['paperCut', 'continuous'] as const)
      if (options[field] !== undefined)
        throw invalid(`${field}: expected one noise, got ${noises.length}; leave it out`);
    const coordinates = noises.map((noise) => guaranteeOf(noise, adjacency));
    const vector = { coordinates, step: options.step, adjacency: options.adjacency, epsilons, deltas };
    if (options.json) printJson(vectorJson(vector));
    else print(vectorText(vector));
    return;
  }
  const noise = noises[0]!;
  const cut = options.paperCut === undefined ? defaultCut(noise) : readDistance(options.paperCut, 'paperCut');
  const guarantee = guaranteeOf(noise, adjacency);
  const paper = paperEstimates(noise, adjacency, cut).map((estimate) => judge(estimate, guarantee));
  const profile = epsilons.map((epsilon) => ({
    epsilon,
    delta: guarantee.deltaAt(epsilon),
    theoremTwo: guarantee.theoremTwoAt(epsilon),
  }));
  const epsilonAt = deltas.map((delta) => ({ delta, epsilon: guarantee.epsilonAt(delta) }));
  const before = options.continuous
    ? beforeAndAfter(noise, adjacency, epsilons.length > 0 ? epsilons : USUAL)
    : null;
  const found = { guarantee, options, profile, epsilonAt, paper, cut, before };
  if (options.json) printJson(toJson(found));
  else print(toText(found));
}

interface Found {
  readonly guarantee: Guarantee;
  readonly options: Options;
  readonly profile: readonly { epsilon: Rational; delta: Rational; theoremTwo: Rational }[];
  readonly epsilonAt: readonly { delta: Rational; epsilon: Rational | null }[];
  readonly paper: readonly Judgement[];
  readonly cut: Rational;
  readonly before: BeforeAndAfter | null;
}

/** The ε at which a density is looked at where none is given. */
const USUAL = [rational(1n, 2n), rational(1n), rational(2n)];

/** Ideal Gaussian noise has an ε for every δ > 0; the compiled window may be too short to show it. */
function unattained(guarantee: Guarantee): string {
  return isUnbounded(guarantee) ? 'not within reach of the window' : 'no ε suffices';
}

function toJson({ guarantee, options, profile, epsilonAt, paper, cut, before }: Found) {
  const { noise, pure, witness } = guarantee;
  return {
    noise: specOf(noise),
    step: jsonNumber(options.step),
    adjacency: jsonNumber(options.adjacency),
    property: pure ? 'pure' : 'approximate',
    pure: pure && {
      ...jsonFigure('epsilon', pure.epsilonUpper),
      witness: jsonWitness(pure.witness, noise.step),
    },
    notPure: pure
      ? null
      : {
          witness: isUnbounded(guarantee) ? null : jsonWitness(witness, noise.step),
          reason: notPure(guarantee),
        },
    profile: profile.map((row) => ({
      epsilon: toNumberNear(row.epsilon),
      ...jsonFigure('delta', row.delta),
      ...jsonFigure('theoremTwo', row.theoremTwo),
    })),
    epsilonAt: epsilonAt.map((row) => ({
      delta: toNumberNear(row.delta),
      ...jsonFigure('epsilon', row.epsilon),
    })),
    paper: paper.map((row) => ({
      source: row.source,
      formula: row.formula,
      ...(noise.family === 'gaussian' ? { cut: exactText(cut) } : {}),
      epsilon: toNumberNear(row.epsilon.upper),
      delta: toNumberNear(row.delta.upper),
      ...jsonFigure('exactDelta', row.exactDelta),
      verdict: row.verdict,
    })),
    ...(before ? { continuous: continuousJson(before) } : {}),
    moments: guarantee.utility(),
    errorQuantiles: guarantee.errorQuantiles(),
  };
}

function toText({ guarantee, options, profile, epsilonAt, paper, cut, before }: Found): string {
  const { noise, pmf, pure } = guarantee;
  const utility = guarantee.utility();
  const parts = [`${specOf(noise)}   step ${options.step}, adjacency ${options.adjacency}`, ''];
  if (pure) {
    const at = inUnits(pure.witness, noise.step);
    parts.push(
      `Pure ε-DP with ε = ${figure(pure.epsilonUpper)}`,
      `  attained at p(k − m₀) / p(k) with k = ${at.k}, m₀ = ${at.shift}`,
    );
  } else parts.push('Not ε-DP with δ = 0 for any ε', `  ${notPure(guarantee)}`);
  if (profile.length > 0) {
    const rows = profile.map((row) => [exactText(row.epsilon), figure(row.delta), figure(row.theoremTwo)]);
    parts.push('', tableText(['ε', 'exact δ(ε)', "Theorem 2's δ"], rows));
  }
  if (epsilonAt.length > 0) {
    const rows = epsilonAt.map((row) => [
      figure(row.delta),
      row.epsilon ? figure(row.epsilon) : unattained(guarantee),
    ]);
    parts.push('', tableText(['δ', 'exact ε(δ)'], rows));
  }
  if (profile.length + epsilonAt.length === 0 && !pure)
    parts.push(
      '',
      `δ(1) = ${figure(guarantee.deltaAt({ num: 1n, den: 1n }))}; more with --epsilon e and --delta d`,
    );
  if (paper.length > 0) {
    const rows = paper.map((row) => [
      row.source,
      rough(toNumberNear(row.epsilon.upper)),
      rough(toNumberNear(row.delta.upper)),
      row.exactDelta ? figure(row.exactDelta) : '–',
      row.verdict,
    ]);
    const note = noise.family === 'gaussian' ? ` (M = ${exactText(cut)})` : '';
    parts.push(
      '',
      `What the paper says${note}`,
      tableText(['source', 'ε', 'δ', 'exact δ at that ε', 'verdict'], rows),
    );
  }
  if (before) parts.push('', ...continuousText(before));
  parts.push(
    '',
    `Noise   mean ${rough(utility.mean)}, E|θ| ${rough(utility.meanAbs)}, standard deviation ${rough(utility.std)}`,
    quantileWords(guarantee.errorQuantiles()),
    '',
    massChart(pmf),
  );
  return parts.join('\n');
}

/** Gaussian noise has no zero; its window ends where the integers do. */
function isUnbounded({ noise }: Guarantee): boolean {
  return noise.family.includes('gaussian');
}

/** Why there is no pure guarantee, with the place. */
function notPure(guarantee: Guarantee): string {
  const { noise, witness } = guarantee;
  if (isUnbounded(guarantee)) return 'the ratios of its probabilities grow without bound outward';
  const at = inUnits(witness, noise.step);
  const before = inUnits({ k: witness.k - witness.shift, shift: 0 }, noise.step).k;
  return `p(${at.k}) = 0 while p(${before}) > 0, and ${at.k} and ${before} are within the adjacency${CUT_OFF[noise.family] ?? ''}`;
}

/** Noise that somebody wrote down ends where the rows do, whatever it stands for. */
const CUT_OFF: Readonly<Record<string, string>> = {
  table:
    ': the table is cut off there; where the noise goes on, rows such as "right tail,1/2" say how it falls',
  cdf: ': the density is cut off there',
};
