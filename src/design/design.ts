// The least harmful noise for a privacy target: solved in doubles, bounded from below by duality, compiled
// to integers, certified, and valued again from the integers.

import { invalid } from '../error/index.js';
import {
  exp,
  negate,
  type Rational,
  toDecimal,
  toNumberDown,
  toNumberNear,
  toNumberUp,
} from '../exact/index.js';
import { type Certificate, certify, type Mechanism } from '../mechanism/index.js';
import type { Target } from '../noise/index.js';
import { lastIndex, moments, type Pmf, total, windowPmf } from '../pmf/index.js';
import type { Prior } from '../prior/index.js';
import { solveApproximate } from './approximate.js';
import { familiesAt } from './families.js';
import { centredExactly, finitePmf, purePmf } from './integers.js';
import type { PureProblem } from './level-column.js';
import { largestWeight, type Objective, scaled } from './objective.js';
import { firstReach, solvePure, WIDEST } from './pure.js';
import { transportOf } from './transport.js';
import { objectiveValue } from './value.js';

/** What is asked of a design beside its guarantee. */
export interface DesignOptions {
  readonly objective: Objective;
  /** The input's distribution, public; needed where the objective has W. */
  readonly prior: Prior | null;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
}

/** The `origin` of a designed mechanism: what was asked for, what was reached, and what cannot be beaten. */
export type DesignOrigin = ReturnType<typeof originOf>;

export interface Design {
  readonly mechanism: Mechanism;
  readonly certificate: Certificate;
  /** The objective's value, from the integers. */
  readonly value: number;
  /** No noise on the whole lattice with this guarantee has a lower value. */
  readonly lowerBound: number;
  /** (value − lowerBound) / value */
  readonly gap: number;
  /** Level functions mixed; 0 where the noise is not such a mixture. */
  readonly parts: number;
  /** Points to a block of the programme for δ > 0; 1 where it is exact, 0 where it was not needed. */
  readonly grain: number;
}

/** The relative gap a design aims for. */
export const GAP = 1e-6;

/** What is being done, for people who wait. */
export type Progress = (message: string) => void;

const LARGEST_EPSILON = 600n;

/**
 * The least harmful noise with the guarantee of the target: the mechanism's claim is certified from its integers, and no noise on
 * the whole lattice with this guarantee has a value below `lowerBound` (proofs/optimal-noise.md, proofs/approximate-noise.md).
 */
export function design(
  target: Target,
  options: DesignOptions,
  step: Rational,
  progress: Progress = () => {},
): Design {
  const { epsilon, delta } = target;
  const { objective, prior } = options;
  if (epsilon.num <= 0n)
    throw invalid(`epsilon: expected a value above 0, got ${toDecimal(epsilon)}; no noise has ε = 0`);
  if (epsilon.num > LARGEST_EPSILON * epsilon.den)
    throw invalid(
      `epsilon: expected at most ${LARGEST_EPSILON}, got ${toDecimal(epsilon)}: beyond, e^−ε is too small for doubles, and there is no privacy to design for`,
    );
  if (objective.wasserstein > 0 && !prior)
    throw invalid('objective: wasserstein needs the distribution of the data; give it with {prior}');
  // Weights around one, whatever the units; symmetric objectives need no multiplier for the mean.
  const unit = largestWeight(objective);
  const own = { ...options, objective: scaled(objective, 1 / unit) };
  const symmetric = options.symmetric || objective.wasserstein === 0;
  const pure = designPure(
    target,
    { ...own, symmetric: options.symmetric || (options.unbiased && symmetric) },
    step,
    progress,
  );
  const finish = (found: Found, lowerBound: number, grain: number): Design => {
    const value = objectiveValue(found.mechanism.pmf, objective, prior?.pmf ?? null);
    const proved = lowerBound * unit * (1 - 2 ** -50);
    // A bound above a value it should bound means that the value is lost in rounding: then it says nothing.
    const bound = proved <= value * (1 + 1e-9) ? Math.min(proved, value) : 0;
    const mechanism = { ...found.mechanism, origin: { ...originOf(options, value, bound) } };
    return {
      ...found,
      mechanism,
      grain,
      value,
      lowerBound: bound,
      gap: value > 0 ? (value - bound) / value : 0,
    };
  };
  if (delta.num === 0n) return finish(pure, pure.lowerBound, 0);
  const approximate = designApproximate(target, { ...own, symmetric }, step, progress);
  const others = familiesAt(target, step)
    .filter(({ mechanism: { pmf } }) => isAsked(pmf, options))
    .map(({ mechanism, certificate }): Found => ({ mechanism, certificate, lowerBound: 0, parts: 0 }));
  const inside = withinTails(target, own.objective, step);
  return [
    withPoint(pure, target),
    ...(approximate.found ? [approximate.found] : []),
    ...(inside ? [inside] : []),
    ...others,
  ]
    .map((found) => finish(found, approximate.lowerBound, approximate.grain))
    .reduce((a, b) => (b.value < a.value ? b : a));
}

/** How it came about, in the file: what was asked for, what was reached, and what cannot be beaten. */
function originOf(
  { objective, prior, unbiased, symmetric }: DesignOptions,
  value: number,
  lowerBound: number,
) {
  return {
    design: {
      objective: objective.text,
      ...(unbiased ? { unbiased: true } : {}),
      ...(symmetric ? { symmetric: true } : {}),
      value,
      lowerBound,
      prior: prior && { spec: prior.spec, ...(prior.cut ? { cut: prior.cut } : {}), declaredPublic: true },
    },
  };
}

/** Pure noise that is left out with probability δ: (ε, δ)-DP by itself, and better than pure. */
function withPoint(pure: Found, { epsilon, delta, adjacency }: Target): Found {
  const { pmf } = pure.mechanism;
  const mass = total(pmf);
  const more = (mass.num * delta.num) / (mass.den * (delta.den - delta.num));
  const weights = pmf.weights.map((weight, i) => (i === -pmf.from ? weight + more : weight));
  const mechanism = { pmf: { ...pmf, weights }, adjacency, claim: { epsilon, delta }, origin: {} };
  const certificate = certify(mechanism);
  return certificate.holds ? { ...pure, mechanism, certificate } : pure;
}

interface Found {
  readonly mechanism: Mechanism;
  readonly certificate: Certificate;
  readonly lowerBound: number;
  readonly parts: number;
}

/** Work on column generation, in multiplications: half a minute or so; only rough priors over many points come near. */
const WORK = 4e10;

function designPure(target: Target, options: DesignOptions, step: Rational, progress: Progress): Found {
  const { epsilon, adjacency } = target;
  const enclosed = exp(negate(epsilon));
  // Room for the rounding of doubles, made larger where it does not suffice.
  for (let room = 2 ** -42; ; room *= 64) {
    const problem: PureProblem = {
      adjacency,
      q: toNumberUp(enclosed.upper) * (1 + room),
      qLow: toNumberDown(enclosed.lower),
      objective: options.objective,
      transport: options.objective.wasserstein > 0 ? transportOf(options.prior!.pmf) : null,
      unbiased: options.unbiased && !options.symmetric,
      symmetric: options.symmetric,
    };
    const reach = problem.q < 1 ? firstReach(problem) : Infinity;
    const points = (problem.transport?.rows ?? 0) + 1;
    if (points > WIDEST / 2)
      throw invalid(`prior: expected at most ${WIDEST / 2} lattice points, got ${points}; use a larger step`);
    if (reach > WIDEST)
      throw invalid(
        `epsilon: expected noise that reaches at most ${2 * WIDEST} steps across, got about ${rough(2 * reach)} at ε = ${toDecimal(epsilon)}, adjacency ${adjacency} steps; every step is weighed one by one, so use a larger epsilon or a larger step`,
      );
    const solution = solvePure(problem, {
      gap: GAP / 2,
      work: WORK,
      progress: (round, value, bound) =>
        progress(`round ${round}: relative gap ${((value - bound) / value).toExponential(1)}`),
    });
    const found = purePmf(solution, problem, step);
    const pmf = problem.unbiased ? centredExactly(found) : found;
    const mechanism = { pmf, adjacency, claim: { epsilon, delta: target.delta }, origin: {} };
    const certificate = certify(mechanism);
    if (certificate.holds)
      return { mechanism, certificate, lowerBound: solution.lowerBound, parts: solution.parts.length };
    if (room > 1e-6) throw new Error('design: the compiled noise does not keep its claim');
  }
}

/** Below this the programme loses its digits; the bound of a larger δ holds for a smaller one. */
const LEAST_DELTA = 1e-9;

function designApproximate(
  target: Target,
  options: DesignOptions,
  step: Rational,
  progress: Progress,
): { found: Found | null; lowerBound: number; grain: number } {
  const { epsilon, delta, adjacency } = target;
  const growth = exp(epsilon);
  const own = toNumberUp(delta);
  const solution = solveApproximate(
    {
      adjacency,
      epsilon: toNumberNear(epsilon),
      growth: toNumberDown(growth.lower) * (1 - 2 ** -42),
      growthUp: toNumberUp(growth.upper),
      delta: Math.max(own, LEAST_DELTA),
      objective: options.objective,
      prior: options.objective.wasserstein > 0 ? options.prior!.pmf : null,
      unbiased: options.unbiased && !options.symmetric,
      symmetric: options.symmetric,
    },
    (gap) => progress(`programme for δ: relative gap ${gap.toExponential(1)}`),
  );
  if (!solution) return { found: null, lowerBound: 0, grain: 0 };
  const { lowerBound, grain } = solution;
  if (own < LEAST_DELTA) return { found: null, lowerBound, grain };
  // What the solver leaves open by a hair is closed by a little geometric noise.
  for (const share of [0, 1e-7, 1e-6, 1e-5, 1e-4]) {
    const p = besideGeometric(solution.p, share, toNumberNear(epsilon) / adjacency);
    const pmf = finitePmf(p, solution.reach, 1e-8 * toNumberDown(delta), step);
    const mechanism = {
      pmf: options.unbiased ? centredExactly(pmf) : pmf,
      adjacency,
      claim: { epsilon, delta },
      origin: {},
    };
    const certificate = certify(mechanism);
    if (certificate.holds)
      return { found: { mechanism, certificate, lowerBound, parts: 0 }, lowerBound, grain };
  }
  return { found: null, lowerBound, grain };
}

/** (1 − share)·p and a share of noise that falls a little less than it may. */
function besideGeometric(p: Float64Array, share: number, slope: number): Float64Array {
  if (share === 0) return p;
  const middle = (p.length - 1) / 2;
  const other = p.map((_, i) => Math.exp(-0.98 * slope * Math.abs(i - middle)));
  const whole = other.reduce((sum, value) => sum + value, 0);
  return p.map((value, i) => (1 - share) * value + (share * other[i]!) / whole);
}

/**
 * Where only tails count, noise that has none: on the points up to the nearest of them, rising by e^ε every m points from its ends,
 * which is as much as its ends allow. Symmetric, and with mean 0; null where it does not keep the claim.
 */
function withinTails(target: Target, objective: Objective, step: Rational): Found | null {
  const { epsilon, delta, adjacency } = target;
  const { wasserstein, magnitude, variance, tails } = objective;
  const reach = Math.min(...tails.map(({ beyond }) => beyond));
  if (wasserstein + magnitude + variance > 0 || !(reach <= WIDEST)) return null;
  const stairs = (k: number) => Math.floor((reach - Math.abs(k)) / adjacency) - Math.floor(reach / adjacency);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) =>
    BigInt(Math.ceil(2 ** 60 * Math.exp(toNumberNear(epsilon) * stairs(i - reach)))),
  );
  const mechanism = {
    pmf: windowPmf(step, -reach, weights),
    adjacency,
    claim: { epsilon, delta },
    origin: {},
  };
  const certificate = certify(mechanism);
  return certificate.holds ? { mechanism, certificate, lowerBound: 0, parts: 0 } : null;
}

/** Is noise that was not designed what was asked for? */
function isAsked(pmf: Pmf, { unbiased, symmetric }: DesignOptions): boolean {
  if (unbiased && moments(pmf).mean.num !== 0n) return false;
  return (
    !symmetric ||
    (pmf.from === -lastIndex(pmf) && pmf.weights.every((weight, i) => weight === pmf.weights.at(-1 - i)))
  );
}

function rough(x: number): string {
  return Number.isFinite(x) ? String(Number(x.toPrecision(2))) : 'without end';
}
