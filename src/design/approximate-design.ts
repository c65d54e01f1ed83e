// The least harmful noise with δ > 0: the programme's, compiled and certified, and better ones where more work is allowed.

import { isOurs } from '../error/index.js';
import { exp, type Rational, toNumberDown, toNumberNear, toNumberUp } from '../exact/index.js';
import { type Certificate, certify, type Mechanism } from '../mechanism/index.js';
import type { Target } from '../noise/index.js';
import { windowPmf } from '../pmf/index.js';
import { type ApproximateSolution, ladderOf, type Rung, solveApproximate } from './approximate.js';
import type { ApproximateProblem } from './cells.js';
import { centredExactly, finitePmf } from './integers.js';
import { mirrored } from './mirrored.js';
import type { Objective } from './objective.js';
import { type DesignOptions, type Found, GAP, type Progress } from './options.js';
import { WIDEST } from './pure.js';
import { objectiveValue } from './value.js';

/** Below this the programme loses its digits; the bound of a larger δ holds for a smaller one. */
const LEAST_DELTA = 1e-9;
/** Of the value: what may be lost to an input that is not quite the same from both ends. */
const LITTLE = 1e-8;
/** Multiplications: of a step of the first programme, and of any; of all that is done where no gap is asked for. */
const [FIRST_WORK, MOST_WORK, USUAL_WORK] = [2.2e7, 8e9, 5e9];
/** Of a noise value, what it takes to write it as an integer and to certify it, in multiplications. */
const COMPILING = 1000;
/** The share of geometric noise that is tried first where the programme was solved on cells, whose noise seldom keeps the claim. */
const FIRST_SHARE = 3e-7;
/** Noise values of which one peak is made before they are certified. */
const MANY = 200_000;
/** Steps that a programme takes, about. */
const STEPS = 40;
/** A gap from which on duals of larger δ are tried. */
const WIDE_GAP = 1e-5;
/** Each so many times the one before, up to the largest. */
const MORE_DELTA = 10;
const LARGEST_DELTA = 1e-3;

/** How often, and with how much of it, geometric noise is tried to close what is left open. */
const TRIALS = 6;
const MOST_SHARE = 0.1;

export function designApproximate(
  target: Target,
  options: DesignOptions,
  pure: { readonly value: number; readonly lowerBound: number },
  step: Rational,
  progress: Progress,
): { found: Found | null; lowerBound: number; grain: number } {
  const { epsilon, delta, adjacency } = target;
  const growth = exp(epsilon);
  const own = toNumberUp(delta);
  const { objective } = options;
  const prior = objective.wasserstein > 0 ? options.prior!.pmf : null;
  const even = prior && mirrored(prior, (LITTLE * pure.lowerBound) / objective.wasserstein);
  const symmetric = options.symmetric || !prior || even !== null;
  const problem: ApproximateProblem = {
    adjacency,
    epsilon: toNumberNear(epsilon),
    growth: toNumberDown(growth.lower) * (1 - 2 ** -50),
    growthUp: toNumberUp(growth.upper),
    delta: Math.max(own, LEAST_DELTA),
    asked: own,
    objective,
    prior: even ? even.pmf : prior,
    unbiased: options.unbiased && !symmetric,
    symmetric,
  };
  const lost = even ? objective.wasserstein * even.away : 0;
  let best: { found: Found | null; value: number; grain: number } = {
    ...{ found: null, value: pure.value, grain: 0 },
  };
  let [lowerBound, spent] = [0, 0];
  const gap = () => (lowerBound > 0 ? (best.value - lowerBound) / best.value : 1);
  const isOver = () => options.isStopped?.() || gap() <= (options.gap ?? GAP);
  const isTooMuch = (work: number) =>
    work > MOST_WORK || (options.gap === undefined && spent + STEPS * work > USUAL_WORK);
  const solve = (at: ApproximateProblem, { layout, work }: Rung) => {
    const solution = solveApproximate(at, layout, {
      progress: (left) => {
        spent += work;
        // The solver's own gap is not that of the noise, which is proved when it has ended.
        progress(`programme for δ, ${left.toExponential(0)} left`, gap());
      },
      isOver: options.isStopped,
    });
    lowerBound = Math.max(lowerBound, solution.lowerBound - lost);
    return solution;
  };
  for (const rung of ladderOf(problem, FIRST_WORK)) {
    if (best.grain > 0 && isTooMuch(rung.work)) break;
    const solution = solve(problem, rung);
    const found = own < LEAST_DELTA ? null : compiled(target, options, solution, step);
    spent += COMPILING * solution.p.length;
    const value = found ? objectiveValue(found.mechanism.pmf, objective, prior) : Infinity;
    if (value < best.value || best.grain === 0)
      best = { ...(value < best.value ? { found, value } : best), grain: solution.grain };
    if (isOver()) break;
  }
  // With little δ the programme may lose its digits: duals of a larger one do not, and bound this one too.
  for (let larger = MORE_DELTA * problem.delta; larger <= LARGEST_DELTA; larger *= MORE_DELTA) {
    if (isOver() || gap() <= WIDE_GAP) break;
    const at = { ...problem, delta: larger };
    const rung = ladderOf(at, FIRST_WORK)[0]!;
    if (isTooMuch(rung.work)) break;
    const before = lowerBound;
    solve(at, rung);
    if (before > 0 && lowerBound === before) break;
  }
  return { found: best.found, lowerBound, grain: best.grain };
}

/** Integers that keep the claim; null where there are none near by. */
function compiled(
  { epsilon, delta, adjacency }: Target,
  { unbiased }: DesignOptions,
  solution: ApproximateSolution,
  step: Rational,
): Found | null {
  // What the solver leaves open by a hair is closed by a little geometric noise, which has no δ of its own: a share of it takes
  // that share off what there is.
  let share = solution.grain > 1 ? FIRST_SHARE : 0;
  // Small peaks that the programme leaves are looked at one by one.
  let p = solution.p.length > MANY ? withOnePeak(solution.p) : solution.p;
  for (let trial = 0; trial < TRIALS && share < MOST_SHARE; trial++) {
    const mixed = besideGeometric(p, share, toNumberNear(epsilon) / adjacency);
    const pmf = finitePmf(mixed, solution.reach, 1e-8 * toNumberDown(delta), step);
    const mechanism = {
      pmf: unbiased ? centredExactly(pmf) : pmf,
      adjacency,
      claim: { epsilon, delta },
      origin: {},
    };
    const certificate = certificateOf(mechanism);
    if (certificate?.holds) return { mechanism, certificate, lowerBound: 0, parts: 0 };
    if (certificate === null) {
      // With many small peaks, that take too long to be looked at one by one; without them, what is largest is known.
      if (p !== solution.p) return null;
      p = withOnePeak(p);
    } else {
      const wanted = 1 - toNumberDown(delta) / toNumberUp(certificate.deltaUpper);
      share = Math.max(10 * share, share + 1.01 * wanted, 1e-7);
    }
  }
  return null;
}

/** Null where the noise is too large to be certified. */
function certificateOf(mechanism: Mechanism): Certificate | null {
  try {
    return certify(mechanism);
  } catch (error) {
    if (isOurs(error)) return null;
    throw error;
  }
}

/** Nowhere less than further out. */
function withOnePeak(p: Float64Array): Float64Array {
  const raised = p.slice();
  const peak = p.indexOf(p.reduce((a, b) => Math.max(a, b)));
  for (let i = 1; i <= peak; i++) raised[i] = Math.max(raised[i]!, raised[i - 1]!);
  for (let i = p.length - 2; i > peak; i--) raised[i] = Math.max(raised[i]!, raised[i + 1]!);
  const whole = raised.reduce((sum, value) => sum + value, 0);
  return raised.map((value) => value / whole);
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
export function withinTails(target: Target, objective: Objective, step: Rational): Found | null {
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
