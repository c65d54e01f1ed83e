// Noise that is made for a release: shares of ε for each column and row, the optimum or a family, unbiased unless asked otherwise.

import { design, parseGoal } from '../design/index.js';
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
import { type Budget, declaredAdjacency, noAdjacency } from '../ledger/index.js';
import { calibrate, centred, type Mechanism } from '../mechanism/index.js';
import { parseFamily, suggest } from '../spec/index.js';
import { MOST_STEPS, readDelta, readEpsilon, readPrior } from './input.js';
import { progressLine } from './progress.js';
import type { ReleaseOptions } from './release-options.js';

/** The mechanism for each of the columns; equal wishes are met once. */
export function makeMechanisms(
  columns: readonly string[],
  options: ReleaseOptions,
  budget: Budget | null,
  rows: number,
): Map<string, Mechanism> {
  const epsilons = shares(options.epsilon, '--epsilon', columns, readEpsilon);
  const deltas = shares(
    options.delta.length === 0 ? ['0'] : options.delta,
    '--delta',
    columns,
    readDelta,
    '0',
  );
  const made = new Map<string, Mechanism>();
  const known = new Map<string, Mechanism>();
  for (const column of columns) {
    const target = {
      epsilon: rowShare(epsilons.get(column)!, rows),
      delta: rowShare(deltas.get(column)!, rows),
    };
    if (target.epsilon.num <= 0n)
      throw new RangeError(`--epsilon: expected a value above 0 for ${JSON.stringify(column)}`);
    const distance = adjacencyFor(column, options, budget);
    const key = [target.epsilon, target.delta, distance].map(toDecimal).join(' ');
    const mechanism = known.get(key) ?? makeMechanism(options, target, distance);
    known.set(key, mechanism);
    made.set(column, mechanism);
  }
  return made;
}

/** What one person spends on each column: as named, and equal parts of what the others leave. */
function shares(
  texts: readonly string[],
  flag: string,
  columns: readonly string[],
  read: (text: string, flag: string) => Rational,
  fallback?: string,
): Map<string, Rational> {
  const own = new Map<string, Rational>();
  let all: Rational | null = null;
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    if (at < 0) {
      if (all !== null)
        throw new RangeError(
          `${flag}: given twice for all columns; name the column, as in ${flag} visits=${text}`,
        );
      all = read(text, flag);
      continue;
    }
    const column = text.slice(0, at);
    if (!columns.includes(column))
      throw new RangeError(
        `${flag}: no noise is made for ${JSON.stringify(column)}; ${suggest(column, columns, 'it is for')}`,
      );
    if (own.has(column)) throw new RangeError(`${flag}: given twice for ${JSON.stringify(column)}`);
    own.set(column, read(text.slice(at + 1), flag));
  }
  const others = columns.filter((column) => !own.has(column));
  if (others.length === 0 && all === null) return own;
  if (all === null && fallback === undefined)
    throw new RangeError(
      `${flag}: expected a share for ${JSON.stringify(others[0])} too, as in ${flag} ${others[0]}=0.5`,
    );
  const total = all ?? parseDecimal(fallback!);
  const named = all === null ? zero : [...own.values()].reduce(add, zero);
  if (compare(named, total) > 0)
    throw new RangeError(
      `${flag}: the shares by column are ${toDecimal(named)} in all, more than the ${toDecimal(total)} for all columns`,
    );
  for (const column of others) own.set(column, divide(subtract(total, named), integer(others.length)));
  return own;
}

/** One row's share, rounded down, so that all of them are not more than the whole. */
export function rowShare(whole: Rational, rows: number): Rational {
  return whole.num === 0n ? zero : parseDecimal(toDecimalDown(divide(whole, integer(rows)), 15));
}

/** How far a record may move in this column, in data units. */
function adjacencyFor(column: string, options: ReleaseOptions, budget: Budget | null): Rational {
  const declared = declaredAdjacency(budget, column);
  if (budget && declared === undefined) throw noAdjacency(budget, column);
  const text = options.adjacency ?? declared;
  if (text === undefined)
    throw new RangeError('--adjacency: expected how far one record may move, as in --adjacency 5');
  const distance = parseDecimal(text, '--adjacency');
  if (distance.num <= 0n) throw new RangeError(`--adjacency: expected a positive decimal, got ${text}`);
  if (declared !== undefined && compare(distance, parseDecimal(declared)) < 0)
    throw new RangeError(
      `--adjacency: the budget protects ${JSON.stringify(column)} up to ${declared}, got ${text}; leave the option out`,
    );
  return distance;
}

/** The optimum for what is publicly known, or the least noise of a family. */
function makeMechanism(
  options: ReleaseOptions,
  target: { readonly epsilon: Rational; readonly delta: Rational },
  distance: Rational,
): Mechanism {
  const step = parseDecimal(options.step ?? '1', '--step');
  if (step.num <= 0n) throw new RangeError(`--step: expected a positive decimal, got ${options.step}`);
  // Values that are rounded to the lattice can be this many steps apart.
  const steps = ceiling(divide(distance, step));
  if (steps > BigInt(MOST_STEPS))
    throw new RangeError(
      `--adjacency: expected at most ${MOST_STEPS} steps, got ${steps}; use a larger --step`,
    );
  const full = { ...target, adjacency: Number(steps) };
  const unbiased = options.allowBias !== true;
  if (options.family !== undefined) {
    if (options.prior !== undefined)
      throw new RangeError('--prior: noise of a family does not depend on it; leave out one of the two');
    const { family, values } = parseFamily(options.family);
    const centre = unbiased ? (family.centre?.(step) ?? {}) : {};
    const { mechanism } = calibrate(family, { ...centre, ...values }, full, step);
    return unbiased ? centred(mechanism) : mechanism;
  }
  const prior =
    options.prior === undefined ? null : readPrior(options.prior, step, options.priorIsPublic === true);
  const objective = prior ? 'wasserstein' : 'magnitude';
  const line = progressLine();
  const found = design(
    full,
    { goal: parseGoal(objective, step), prior: prior?.pmf ?? null, unbiased, symmetric: false },
    step,
    line.show,
  );
  line.end();
  return {
    ...found.mechanism,
    origin: {
      design: {
        objective,
        unbiased,
        value: found.value,
        lowerBound: found.lowerBound,
        prior: prior && { spec: prior.spec, ...(prior.cut ? { cut: prior.cut } : {}), declaredPublic: true },
      },
    },
  };
}
