// What is said of the noise that a release makes: of all columns, or of each.

import { invalid } from '../error/index.js';
import { one } from '../exact/index.js';
import type { Prior } from '../prior/index.js';
import { type Decimal, parseFamily, readDecimal, readDelta, readEpsilon } from '../spec/index.js';
import {
  type ColumnRequest,
  checkStep,
  type NoiseRequest,
  type PriorShare,
  type Step,
} from '../terms/index.js';
import { checkColumns, figures, own, shares } from './by-column.js';
import type { ReleaseOptions } from './options.js';
import { readPrior } from './target.js';

/** For the columns that have no mechanism yet. */
export function noiseOf(options: ReleaseOptions, columns: readonly ColumnRequest[]): NoiseRequest {
  const names = columns.map(({ name }) => name);
  const steps = figures('step', options.step, columns);
  const step = (column: string): Step => steps(column) ?? { value: one, own: false };
  const adjacency = figures('adjacency', options.adjacency, columns);
  checkColumns('prior', options.prior, names);
  const made = columns.filter(({ mechanism }) => mechanism === null);
  const priors = new Map(
    made.map(({ name }) => [name, readPrior(own<string | Prior>(options.prior, name), step(name).value)]),
  );
  const share = shareOf(options, names);
  if (share) for (const { name } of made) checkStep(name, step(name), { range: share.range(name) });
  return {
    epsilon: shares(options.epsilon, (value) => readEpsilon(value)),
    delta: shares(options.delta, (value) => readDelta(value)),
    adjacency: (column) => adjacency(column)?.value ?? null,
    step,
    prior: (column) => priors.get(column) ?? null,
    share,
    family: options.family === undefined ? null : parseFamily(options.family),
    unbiased: options.allowBias !== true,
  };
}

/** What part of ε is for a prior, and on what range. */
function shareOf({ priorShare, range }: ReleaseOptions, names: readonly string[]): PriorShare | null {
  checkColumns('range', range, names);
  if (priorShare === undefined) {
    if (range !== undefined) throw invalid('range: it is for a prior from the data; see {priorShare}');
    return null;
  }
  return {
    part: readDecimal(priorShare, 'priorShare'),
    range: (column) => rangeOf(own<readonly [Decimal, Decimal]>(range, column)),
  };
}

/** What values there can be. */
export function rangeOf(range: readonly [Decimal, Decimal] | undefined) {
  if (range === undefined)
    throw invalid(
      'range: expected the lowest and the highest value there can be, as in {range} 0,77; it is not read from the data, for that would tell them',
    );
  if (!Array.isArray(range) || range.length !== 2)
    throw invalid('range: expected [low, high], as in [0, 77]');
  return { low: readDecimal(range[0], 'range'), high: readDecimal(range[1], 'range') };
}
