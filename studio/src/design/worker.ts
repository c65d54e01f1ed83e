// Designs, away from the page: the optimum for a target, its proof, and what else there is at the same guarantee.

import {
  alternatives,
  describeStairs,
  design,
  GAP,
  objectiveWords,
  outputDistance,
  parseObjective,
} from 'discreet-dp/design';
import { toDecimalUp } from 'discreet-dp/exact';
import { errorQuantiles, utilityOf, writeMechanism } from 'discreet-dp/mechanism';
import { bulkOf } from 'discreet-dp/plot';
import type { Pmf } from 'discreet-dp/pmf';
import { throughSeries } from 'discreet-dp/report';
import { readDelta, readPositiveEpsilon, readSteps } from 'discreet-dp/spec';
import { masses } from '../engine/chart.js';
import { type Progress, serve } from '../engine/serve.js';
import { type PriorChoice, pastedPrior, priorOf } from '../parts/prior.js';

export interface DesignWanted {
  readonly epsilon: string;
  readonly delta: string;
  readonly adjacency: string;
  readonly step: string;
  readonly prior: PriorChoice;
  readonly pasted: string | null;
  /** Empty is what suits the prior. */
  readonly objective: string;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
}

export type Designed = ReturnType<typeof run>;

/** Wider priors are not drawn. */
const WIDEST = 100_000;

function run(wanted: DesignWanted, progress: Progress) {
  const { step, adjacency } = readSteps(wanted);
  const target = { epsilon: readPositiveEpsilon(wanted.epsilon), delta: readDelta(wanted.delta), adjacency };
  const prior = wanted.pasted === null ? priorOf(wanted.prior, step) : pastedPrior(wanted.pasted, step);
  const objective = parseObjective(wanted.objective || (prior ? 'wasserstein' : 'magnitude'), step);
  const options = { objective, prior, unbiased: wanted.unbiased, symmetric: wanted.symmetric };
  const started = performance.now();
  const found = design(target, options, step, (words) => progress(null, words));
  const taken = performance.now() - started;
  const { mechanism, certificate, value, lowerBound, gap } = found;
  const others = alternatives(target, options, step);
  const shown = prior && prior.pmf.weights.length <= WIDEST ? prior.pmf : null;
  const row = (name: string, pmf: Pmf, worth: number) => {
    const { meanAbs, mean, std } = utilityOf(pmf);
    return { name, value: worth, wasserstein: prior && outputDistance(prior.pmf, pmf), meanAbs, mean, std };
  };
  return {
    asked: wanted,
    taken,
    objective: objectiveWords(objective),
    prior: prior && { spec: prior.spec, cut: prior.cut },
    value,
    lowerBound,
    gap,
    closed: gap <= GAP,
    epsilon: certificate.epsilonUpper && toDecimalUp(certificate.epsilonUpper, 7),
    delta: toDecimalUp(certificate.deltaUpper, 7),
    utility: row('this design', mechanism.pmf, value),
    quantiles: errorQuantiles(mechanism.pmf),
    stairs: describeStairs(mechanism.pmf, found.parts),
    others: others.map(({ name, noise, pmf, value: worth }) =>
      row(noise ?? `${name} (least E|θ|)`, pmf, worth),
    ),
    charts: [
      masses(
        [
          { name: 'optimum', points: bulkOf(mechanism.pmf).points },
          ...others
            .filter(({ name }) => name === 'geometric' || name === 'discrete-gaussian')
            .map(({ name, pmf }) => ({ name, points: bulkOf(pmf).points })),
        ],
        { title: 'The noise, beside the usual', x: 'noise, in data units', y: 'probability' },
      ),
      ...(shown
        ? [
            masses(throughSeries(mechanism.pmf, shown), {
              title: 'What goes in and what comes out, by what is known',
              x: 'value, in data units',
              y: 'share of values',
            }),
          ]
        : []),
    ],
    file: writeMechanism(mechanism),
  };
}

const calls = { design: run };
export type DesignCalls = typeof calls;
serve(calls);
