// The account of a list of releases: its total, beside what others' rules make of it.

import { invalid } from '../error/index.js';
import type { Bracket } from './aliases.js';
import { type Compared, comparisonOf, cutOfAll, type Kind, muOf, type Rule } from './comparison.js';
import type { Method } from './composition.js';
import { pairsOf } from './pairs.js';
import type { Named } from './plan.js';
import { concentratedRho } from './renyi.js';
import { grouped, type Total, totalOf } from './total.js';

/** Either a δ, at which ε is wanted, or an ε, at which δ is; for so many records, or persons, together. */
export interface AccountOptions {
  readonly delta?: number | undefined;
  readonly epsilon?: number | undefined;
  readonly group?: number | undefined;
}

export interface Account extends Bracket {
  /** What the bounds are of. */
  readonly unit: 'epsilon' | 'delta';
  readonly method: Method;
  /** What bounds what, in words. */
  readonly error: string;
  /** In the unit of `upper`; null where a rule says nothing. */
  readonly comparison: Readonly<Record<Rule, number | null>>;
  /** The share of right guesses of whoever must tell two neighbours apart at even odds, at most. */
  readonly attacker: Bracket;
  /** Upper bounds on zCDP's ρ and on GDP's μ, beside next to nothing of δ that is set apart; null where there is none. */
  readonly parameters: { readonly rho: number | null; readonly mu: number | null };
  readonly total: Total;
  /** The same by the rules of others, at any ε or δ. */
  readonly others: Readonly<Record<Rule, Compared>>;
}

/** No δ below this is worked out. */
export const LEAST_DELTA = 1e-60;

/**
 * What releases cost together: the least ε at a δ, or the δ at an ε, between a lower and an upper bound that both hold for the integers
 * of the noise (proofs/account.md).
 */
export function account(releases: readonly Named[], { delta, epsilon, group = 1 }: AccountOptions): Account {
  if (releases.length === 0) throw invalid('releases: expected at least one release, got none');
  if ((delta === undefined) === (epsilon === undefined))
    throw invalid('delta: expected either a δ, for the ε that it comes with, or an {epsilon}, for its δ');
  if (delta !== undefined && !(delta === 0 || (delta >= LEAST_DELTA && delta < 1)))
    throw invalid(`delta: expected 0, or a value from ${LEAST_DELTA} on and below 1, got ${delta}`);
  if (epsilon !== undefined && !(epsilon >= 0 && epsilon <= 1e6))
    throw invalid(`epsilon: expected a value from 0 to 1000000, got ${epsilon}`);
  const total = totalOf(releases, group);
  const kinds = kindsOf(releases, group);
  if (delta === 0)
    for (const release of releases)
      if (kindsOf([release], group).some(({ laws }) => laws.some(({ infinite }) => infinite.upper > 0)))
        throw invalid(
          `delta: ${release.name} has no ε at δ = 0: some outputs are possible in one dataset only; give a δ above 0`,
        );
  const others = comparisonOf(kinds);
  const found = delta === undefined ? total.deltaAt(epsilon!) : total.epsilonAt(delta);
  const compared = (rule: Rule) => {
    if (delta === undefined) return others[rule].deltaAt(epsilon!);
    return delta === 0 ? pureOf(rule, others.basic.epsilonAt(0)) : others[rule].epsilonAt(delta);
  };
  const comparison = {
    basic: compared('basic'),
    advanced: compared('advanced'),
    zcdp: compared('zcdp'),
    renyi: compared('renyi'),
    gdp: compared('gdp'),
  };
  // These rules are upper bounds too, and closer where a pair that dominates several shifts is far off.
  const closer = [comparison.basic, comparison.advanced, comparison.renyi];
  const upper = Math.min(
    found.upper,
    ...closer.filter((value): value is number => value !== null && value >= found.lower),
  );
  const guess = total.deltaAt(0);
  const small = delta ? delta : Math.max(LEAST_DELTA, upper);
  return {
    lower: found.lower,
    upper,
    unit: delta === undefined ? 'delta' : 'epsilon',
    method: total.method,
    error: errorWords(total),
    comparison,
    attacker: { lower: (1 + guess.lower) / 2, upper: Math.min(1, ((1 + guess.upper) / 2) * (1 + 2 ** -52)) },
    parameters: {
      rho: cutOfAll(kinds) <= 1e-9 * small ? concentratedRho(kinds) : null,
      mu: muOf(kinds, small),
    },
    total,
    others,
  };
}

/** At δ = 0 only what adds ε up says anything. */
function pureOf(rule: Rule, basic: number | null): number | null {
  return rule === 'basic' || rule === 'advanced' ? basic : null;
}

function kindsOf(releases: readonly Named[], group: number): Kind[] {
  return grouped(releases, group).map(({ pmf, adjacency, sampling, times }) => {
    const orders = sampling === null ? (['comes'] as const) : (['comes', 'goes'] as const);
    const laws = orders.flatMap((order) => pairsOf(pmf, adjacency, sampling, order).laws);
    const one = totalOf([{ pmf, adjacency, sampling, times: 1, of: 'counts' }]);
    return { laws, times, epsilonAt: (delta) => one.epsilonAt(delta).upper };
  });
}

function errorWords({ method, mixes, dominated }: Total): string {
  const how: Record<Method, string> = {
    native:
      'the losses lie on an arithmetic progression and are not moved; truncation, aliasing and rounding are bounded',
    few: 'all sums of losses are written out; rounding is bounded',
    grid: 'the losses are blurred by a further tiny release, whose part is bounded, and added up on a grid of frequencies; truncation, aliasing and rounding are bounded',
  };
  const mix = dominated
    ? '; from above by one pair that dominates all directions, which is further off'
    : mixes > 0
      ? `; the worst of ${mixes} mixes of directions`
      : '';
  return `${how[method]}${mix}`;
}

/** How often all of these fit into (ε, δ): the whole list so many times, at most a billion. */
export function timesWithin(releases: readonly Named[], epsilon: number, delta: number, group = 1): number {
  return largest(1, (k) =>
    meets(
      releases.map((release) => ({ ...release, times: release.times * k })),
      epsilon,
      delta,
      group,
    ),
  );
}

/** How many more times one of these fits beside all of them. */
export function moreWithin(
  releases: readonly Named[],
  which: number,
  epsilon: number,
  delta: number,
  group = 1,
): number {
  const more = (k: number) =>
    releases.map((release, i) => (i === which ? { ...release, times: release.times + k } : release));
  return largest(0, (k) => meets(more(k), epsilon, delta, group));
}

/** Is δ(ε) of all of them, from above, at most this? */
export function meets(releases: readonly Named[], epsilon: number, delta: number, group = 1): boolean {
  if (releases.some(({ times }) => times > 1e9)) return false;
  return totalOf(releases, group).deltaAt(epsilon).upper <= delta;
}

/** The largest whole number from `least` on that fits; 0 where none does. */
function largest(least: number, fits: (k: number) => boolean): number {
  if (!fits(least)) return 0;
  let [low, high] = [least, Math.max(2, 2 * least)];
  while (high < 1e9 && fits(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** δ against ε, from 0 to where next to nothing is left. */
export type ProfilePoints = readonly (Bracket & { readonly epsilon: number })[];

/** δ from both sides at a few ε, for a picture. */
export function profileOf({ total, unit, upper }: Account): ProfilePoints {
  const asked = unit === 'delta' ? 0 : upper;
  const points = total.mixes > 1_000 ? 13 : total.method === 'grid' ? 41 : 129;
  const least = total.epsilonAt(1e-10).upper;
  const most = Math.max(1e-6, Number.isFinite(least) ? least : 20, Number.isFinite(asked) ? 1.1 * asked : 0);
  return Array.from({ length: points }, (_, i) => {
    const epsilon = (most * i) / (points - 1);
    return { epsilon, ...total.deltaAt(epsilon) };
  });
}

/** Points of the trade-off curve: the least error of the second kind for each of the first. */
export function tradeOff(
  profile: ProfilePoints,
  points = 65,
): { readonly first: number; readonly second: number }[] {
  // f(a) = max over ε of 1 − δ(ε) − e^ε·a and of e^−ε·(1 − δ(ε) − a)
  return Array.from({ length: points }, (_, i) => {
    const first = i / (points - 1);
    const second = Math.max(
      0,
      ...profile.map(({ epsilon, upper: delta }) =>
        Math.max(1 - delta - Math.exp(epsilon) * first, Math.exp(-epsilon) * (1 - delta - first)),
      ),
    );
    return { first, second };
  });
}
