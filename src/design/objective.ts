// What a design minimises: a weighted sum of W(x, x + θ), E|θ|, E θ² and P(|θ| > t), or of KL(x ‖ x + θ), JS(x, x + θ) and the last three.

import { invalid } from '../error/index.js';
import { divide, floor, parseDecimal, parseRational, type Rational, toNumberNear } from '../exact/index.js';
import { quote, suggest } from '../spec/index.js';

/** Weights, and distances in steps. */
export interface Objective {
  /** As it is written. */
  readonly text: string;
  readonly wasserstein: number;
  readonly magnitude: number;
  readonly variance: number;
  readonly tails: readonly { readonly beyond: number; readonly weight: number }[];
  /** Divergences of the output's distribution from the input's, in nats. */
  readonly kl: number;
  readonly js: number;
}

/** Weights further apart than this lose each other's digits. */
const LEAST_WEIGHT = 1e-12;
const FURTHEST = 1_000_000;
const NAMES = ['wasserstein', 'magnitude', 'variance', 'kl', 'js', 'tail'];

/**
 * `wasserstein`, `magnitude`, `variance`, `kl`, `js` or `tail:t`, or several with weights: `wasserstein,magnitude=0.1`.
 * Weights are for data units; the objective's value is then in data units although its distances are in steps.
 */
export function parseObjective(text: string, step: Rational): Objective {
  const objective = {
    text,
    wasserstein: 0,
    magnitude: 0,
    variance: 0,
    kl: 0,
    js: 0,
    tails: [] as { beyond: number; weight: number }[],
  };
  const unit = toNumberNear(step);
  for (const part of text.split(',')) {
    const [term = '', factor, ...moreFactors] = part.split('=');
    const [name = '', distance, ...moreDistances] = term.split(':');
    const extra = moreFactors.length + moreDistances.length > 0;
    if (!NAMES.includes(name) || (distance !== undefined) !== (name === 'tail') || extra) {
      const known =
        'known are wasserstein, magnitude, variance, kl, js and tail:t, as in wasserstein,magnitude=0.1';
      const hint = NAMES.includes(name)
        ? known
        : suggest(name, NAMES, 'known are').replace(/tail$/, 'tail:t');
      throw invalid(`objective: unknown ${quote(extra ? part : term)}; ${hint}`);
    }
    const exact = factor === undefined ? null : parseDecimal(factor, `objective: weight of ${term}`);
    if (exact && exact.num <= 0n)
      throw invalid(`objective: expected a weight above 0 for ${term}, got ${factor}`);
    const weight = exact ? toNumberNear(exact) : 1;
    if (!(weight >= LEAST_WEIGHT && weight <= 1 / LEAST_WEIGHT))
      throw invalid(`objective: expected a weight from 1e-12 to 1e12 for ${term}, got ${factor}`);
    if (name === 'tail') {
      const t = parseRational(distance!, 'objective: the distance of tail');
      if (t.num < 0n) throw invalid(`objective: expected tail:t with t of at least 0, got ${distance}`);
      const beyond = Number(floor(divide(t, step)));
      if (beyond > FURTHEST)
        throw invalid(`objective: expected tail:t within ${FURTHEST} steps, got ${distance}`);
      objective.tails.push({ beyond, weight });
    } else if (name === 'wasserstein') objective.wasserstein += weight * unit;
    else if (name === 'magnitude') objective.magnitude += weight * unit;
    else if (name === 'kl' || name === 'js') objective[name] += weight;
    else objective.variance += weight * unit * unit;
  }
  if (objective.wasserstein > 0 && isDivergence(objective))
    throw invalid('objective: expected kl and js without wasserstein; leave one of them out');
  return objective;
}

/** Is a divergence in it, which is convex in the noise but not piecewise linear? */
export function isDivergence({ kl, js }: Objective): boolean {
  return kl + js > 0;
}

/** Does it depend on the input's distribution? */
export function needsPrior(objective: Objective): boolean {
  return objective.wasserstein > 0 || isDivergence(objective);
}

/** The cost of a noise value, W aside. */
export function costAt({ magnitude, variance, tails }: Objective, value: number): number {
  const k = Math.abs(value);
  let cost = magnitude * k + variance * k * k;
  for (const { beyond, weight } of tails) if (k > beyond) cost += weight;
  return cost;
}

/** Its largest weight: what it is scaled by, so that weights are around one whatever the units. */
export function largestWeight({ wasserstein, magnitude, variance, kl, js, tails }: Objective): number {
  return Math.max(wasserstein, magnitude, variance, kl, js, ...tails.map(({ weight }) => weight));
}

/** How the cost grows beyond a distance: by linear·d + square·d² for d steps more, exactly. */
export function growthBeyond({ magnitude, variance }: Objective, reach: number) {
  return { linear: magnitude + 2 * variance * reach, square: variance };
}

/** The least by which a step outward adds to the cost at a distance, W's included. */
export function slopeAt(objective: Objective, distance: number): number {
  return objective.wasserstein + growthBeyond(objective, distance).linear;
}

/** Does the cost grow faster than the distance, and from where on is it as it stays? */
export function outlook({ variance, tails }: Objective) {
  return { steep: variance > 0, settledFrom: Math.max(0, ...tails.map(({ beyond }) => beyond)) };
}

/** The same with all weights times a factor. */
export function scaled(objective: Objective, factor: number): Objective {
  return {
    ...objective,
    wasserstein: objective.wasserstein * factor,
    magnitude: objective.magnitude * factor,
    variance: objective.variance * factor,
    kl: objective.kl * factor,
    js: objective.js * factor,
    tails: objective.tails.map(({ beyond, weight }) => ({ beyond, weight: weight * factor })),
  };
}

/** The same on blocks of `grain` steps, from below. */
export function coarsened(objective: Objective, grain: number): Objective {
  return {
    ...objective,
    wasserstein: objective.wasserstein * grain,
    magnitude: objective.magnitude * grain,
    variance: objective.variance * grain * grain,
    tails: objective.tails.map(({ beyond, weight }) => ({ beyond: Math.floor(beyond / grain), weight })),
  };
}

/** What is the least, in words. */
export function objectiveWords({ text }: Objective): string {
  const words: Record<string, string> = {
    wasserstein: 'Wasserstein distance W of output from input',
    magnitude: 'E|θ|',
    variance: 'E θ²',
    kl: 'Kullback-Leibler divergence KL(input ‖ output)',
    js: 'Jensen-Shannon divergence of output from input',
  };
  const tail = /^tail:([^,=]+)$/.exec(text);
  return words[text] ?? (tail ? `P(|θ| > ${tail[1]})` : text);
}
