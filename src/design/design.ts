// The least harmful noise for a privacy target: solved in doubles, bounded from below by duality, compiled
// to integers, certified, and valued again from the integers.

import {
  add,
  divide,
  exp,
  negate,
  type Rational,
  toDecimal,
  toNumberDown,
  toNumberNear,
  toNumberUp,
} from '../exact/index.js';
import { type Certificate, certify, type Mechanism } from '../mechanism/index.js';
import {
  cumulativeWeight,
  lastIndex,
  mirror,
  moments,
  type Pmf,
  probabilities,
  total,
} from '../pmf/index.js';
import { solveApproximate } from './approximate.js';
import { type Goal, scaled } from './goal.js';
import { finitePmf, purePmf } from './integers.js';
import { firstReach, type PureProblem, solvePure, WIDEST } from './pure.js';
import { transportOf } from './transport.js';

export interface Target {
  readonly epsilon: Rational;
  readonly delta: Rational;
  /** In steps. */
  readonly adjacency: number;
}

export interface Wish {
  readonly goal: Goal;
  /** The input's distribution, public; needed where the goal has W. */
  readonly prior: Pmf | null;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
}

export interface Design {
  readonly mechanism: Mechanism;
  readonly certificate: Certificate;
  /** The goal's value, from the integers. */
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

export function design(target: Target, wish: Wish, step: Rational, progress: Progress = () => {}): Design {
  const { epsilon, delta } = target;
  const { goal, prior } = wish;
  if (epsilon.num <= 0n) throw new RangeError(`epsilon: expected a value above 0, got ${toDecimal(epsilon)}`);
  if (epsilon.num > LARGEST_EPSILON * epsilon.den)
    throw new RangeError(
      `epsilon: expected at most ${LARGEST_EPSILON}, got ${toDecimal(epsilon)}: beyond, e^−ε is too small for doubles, and there is no privacy to design for`,
    );
  if (goal.wasserstein > 0 && !prior) throw new RangeError('objective: wasserstein needs a prior');
  // Weights around one, whatever the units; symmetric goals need no multiplier for the mean.
  const unit = Math.max(
    goal.wasserstein,
    goal.magnitude,
    goal.variance,
    ...goal.tails.map(({ weight }) => weight),
  );
  const own = { ...wish, goal: scaled(goal, 1 / unit) };
  const symmetric = wish.symmetric || goal.wasserstein === 0;
  const pure = designPure(
    target,
    { ...own, symmetric: wish.symmetric || (wish.unbiased && symmetric) },
    step,
    progress,
  );
  const finish = (candidate: Candidate, lowerBound: number, grain: number): Design => {
    const value = goalValue(candidate.mechanism.pmf, goal, prior);
    const proved = lowerBound * unit * (1 - 2 ** -50);
    // A bound above a value it should bound means that the value is lost in rounding: then it says nothing.
    const bound = proved <= value * (1 + 1e-9) ? Math.min(proved, value) : 0;
    return { ...candidate, grain, value, lowerBound: bound, gap: value > 0 ? (value - bound) / value : 0 };
  };
  if (delta.num === 0n) return finish(pure, pure.lowerBound, 0);
  const found = designApproximate(target, { ...own, symmetric }, step, progress);
  const grain = found.grain;
  const candidates = [withPoint(pure, target), ...(found.candidate ? [found.candidate] : [])];
  return candidates
    .map((candidate) => finish(candidate, found.lowerBound, grain))
    .reduce((a, b) => (b.value < a.value ? b : a));
}

/** Pure noise that is left out with probability δ: (ε, δ)-DP by itself, and better than pure. */
function withPoint(pure: Candidate, { epsilon, delta, adjacency }: Target): Candidate {
  const { pmf } = pure.mechanism;
  const mass = total(pmf);
  const more = (mass.num * delta.num) / (mass.den * (delta.den - delta.num));
  const weights = pmf.weights.map((weight, i) => (i === -pmf.from ? weight + more : weight));
  const mechanism = { pmf: { ...pmf, weights }, adjacency, claim: { epsilon, delta }, origin: {} };
  const certificate = certify(mechanism);
  return certificate.holds ? { ...pure, mechanism, certificate } : pure;
}

/** The goal's value for any noise, in data units. */
export function goalValue(pmf: Pmf, goal: Goal, prior: Pmf | null): number {
  let value = 0;
  const unit = toNumberNear(pmf.step);
  if (goal.magnitude > 0 || goal.variance > 0) {
    const exact = moments(pmf);
    value += (goal.magnitude / unit) * toNumberNear(exact.meanAbsolute);
    value += (goal.variance / (unit * unit)) * toNumberNear(exact.meanSquare);
  }
  if (goal.wasserstein > 0) value += (goal.wasserstein / unit) * outputDistance(prior!, pmf);
  if (goal.tails.length > 0) {
    const [left, right] = [cumulativeWeight(pmf), cumulativeWeight(mirror(pmf))];
    const mass = total(pmf);
    for (const { beyond, weight } of goal.tails) {
      const outside = add(left(-beyond - 1).upper, right(-beyond - 1).upper);
      value += weight * toNumberNear(divide(outside, mass));
    }
  }
  return value;
}

/** W of input + noise from the input, in data units; accurate where it is small beside the input's range. */
export function outputDistance(prior: Pmf, pmf: Pmf): number {
  const transport = transportOf(prior);
  const reach = Math.max(transport.rows + 1, -pmf.from, lastIndex(pmf));
  const { p, beyond } = probabilities(pmf, Math.min(-reach, pmf.from), Math.max(reach, lastIndex(pmf)));
  const side = ({ mass, sums }: { mass: number; sums: number }) => ({ mass, excess: sums });
  const { open, outside } = transport.residual({
    reach,
    p,
    left: side(beyond.left),
    right: side(beyond.right),
  });
  return open.reduce((sum, v) => sum + Math.abs(v), outside) * toNumberNear(pmf.step);
}

interface Candidate {
  readonly mechanism: Mechanism;
  readonly certificate: Certificate;
  readonly lowerBound: number;
  readonly parts: number;
}

/** Work on column generation, in multiplications: half a minute or so; only rough priors over many points come near. */
const WORK = 4e10;

function designPure(target: Target, wish: Wish, step: Rational, progress: Progress): Candidate {
  const { epsilon, adjacency } = target;
  const enclosed = exp(negate(epsilon));
  // Room for the rounding of doubles, made larger where it does not suffice.
  for (let room = 2 ** -42; ; room *= 64) {
    const problem: PureProblem = {
      adjacency,
      q: toNumberUp(enclosed.upper) * (1 + room),
      qLow: toNumberDown(enclosed.lower),
      goal: wish.goal,
      transport: wish.goal.wasserstein > 0 ? transportOf(wish.prior!) : null,
      unbiased: wish.unbiased && !wish.symmetric,
      symmetric: wish.symmetric,
    };
    const reach = problem.q < 1 ? firstReach(problem) : Infinity;
    const points = (problem.transport?.rows ?? 0) + 1;
    if (points > WIDEST / 2)
      throw new RangeError(
        `prior: expected at most ${WIDEST / 2} lattice points, got ${points}; use a larger step`,
      );
    if (reach > WIDEST) {
      throw new RangeError(
        `epsilon: expected noise that reaches at most ${2 * WIDEST} steps across, got about ${rough(2 * reach)} at ε = ${toDecimal(epsilon)}, adjacency ${adjacency} steps; every step is weighed one by one, so use a larger epsilon or a larger step`,
      );
    }
    const solution = solvePure(problem, {
      gap: GAP / 2,
      work: WORK,
      progress: (round, value, bound) =>
        progress(`round ${round}: relative gap ${((value - bound) / value).toExponential(1)}`),
    });
    const pmf = purePmf(solution, problem, step);
    const mechanism = { pmf, adjacency, claim: { epsilon, delta: target.delta }, origin: {} };
    const certificate = certify(mechanism);
    if (certificate.holds)
      return {
        mechanism,
        certificate,
        lowerBound: solution.lowerBound,
        parts: solution.parts.length,
      };
    if (room > 1e-6) throw new Error('design: the compiled noise does not keep its claim');
  }
}

/** Below this the programme loses its digits; the bound of a larger δ holds for a smaller one. */
const LEAST_DELTA = 1e-9;

function designApproximate(
  target: Target,
  wish: Wish,
  step: Rational,
  progress: Progress,
): { candidate: Candidate | null; lowerBound: number; grain: number } {
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
      goal: wish.goal,
      prior: wish.goal.wasserstein > 0 ? wish.prior : null,
      unbiased: wish.unbiased && !wish.symmetric,
      symmetric: wish.symmetric,
    },
    (gap) => progress(`programme for δ: relative gap ${gap.toExponential(1)}`),
  );
  if (!solution) return { candidate: null, lowerBound: 0, grain: 0 };
  const { lowerBound, grain } = solution;
  if (own < LEAST_DELTA) return { candidate: null, lowerBound, grain };
  const pmf = finitePmf(solution.p, solution.reach, 1e-8 * toNumberDown(delta), step);
  const mechanism = { pmf, adjacency, claim: { epsilon, delta }, origin: {} };
  const certificate = certify(mechanism);
  return {
    candidate: certificate.holds ? { mechanism, certificate, lowerBound, parts: 0 } : null,
    lowerBound,
    grain,
  };
}

function rough(x: number): string {
  return Number.isFinite(x) ? String(Number(x.toPrecision(2))) : 'without end';
}
