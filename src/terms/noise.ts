// Noise that is made for a release: shares of ε for each column and row, the optimum or a family, unbiased unless asked otherwise.

import { design, parseObjective } from '../design/index.js';
import { invalid, quote } from '../error/index.js';
import {
  add,
  ceiling,
  compare,
  divide,
  integer,
  parseDecimal,
  type Rational,
  subtract,
  toDecimal,
  toDecimalDown,
  zero,
} from '../exact/index.js';
import { type Budget, declaredAdjacency } from '../ledger/index.js';
import { calibrate, centred, type Mechanism } from '../mechanism/index.js';
import { MOST_ADJACENCY } from '../noise/index.js';
import type { Prior } from '../prior/index.js';
import { suggest } from '../spec/index.js';
import type { NoiseRequest, Shares } from './request.js';
import { checkStep } from './step.js';

/**
 * A mechanism for each of the columns, such that all of them over all rows of a person cost at most what is asked for; equal
 * wishes are met once.
 */
export function makeMechanisms(
  columns: readonly string[],
  request: NoiseRequest,
  budget: Budget | null,
  rows: number,
  progress: (message: string) => void = () => {},
): Map<string, Mechanism> {
  const epsilons = shareOut(request.epsilon, 'epsilon', columns);
  const deltas = shareOut(request.delta, 'delta', columns, zero);
  const made = new Map<string, Mechanism>();
  const known = new Map<string, Mechanism>();
  for (const column of columns) {
    const target = {
      epsilon: rowShare(epsilons.get(column)!, rows),
      delta: rowShare(deltas.get(column)!, rows),
    };
    if (target.epsilon.num <= 0n) throw invalid(`epsilon: expected a value above 0 for ${quote(column)}`);
    const distance = adjacencyFor(column, request.adjacency(column), budget);
    const step = request.step(column);
    checkStep(column, step, { adjacency: distance });
    const prior = request.prior(column);
    const key = `${[target.epsilon, target.delta, distance, step.value].map(toDecimal).join(' ')} ${prior?.spec}`;
    const mechanism =
      known.get(key) ?? makeMechanism({ ...request, prior, step: step.value }, target, distance, progress);
    known.set(key, mechanism);
    made.set(column, mechanism);
  }
  return made;
}

/** What one person spends on each column: as named, and equal parts of what the others leave. */
export function shareOut(
  { all, own }: Shares,
  field: 'epsilon' | 'delta',
  columns: readonly string[],
  fallback: Rational | null = null,
): Map<string, Rational> {
  const stray = [...own.keys()].find((column) => !columns.includes(column));
  if (stray !== undefined)
    throw invalid(`${field}: no noise is made for ${quote(stray)}; ${suggest(stray, columns, 'it is for')}`);
  const shares = new Map(own);
  const others = columns.filter((column) => !own.has(column));
  if (others.length === 0 && all === null) return shares;
  const total = all ?? fallback;
  if (total === null)
    throw invalid(
      `${field}: expected a share for ${quote(others[0])} too, as in {${field}} ${others[0]}=0.5`,
    );
  const named = all === null ? zero : [...own.values()].reduce(add, zero);
  if (compare(named, total) > 0)
    throw invalid(
      `${field}: the shares by column are ${toDecimal(named)} in all, more than the ${toDecimal(total)} for all columns`,
    );
  for (const column of others) shares.set(column, divide(subtract(total, named), integer(others.length)));
  return shares;
}

/** One row's share, rounded down, so that all of them are not more than the whole. */
export function rowShare(whole: Rational, rows: number): Rational {
  return whole.num === 0n ? zero : parseDecimal(toDecimalDown(divide(whole, integer(rows)), 15));
}

/** How far a record may move in this column, in data units; `adjacency` is what is said of it. */
export function adjacencyFor(column: string, adjacency: Rational | null, budget: Budget | null): Rational {
  const declared = declaredAdjacency(budget, column);
  const distance = adjacency ?? (declared === undefined ? null : parseDecimal(declared));
  if (distance === null)
    throw invalid(`adjacency: expected how far one record may move in ${quote(column)}, as in {adjacency} 5`);
  if (distance.num <= 0n) throw invalid(`adjacency: expected a positive decimal, got ${toDecimal(distance)}`);
  if (declared !== undefined && compare(distance, parseDecimal(declared)) < 0)
    throw invalid(
      `adjacency: the budget protects ${quote(column)} up to ${declared}, got ${toDecimal(distance)}; leave it out`,
    );
  return distance;
}

/** The optimum for what is publicly known, or the least noise of a family. */
function makeMechanism(
  {
    step,
    family: given,
    prior,
    unbiased,
  }: Pick<NoiseRequest, 'family' | 'unbiased'> & { readonly step: Rational; readonly prior: Prior | null },
  target: { readonly epsilon: Rational; readonly delta: Rational },
  distance: Rational,
  progress: (message: string) => void,
): Mechanism {
  // Values that are rounded to the lattice can be this many steps apart.
  const steps = ceiling(divide(distance, step));
  if (steps > BigInt(MOST_ADJACENCY))
    throw invalid(`adjacency: expected at most ${MOST_ADJACENCY} steps, got ${steps}; use a larger {step}`);
  const full = { ...target, adjacency: Number(steps) };
  if (given) {
    if (prior) throw invalid('prior: noise of a family does not depend on it; leave out one of the two');
    const centre = unbiased ? (given.family.centre?.(step) ?? {}) : {};
    const { mechanism } = calibrate(given.family, { ...centre, ...given.values }, full, step);
    return unbiased ? centred(mechanism) : mechanism;
  }
  const objective = parseObjective(prior ? 'wasserstein' : 'magnitude', step);
  return design(full, { objective, prior, unbiased, symmetric: false }, step, progress).mechanism;
}
