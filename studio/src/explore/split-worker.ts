// A budget among columns, away from the page: the ε that a wanted error takes, or the error that a share of ε leaves.

import { guessUpper, mechanismCost, noCost, plus } from 'discreet-dp/account';
import { DiscreetError, invalid, isOurs, quote } from 'discreet-dp/error';
import {
  add,
  divide,
  integer,
  multiply,
  one,
  parseDecimal,
  type Rational,
  rational,
  toDecimal,
  toDecimalDown,
  toDecimalUp,
  toNumberNear,
  zero,
} from 'discreet-dp/exact';
import { errorQuantiles, type Mechanism, profileOf, utilityOf } from 'discreet-dp/mechanism';
import { percentUp } from 'discreet-dp/report';
import { readPositive, readPositiveEpsilon } from 'discreet-dp/spec';
import { makeMechanisms } from 'discreet-dp/terms';
import { type Progress, serve } from '../engine/serve.js';
import type { SplitColumn } from './state.js';

export interface SplitWanted {
  readonly columns: readonly SplitColumn[];
  readonly step: string;
  /** The ε of all of them together; null where each has a wanted error instead. */
  readonly total: string | null;
}

export type Split = ReturnType<typeof split>;

function split({ columns, step: unit, total }: SplitWanted, progress: Progress) {
  const step = readPositive(unit, 'step');
  const names = columns.map(({ name }) => name.trim());
  for (const [i, name] of names.entries())
    of(i, () => {
      if (name === '') throw invalid('column: expected a name, got none');
      if (names.indexOf(name) !== i) throw invalid(`column: ${quote(name)} is there twice`);
    });
  const distances = columns.map(({ adjacency }, i) => of(i, () => readPositive(adjacency, 'adjacency')));
  const noiseAt = (i: number, epsilon: Rational) => of(i, () => usualNoise(epsilon, distances[i]!, step));
  const shares = total === null ? null : sharesOf(columns, readPositiveEpsilon(total));
  const mechanisms: Mechanism[] = [];
  const rows = columns.map(({ error, adjacency }, i) => {
    progress(i / columns.length, `noise for ${names[i]}`);
    const { epsilon, mechanism } = shares
      ? { epsilon: shares[i]!, mechanism: noiseAt(i, shares[i]!) }
      : of(i, () => leastForError(error, (e) => usualNoise(e, distances[i]!, step)));
    const [, most] = errorQuantiles(mechanism.pmf);
    const apart = profileOf(mechanism.pmf, mechanism.adjacency).deltaAt(zero).upper;
    mechanisms.push(mechanism);
    return {
      name: names[i]!,
      adjacency,
      epsilon: toDecimal(epsilon),
      shown: toDecimalUp(epsilon, 6),
      error: utilityOf(mechanism.pmf).meanAbs,
      within: most!.error,
      guess: `${toDecimalUp(multiply(add(one, apart), integer(50)), 3)} %`,
    };
  });
  const values = mechanisms.map(({ pmf, adjacency }) => ({ pmf, adjacency, times: 1 }));
  const cost = mechanisms.map((own) => mechanismCost(own, own.adjacency)).reduce(plus, noCost);
  return {
    rows,
    /** By all columns together, at most. */
    guess: rows.length === 1 ? null : percentUp(guessUpper({ values, changes: [], cost })),
    total: total ?? toDecimal(rows.map(({ epsilon }) => parseDecimal(epsilon)).reduce(add, zero)),
    /** Is every share the same? */
    even: shares !== null && new Set(columns.map(({ share }) => share)).size === 1,
  };
}

/** A mistake, with the column that it is of. */
function of<T>(column: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOurs(error) || error.field === null || error.field === 'step') throw error;
    const [code, field, ...texts] = error.parts();
    throw new DiscreetError(code, /:\d+$/.test(field!) ? field : `${field}:${column}`, ...texts);
  }
}

/** Parts of the whole, rounded down, so that they are not more than it together. */
function sharesOf(columns: readonly SplitColumn[], total: Rational): Rational[] {
  const weights = columns.map(({ share }, i) => of(i, () => readPositive(share, 'share')));
  const all = weights.reduce(add, zero);
  return weights.map((weight) => parseDecimal(toDecimalDown(divide(multiply(total, weight), all), 15)));
}

/** The noise that a release makes for one value, with nothing known of the data. */
function usualNoise(epsilon: Rational, adjacency: Rational, step: Rational): Mechanism {
  const shares = (all: Rational) => ({ all, own: new Map<string, Rational>() });
  const request = {
    ...{ epsilon: shares(epsilon), delta: shares(zero), adjacency: () => adjacency },
    step: () => ({ value: step, own: true }),
    ...{ prior: () => null, share: null, family: null, unbiased: true },
  };
  return makeMechanisms(['value'], request, null, 1).get('value')!;
}

/** ε has three digits; from 0.001 to 99.9. */
const DIGITS = 900;
const DECADES = 5;

/** The k-th ε with three digits. */
function epsilonAt(k: number): Rational {
  const digits = BigInt(100 + (k % DIGITS));
  const power = Math.floor(k / DIGITS) - DECADES;
  return power < 0 ? rational(digits, 10n ** BigInt(-power)) : rational(digits * 10n ** BigInt(power));
}

/** The least of them whose noise is off by no more than is wanted, on average. */
function leastForError(wanted: string, noiseAt: (epsilon: Rational) => Mechanism) {
  const most = toNumberNear(readPositive(wanted, 'targetError', 'a value above 0'));
  let [low, high] = [-1, DIGITS * DECADES - 1];
  const attempt = (k: number) => {
    try {
      const epsilon = epsilonAt(k);
      const mechanism = noiseAt(epsilon);
      return utilityOf(mechanism.pmf).meanAbs <= most ? { epsilon, mechanism } : null;
    } catch (error) {
      // Noise that is too wide to be made is off by more than anybody wants.
      if (isOurs(error, 'argument') && k < high) return null;
      throw error;
    }
  };
  let best = attempt(high);
  if (!best)
    throw invalid(`targetError: no ε below 100 is enough for an error of ${wanted}; allow a larger error`);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const found = attempt(middle);
    if (found) [high, best] = [middle, found];
    else low = middle;
  }
  return best;
}

const calls = { split };
export type SplitCalls = typeof calls;
serve(calls);
