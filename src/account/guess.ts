// How often whoever must tell two neighbours apart is right, at most, by all that is published of a person (proofs/account.md, Guesses).

import { isOurs } from '../error/index.js';
import { exp, integer, multiply, negate, one, rational, toNumberUp, zero } from '../exact/index.js';
import { profileOf } from '../mechanism/index.js';
import { windowPmf } from '../pmf/index.js';
import { mixCount } from './choices.js';
import { compose } from './composition.js';
import type { Cost } from './cost.js';
import { mixed, mixesOf } from './mixes.js';
import { type Pairs, pairsOf } from './pairs.js';
import { isWide, profiledLaw } from './profiled.js';
import { grouped, type Kind, type Repeated } from './total.js';

/** Noise of its own on each of so many values of a person, each of which moves by up to so many steps. */
export type Values = Pick<Repeated, 'pmf' | 'adjacency' | 'times'>;

/** Results of which a person changes some by one, so often in all; `cost` is that of one such change. */
export interface Changes {
  readonly cost: Cost;
  readonly times: number;
}

/** All that is published of one person. */
export interface Seen {
  readonly values: readonly Values[];
  readonly changes: readonly Changes[];
  /** An upper bound on what all of it costs her. */
  readonly cost: Cost;
}

/** What is left to roundings of a few operations on doubles. */
const ROUNDING = 1 + 1e-12;

/** How often the better guess between two neighbours, held for equally likely, is right: an upper bound, as a share. */
export function guessUpper({ values, changes, cost }: Seen): number {
  const told = changes
    .filter(({ cost: own }) => own.delta.num === 0n && own.epsilon.num > 0n)
    .map(geometricOf);
  const others = changes.filter(({ cost: own }) => own.delta.num !== 0n).map(changedApart);
  const apart = told.includes(null)
    ? 1
    : eitherApart([apartOf([...values, ...(told as Values[])]), ...others]);
  return Math.min(1, byCost(cost), ((1 + apart) / 2) * ROUNDING);
}

/** Of parts that are independent, from how far each of them is apart: 1 − Π (1 − t). */
function eitherApart(parts: readonly number[]): number {
  return Math.min(1, (1 - parts.reduce((left, part) => left * (1 - part), 1)) * ROUNDING);
}

/** The total variation distance of all of it together, from above. */
function apartOf(values: readonly Values[]): number {
  if (values.length === 0) return 0;
  const kinds = grouped(
    values.map((own) => ({ ...own, of: 'rows', sampling: null })),
    1,
  );
  try {
    return together(kinds);
  } catch (error) {
    if (!isOurs(error, 'argument')) throw error;
    // Too large to be added up.
    return oneByOne(kinds);
  }
}

function oneByOne(kinds: readonly Kind[]): number {
  return eitherApart(
    kinds.map(({ pmf, adjacency, times }) => {
      const once = toNumberUp(profileOf(pmf, adjacency).deltaAt(zero).upper);
      return Math.min(1, -Math.expm1(times * Math.log1p(-once)) * ROUNDING);
    }),
  );
}

/** Mixes of directions up to which each is looked at; beyond, one law stands for all, which takes no longer however many they are. */
const MOST_MIXES = 8;

function together(kinds: readonly Kind[]): number {
  const pairs = kinds.map(pairsOfKind);
  const choices = pairs.map(({ laws }, i) => ({ laws, times: kinds[i]!.times }));
  if (mixCount(choices) > MOST_MIXES)
    return compose(
      pairs.map(({ dominating }, i) => ({ losses: dominating(), times: kinds[i]!.times })),
    ).deltaAt(0).upper;
  return Math.max(...Array.from(mixesOf(choices), (mix) => compose(mixed(choices, mix)).deltaAt(0).upper));
}

/** Of every shift, or of wide noise one that dominates them. */
function pairsOfKind({ pmf, adjacency }: Kind): Pairs {
  if (!isWide(pmf, adjacency)) return pairsOf(pmf, adjacency, null, 'comes');
  const law = profiledLaw(pmf, adjacency);
  return { laws: [law], dominating: () => law };
}

/** Changes beyond which several are taken together. */
const MOST_CHANGES = 32;
/** Binary digits of the ratio. */
const DIGITS = 96;

/**
 * Changes without a δ tell no more than geometric noise of the same ε on a number that moves as often, whatever results they are
 * changes of; null where its ratio is next to nothing.
 */
function geometricOf({ cost: { epsilon }, times }: Changes): Values | null {
  const together = Math.ceil(times / MOST_CHANGES);
  const { lower } = exp(negate(multiply(epsilon, integer(together))), DIGITS + 32);
  const ratio = rational((lower.num << BigInt(DIGITS)) / lower.den, 1n << BigInt(DIGITS));
  if (ratio.num <= 0n) return null;
  const tail = { period: 1, ratio };
  const pmf = { ...windowPmf(one, 0, [1n]), left: tail, right: tail };
  return { pmf, adjacency: Math.ceil(times / together), times: 1 };
}

/** The total variation distance after so many changes of (ε, δ) each, from above. */
function changedApart({ cost, times }: Changes): number {
  const [a, delta] = [toNumberUp(cost.epsilon), toNumberUp(cost.delta)];
  const halves = Math.floor(times / 2);
  const once = Math.min(1, Math.tanh(a / 2) + (2 * delta) / (1 + Math.exp(a)));
  const rest = times % 2 === 0 ? 0 : Math.exp(-halves * a) * once;
  if (halves === 0) return rest * ROUNDING;
  const all = -Math.expm1(-halves * a) * (1 + (2 * delta) / Math.expm1(a)) + rest;
  return Number.isFinite(all) ? Math.min(1, all * ROUNDING) : 1;
}

/** What (ε, δ) alone allows: (e^ε + δ) / (1 + e^ε). */
function byCost({ epsilon, delta }: Cost): number {
  return Math.min(1, (1 - (1 - toNumberUp(delta)) / (1 + Math.exp(toNumberUp(epsilon)))) * ROUNDING);
}
