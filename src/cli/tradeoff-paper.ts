// W and E|θ| of every mechanism over ε or over the adjacency, by the paper's names, and the ε that a wanted W needs.

import { type DesignOptions, design, leastEpsilon, parseObjective, tradeoffAt } from '../design/index.js';
import { invalid, wrong } from '../error/index.js';
import { toDecimalUp, toNumberNear } from '../exact/index.js';
import { utilityOf } from '../mechanism/index.js';
import { readDelta, readDistance, readPositive, readPositiveEpsilon, readSteps } from '../spec/index.js';
import { readPrior } from './input.js';
import type { Flags, Maybe, Needed } from './options.js';
import { checkDocuments, jsonNumber, print, printJson, rough, writeOutput } from './output.js';
import { progressLine } from './progress.js';
import { gridOf, pointsOf, type Range, range } from './tradeoff-grid.js';
import { type Curves, csv, draw, type Row, table } from './tradeoff-words.js';

export type PaperOptions = Needed<'epsilon' | 'adjacency' | 'step' | 'delta' | 'points'> &
  Maybe<'prior' | 'targetW' | 'svg' | 'csv'> &
  Flags<'priorIsPublic' | 'force' | 'json'>;

/** Curves of all mechanisms, or one ε. */
export function byMechanism(options: PaperOptions): void {
  const delta = readDelta(options.delta);
  const step = readDistance(options.step, 'step');
  const count = pointsOf(options.points);
  const epsilons = range(options.epsilon, 'epsilon');
  const adjacencies = range(options.adjacency, 'adjacency');
  if (epsilons.to && adjacencies.to)
    throw wrong('{epsilon} and {adjacency}: expected a range for one of them, got two');
  if (options.targetW === undefined && !epsilons.to && !adjacencies.to)
    throw invalid('epsilon: expected a range, as in 0.1..4, or a range for {adjacency}, as in 1..40');
  checkDocuments([options.svg, options.csv], options.force === true, options.json === true);
  if (options.targetW !== undefined && (options.svg !== undefined || options.csv !== undefined))
    throw invalid('targetW: gives one ε and no curve; leave out {svg} and {csv}');
  const stepsOf = (adjacency: string) => readSteps({ step: options.step, adjacency }).adjacency;
  stepsOf(adjacencies.to ?? adjacencies.from);
  const prior = readPrior(options, step);
  const wanted: DesignOptions = {
    objective: parseObjective(prior ? 'wasserstein' : 'magnitude', step),
    prior,
    unbiased: false,
    symmetric: false,
  };
  const progress = progressLine();
  if (options.targetW !== undefined) {
    if (!prior) throw invalid('targetW: W needs the distribution of the data; give it with {prior}');
    if (adjacencies.to) throw invalid('targetW: expected one {adjacency}, got a range');
    const adjacency = stepsOf(adjacencies.from);
    inverse(options, epsilons, (epsilon) =>
      design({ epsilon, delta, adjacency }, wanted, step, progress.show),
    );
    progress.end();
    return;
  }
  const grid = gridOf(epsilons, adjacencies, count, options.step);
  const rows = grid.flatMap(([epsilon, adjacency]): Row[] => {
    progress.show(`ε = ${epsilon}, adjacency ${adjacency}`);
    const target = { epsilon: readPositiveEpsilon(epsilon), delta, adjacency: stepsOf(adjacency) };
    return tradeoffAt(target, wanted, step, progress.show).map((row) => ({ epsilon, adjacency, ...row }));
  });
  progress.end();
  const fixed = epsilons.to ? `m = ${options.adjacency}` : `ε = ${options.epsilon}`;
  const curves: Curves = { rows, over: epsilons.to ? 'epsilon' : 'adjacency', fixed, hasW: prior !== null };
  if (options.csv !== undefined) writeOutput(options.csv, csv(rows), options.force === true);
  if (options.svg !== undefined) writeOutput(options.svg, draw(curves), options.force === true);
  if (options.json)
    printJson({
      over: curves.over,
      step: jsonNumber(options.step),
      delta: Number(options.delta),
      prior: prior && { spec: prior.spec, cut: prior.cut },
      rows: rows.map((row) => ({
        ...row,
        epsilon: Number(row.epsilon),
        adjacency: jsonNumber(row.adjacency),
      })),
    });
  else if (options.csv !== '-' && options.svg !== '-') print(table(curves));
}

/** An ε whose optimum has a W of at most what is wanted, and what is proved of smaller ones. */
function inverse(options: PaperOptions, epsilons: Range, at: Parameters<typeof leastEpsilon>[2]): void {
  const wanted = toNumberNear(readPositive(options.targetW!, 'targetW', 'a value above 0'));
  const found = leastEpsilon(
    {
      from: readPositiveEpsilon(epsilons.from),
      to: readPositiveEpsilon(epsilons.to ?? epsilons.from),
    },
    wanted,
    at,
  );
  const { meanAbs } = utilityOf(found.design.mechanism.pmf);
  const { notEnough } = found;
  // Proved to four digits, or nothing smaller was asked for.
  const smallest =
    found.isFirst ||
    (notEnough !== null && toNumberNear(found.epsilon) <= toNumberNear(notEnough.epsilon) * (1 + 1e-4));
  if (options.json) {
    printJson({
      targetW: wanted,
      epsilon: toNumberNear(found.epsilon),
      w: found.design.value,
      meanAbs,
      smallest,
      /** The largest ε at which no noise reaches the target, by a proved bound; null where there is no such proof. */
      notEnough: notEnough && { ...notEnough, epsilon: toNumberNear(notEnough.epsilon) },
    });
    return;
  }
  print(
    `ε = ${toDecimalUp(found.epsilon, 9)} is ${smallest ? `the smallest${found.isFirst ? ' of the range' : ''} that is ` : ''}enough for W ≤ ${options.targetW}: W ${rough(found.design.value)}, E|θ| ${rough(meanAbs)}`,
    ...(notEnough
      ? [
          `Up to ε = ${toDecimalUp(notEnough.epsilon, 9)} no noise reaches it: there W is at least ${rough(notEnough.lowerBound)}`,
        ]
      : found.isFirst
        ? []
        : ['That nothing smaller is enough is not proved']),
  );
}
