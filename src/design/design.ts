// The least harmful noise for a privacy target: solved in doubles, bounded from below by duality, compiled
// to integers, certified, and valued again from the integers.

import { invalid } from '../error/index.js';
import { exp, negate, type Rational, toDecimal, toNumberDown, toNumberUp } from '../exact/index.js';
import { type Certificate, certify, type Mechanism } from '../mechanism/index.js';
import type { Target } from '../noise/index.js';
import { lastIndex, moments, type Pmf, total } from '../pmf/index.js';
import { designApproximate, withinTails } from './approximate-design.js';
import { closenessOf } from './closeness.js';
import { rivals } from './families.js';
import { centredExactly, purePmf, writtenPmf } from './integers.js';
import type { PureProblem } from './level-column.js';
import { solveNear } from './near.js';
import { isDivergence, largestWeight, needsPrior, scaled } from './objective.js';
import { type DesignOptions, type Found, GAP, type Progress } from './options.js';
import { firstReach, solvePure, WIDEST } from './pure.js';
import { transportOf } from './transport.js';
import { objectiveValue } from './value.js';

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
  if (needsPrior(objective) && !prior)
    throw invalid(`objective: ${objective.text} needs the distribution of the data; give it with {prior}`);
  if (isDivergence(objective) && delta.num > 0n)
    throw invalid('objective: kl and js are designed for pure ε; leave {delta} out, or minimise wasserstein');
  if (isDivergence(objective) && options.unbiased && !options.symmetric)
    throw invalid(
      'unbiased: with kl or js only symmetric noise can be asked to be so; set {symmetric} instead',
    );
  // Weights around one, whatever the units; symmetric objectives need no multiplier for the mean.
  const unit = largestWeight(objective);
  const own = { ...options, objective: scaled(objective, 1 / unit) };
  const symmetric = options.symmetric || !needsPrior(objective);
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
  const point = withPoint(pure, target);
  const value = objectiveValue(point.mechanism.pmf, own.objective, prior?.pmf ?? null);
  const approximate = designApproximate(target, own, { ...pure, value }, step, progress);
  const inside = withinTails(target, own.objective, step);
  const better = (a: Design, b: Design) => (b.value < a.value ? b : a);
  const finished = (found: Found) => finish(found, approximate.lowerBound, approximate.grain);
  const best = [point, ...(approximate.found ? [approximate.found] : []), ...(inside ? [inside] : [])]
    .map(finished)
    .reduce(better);
  if (options.isStopped?.()) return best;
  const worth = ({ mechanism: { pmf } }: { readonly mechanism: Mechanism }) =>
    objectiveValue(pmf, objective, prior?.pmf ?? null);
  return rivals(target, step, best.value, worth)
    .filter(({ mechanism: { pmf } }) => isAsked(pmf, options))
    .map(({ mechanism, certificate }) => finished({ mechanism, certificate, lowerBound: 0, parts: 0 }))
    .reduce(better, best);
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
      prior: prior && {
        spec: prior.spec,
        ...(prior.cut ? { cut: prior.cut } : {}),
        ...(prior.paid ? { paid: prior.paid } : { declaredPublic: true, paid: undefined }),
      },
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

/** Work in multiplications where no gap is asked for: ten seconds or so; only rough priors over many points come near. */
const WORK = 1e10;

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
      closeness: isDivergence(options.objective) ? closenessOf(options.prior!.pmf, options.objective) : null,
      unbiased: options.unbiased && !options.symmetric,
      symmetric: options.symmetric,
    };
    const reach = problem.q < 1 ? firstReach(problem) : Infinity;
    const points = (problem.transport ?? problem.closeness ?? { rows: 0 }).rows + 1;
    if (points > WIDEST / 2)
      throw invalid(`prior: expected at most ${WIDEST / 2} lattice points, got ${points}; use a larger step`);
    if (reach > WIDEST)
      throw invalid(
        `epsilon: expected noise that reaches at most ${2 * WIDEST} steps across, got about ${rough(2 * reach)} at ε = ${toDecimal(epsilon)}, adjacency ${adjacency} steps; every step is weighed one by one, so use a larger epsilon or a larger step`,
      );
    const solve = problem.closeness ? solveNear : solvePure;
    const solution = solve(problem, {
      gap: (options.gap ?? GAP) / 2,
      // Where there is δ to spend, that is only what its own programme is compared with.
      isThorough: target.delta.num === 0n,
      work: target.delta.num > 0n ? WORK / 5 : options.gap === undefined ? WORK : Infinity,
      isStopped: options.isStopped ?? (() => false),
      progress: (round, value, bound) => progress(`round ${round}`, (value - bound) / value),
    });
    const { written, parts, lowerBound } = solution;
    // The mixture stands in where what the programme wrote does not keep the claim.
    const made = [
      ...(written ? [{ pmf: () => writtenPmf(written, problem, step), parts: 0 }] : []),
      { pmf: () => purePmf(solution, problem, step), parts: parts.length },
    ];
    for (const one of made) {
      const pmf = problem.unbiased ? centredExactly(one.pmf()) : one.pmf();
      const mechanism = { pmf, adjacency, claim: { epsilon, delta: target.delta }, origin: {} };
      const certificate = certify(mechanism);
      if (certificate.holds) return { mechanism, certificate, lowerBound, parts: one.parts };
    }
    if (room > 1e-6) throw new Error('design: the compiled noise does not keep its claim');
  }
}

/** Is noise that was not designed what was asked for? */
function isAsked(pmf: Pmf, { unbiased, symmetric }: DesignOptions): boolean {
  if (unbiased && moments(pmf).mean.num !== 0n) return false;
  return !symmetric || (pmf.from === -lastIndex(pmf) && isPalindrome(pmf.weights));
}

function isPalindrome(weights: readonly bigint[]): boolean {
  return weights.every((weight, i) => weight === weights.at(-1 - i));
}

function rough(x: number): string {
  return Number.isFinite(x) ? String(Number(x.toPrecision(2))) : 'without end';
}
