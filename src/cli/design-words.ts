// A design in words and for programs.

import {
  type Alternative,
  type Clamped,
  type Design,
  type DesignOptions,
  describeStairs,
  GAP,
  objectiveWords,
  outputDistance,
  outputDistances,
  stairsOf,
} from '../design/index.js';
import { parseDecimal, toNumberNear } from '../exact/index.js';
import { errorQuantiles, utilityOf } from '../mechanism/index.js';
import { massChart } from '../plot/index.js';
import { lastIndex, type Pmf } from '../pmf/index.js';
import { paidWords } from '../prior/index.js';
import { figure, finite, jsonFigure, jsonNumber, quantileWords, rough, tableText } from './output.js';

export interface Designed {
  readonly options: {
    readonly adjacency: string;
    readonly step: string;
    readonly epsilon: string;
    readonly delta: string;
    readonly clamp?: string;
    readonly output?: string;
    readonly svg?: string;
  };
  readonly found: Design;
  readonly wanted: DesignOptions;
  readonly others: readonly Alternative[];
  readonly afterClamp: Clamped | null;
  readonly wasStopped: boolean;
}

export function json({ options, found, wanted, others, afterClamp, wasStopped }: Designed) {
  const { pmf } = found.mechanism;
  const { objective, prior } = wanted;
  const distances = prior && outputDistances(prior.pmf, pmf);
  const { mean, meanAbs, std } = utilityOf(pmf);
  const unit = toNumberNear(pmf.step);
  const pure = found.certificate.epsilonUpper;
  return {
    objective: objective.text,
    value: found.value,
    lowerBound: found.lowerBound,
    gap: found.gap,
    closed: found.gap <= GAP,
    ...jsonFigure('epsilon', isZero(options.delta) ? pure : parseDecimal(options.epsilon)),
    ...jsonFigure('delta', found.certificate.deltaUpper),
    target: { epsilon: Number(options.epsilon), delta: Number(options.delta) },
    step: jsonNumber(options.step),
    adjacency: jsonNumber(options.adjacency),
    prior: prior && { spec: prior.spec, cut: prior.cut, paid: prior.paid ?? null },
    unbiased: wanted.unbiased,
    symmetric: wanted.symmetric,
    meanAbs,
    mean,
    std,
    wasserstein: distances && distances.one,
    wasserstein2: distances && distances.two,
    wassersteinInfinity: distances && finite(distances.infinity),
    errorQuantiles: errorQuantiles(pmf),
    window: {
      from: pmf.from * unit,
      to: lastIndex(pmf) * unit,
      points: pmf.weights.length,
      tails: pmf.left !== null,
    },
    parts: found.parts,
    grain: found.grain,
    interrupted: wasStopped,
    stairs: stairsOf(pmf)
      .slice(0, 200)
      .map(({ from, to, width, height }) => ({ from: from * unit, to: to * unit, steps: width, height })),
    clamp: afterClamp && {
      bounds: options.clamp,
      wasserstein: afterClamp.wasserstein,
      meanAbs: afterClamp.meanAbs,
    },
    alternatives: others.map(({ name, noise, pmf: other, value, wasserstein }) => {
      const { meanAbs, mean, std } = utilityOf(other);
      return { name, noise, value, wasserstein, meanAbs, mean, std };
    }),
    output: options.output ?? null,
  };
}

export function text({ options, found, wanted, others, afterClamp, wasStopped }: Designed): string {
  const { pmf } = found.mechanism;
  const { objective, prior } = wanted;
  const utility = utilityOf(pmf);
  const pure = isZero(options.delta);
  const guarantee = pure
    ? `certified pure ε = ${figure(found.certificate.epsilonUpper)}`
    : `certified δ(${options.epsilon}) = ${figure(found.certificate.deltaUpper)}`;
  const far = prior && outputDistances(prior.pmf, pmf);
  const row = (name: string, of: Pmf, value: number) => {
    const { meanAbs, mean, std } = utilityOf(of);
    const other = distance(wanted, of);
    return [name, ...[value, ...(other === null ? [] : [other]), meanAbs, mean, std].map(rough)];
  };
  return [
    `Noise for ε = ${options.epsilon}${pure ? '' : `, δ = ${options.delta}`} at adjacency ${options.adjacency}: the least ${objectiveWords(objective)}`,
    ...(prior
      ? [
          `for the input ${prior.spec}${prior.cut ? ` (${prior.cut})` : ''}, ${prior.paid ? paidWords(prior.paid) : 'taken as public'}`,
        ]
      : []),
    '',
    `value        ${rough(found.value)}`,
    found.lowerBound > 0
      ? `lower bound  ${rough(found.lowerBound)}: no noise with this guarantee is better, on the whole lattice`
      : 'lower bound  none was found',
    `gap          ${found.gap.toExponential(1)} of the value${gapWords(found, wasStopped)}`,
    `${guarantee} at adjacency ${options.adjacency}, from the compiled integers`,
    '',
    `E|θ| ${rough(utility.meanAbs)}, bias E θ ${rough(utility.mean)}, standard deviation ${rough(utility.std)}${far ? `, W ${rough(far.one)}, W₂ ${rough(far.two)}, W∞ ${rough(far.infinity)}` : ''}`,
    quantileWords(errorQuantiles(pmf)),
    ...(afterClamp
      ? [
          `After clamping to ${options.clamp} (free of privacy cost): W ${rough(afterClamp.wasserstein)}, a record is off by ${rough(afterClamp.meanAbs)} on average`,
        ]
      : []),
    '',
    ...describeStairs(pmf, found.parts),
    '',
    massChart(pmf),
    ...(others.length > 0
      ? [
          '',
          tableText(
            ['at the same guarantee', 'value', ...(far ? ['W'] : []), 'E|θ|', 'E θ', 'std'],
            [
              row('this design', pmf, found.value),
              ...others.map(({ name, noise, pmf: other, value }) =>
                row(noise ?? `${name} (least E|θ|)`, other, value),
              ),
            ],
          ),
        ]
      : []),
    ...(options.output !== undefined ? ['', `The mechanism is in ${options.output}`] : []),
    ...(options.svg !== undefined ? [`The picture is in ${options.svg}`] : []),
  ].join('\n');
}

function gapWords({ gap, grain, lowerBound }: Design, wasStopped: boolean): string {
  if (gap <= GAP) return ': optimal';
  if (wasStopped)
    return ': it was interrupted, and this is the best so far; the noise is private all the same';
  if (lowerBound === 0) return ': no bound was found; the noise is private all the same';
  if (grain > 1)
    return `: the programme for δ was solved on cells of ${rough(grain)} steps, for it has many points; --gap goes on`;
  return `: the search stopped before it was closed to ${GAP}; the noise is private all the same, and --gap goes on`;
}

function isZero(text: string): boolean {
  return parseDecimal(text, 'delta').num === 0n;
}

function distance({ prior }: DesignOptions, noise: Pmf): number | null {
  return prior && outputDistance(prior.pmf, noise);
}
