// The same releases by the rules that others use, each as an upper bound, for comparison.

import { gaussianDelta, gaussianMu } from './gdp.js';
import type { Losses } from './losses.js';
import { concentratedRho, cutOf, ORDERS, renyiOfAll } from './renyi.js';

/** Releases of one kind: the laws of its worst shifts, and its own exact ε(δ). */
export interface Kind {
  readonly laws: readonly Losses[];
  readonly times: number;
  /** An upper bound on the least ε at δ of one release; infinite where there is none. */
  readonly epsilonAt: (delta: number) => number;
}

export type Rule = 'basic' | 'advanced' | 'zcdp' | 'renyi' | 'gdp';

/** A rule's ε at a δ, and its δ at an ε; null where it has none. */
export interface Compared {
  /** An upper bound on the least ε at a δ. */
  readonly epsilonAt: (delta: number) => number | null;
  /** An upper bound on the δ at an ε. */
  readonly deltaAt: (epsilon: number) => number | null;
}

/** What is set apart for each noised value, of δ. */
const APART = 1e-9;
/** No δ below this is looked for. */
const LEAST = 1e-250;

/** Each is worked out when it is asked. */
export function comparisonOf(kinds: readonly Kind[]): Readonly<Record<Rule, Compared>> {
  return {
    basic: byEpsilon(once((delta) => basic(kinds, delta))),
    advanced: byEpsilon(once((delta) => advanced(kinds, delta))),
    zcdp: whenAsked(() => concentrated(kinds)),
    renyi: whenAsked(() => renyi(kinds)),
    gdp: gaussian(kinds),
  };
}

function whenAsked(make: () => Compared): Compared {
  let made: Compared | null = null;
  const rule = () => {
    made ??= make();
    return made;
  };
  return { epsilonAt: (delta) => rule().epsilonAt(delta), deltaAt: (epsilon) => rule().deltaAt(epsilon) };
}

function count(kinds: readonly Kind[]): number {
  return kinds.reduce((sum, { times }) => sum + times, 0);
}

function once(compute: (delta: number) => number): (delta: number) => number {
  const known = new Map<number, number>();
  return (delta) => {
    if (!known.has(delta)) known.set(delta, compute(delta));
    return known.get(delta)!;
  };
}

/** ε and δ add up: every release gets the same share of δ. */
function basic(kinds: readonly Kind[], delta: number): number {
  const sum = (share: number) =>
    kinds.reduce((all, { times, epsilonAt }) => all + times * epsilonAt(share), 0);
  const pure = sum(0);
  return Math.min(pure, sum(delta / count(kinds))) * (1 + 1e-12);
}

/** [KOV, Thm 3.5]: half of δ for the releases where they are not pure, half for their sum. */
function advanced(kinds: readonly Kind[], delta: number): number {
  const isPure = kinds.every(({ epsilonAt }) => Number.isFinite(epsilonAt(0)));
  const share = isPure ? 0 : delta / 2 / count(kinds);
  const left = Math.log(1 / (isPure ? delta : delta / 2));
  let [plain, drift, squares] = [0, 0, 0];
  for (const { times, epsilonAt } of kinds) {
    const epsilon = epsilonAt(share);
    plain += times * epsilon;
    drift += times * epsilon * Math.tanh(epsilon / 2);
    squares += times * epsilon * epsilon;
  }
  return Math.min(plain, drift + Math.sqrt(2 * left * squares)) * (1 + 1e-12);
}

/** A rule for ε; δ is found by halving. */
function byEpsilon(epsilonOf: (delta: number) => number): Compared {
  return {
    epsilonAt: (delta) => orNull(epsilonOf(delta)),
    deltaAt: (epsilon) => {
      if (!(epsilonOf(0.999) <= epsilon)) return null;
      let [low, high] = [Math.log(LEAST), 0];
      if (epsilonOf(LEAST) <= epsilon) return epsilonOf(0) <= epsilon ? 0 : LEAST;
      for (let i = 0; i < 60 && high - low > 1e-6; i++) {
        const middle = (low + high) / 2;
        if (epsilonOf(Math.exp(middle)) <= epsilon) high = middle;
        else low = middle;
      }
      return Math.exp(high) * (1 + 1e-9);
    },
  };
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** By D_α at whichever order says most, converted by [CKS, Prop 12]. */
function byOrders(divergenceAt: (order: number) => number, cut: number): Compared {
  const known = new Map<number, number>();
  const divergence = (order: number) => {
    if (!known.has(order)) known.set(order, divergenceAt(order));
    return known.get(order)!;
  };
  return {
    epsilonAt: (delta) => {
      const left = delta - cut;
      if (!(left > 0)) return null;
      const found = leastOf(
        (order) =>
          divergence(order) +
          (Math.log(1 / left) + (order - 1) * Math.log1p(-1 / order) - Math.log(order)) / (order - 1),
      );
      return orNull(Math.max(0, found) * (1 + 1e-12));
    },
    deltaAt: (epsilon) => {
      const found = leastOf(
        (order) =>
          (order - 1) * (divergence(order) - epsilon) + order * Math.log1p(-1 / order) - Math.log(order - 1),
      );
      return Math.min(1, Math.max(Number.MIN_VALUE, Math.exp(found) * (1 + 1e-9)) + cut);
    },
  };
}

/** Orders that are looked at first. */
const APART_AT_FIRST = 24;

/** The least over the orders, of what falls and then rises: whichever order is found holds. */
function leastOf(of: (order: number) => number): number {
  let best = { at: 0, value: Infinity };
  const look = (at: number) => {
    const order = ORDERS[at];
    if (order === undefined) return;
    const value = of(order);
    if (value < best.value) best = { at, value };
  };
  for (let at = 0; at < ORDERS.length; at += APART_AT_FIRST) look(at);
  for (let apart = APART_AT_FIRST / 2; apart >= 1; apart = Math.floor(apart / 2)) {
    const { at } = best;
    look(at - apart);
    look(at + apart);
  }
  return best.value;
}

/** What is cut off once, of all releases. */
export function cutOfAll(kinds: readonly Kind[]): number {
  return kinds.reduce((sum, { laws, times }) => sum + times * Math.max(...laws.map(cutOf)), 0);
}

function renyi(kinds: readonly Kind[]): Compared {
  return byOrders((order) => renyiOfAll(kinds, order), cutOfAll(kinds));
}

/** ρ of all, and from there as if D_α = ρα. */
function concentrated(kinds: readonly Kind[]): Compared {
  const rho = concentratedRho(kinds);
  return byOrders((order) => rho * order, cutOfAll(kinds));
}

/** μ of all: the root of Σ μ²; null where a release has none. */
export function muOf(kinds: readonly Kind[], delta: number): number | null {
  let squares = 0;
  for (const { laws, times } of kinds) {
    const all = laws.map((law) => gaussianMu(law, APART * delta));
    if (all.includes(null)) return null;
    squares += times * Math.max(...(all as number[])) ** 2;
  }
  return Math.sqrt(squares) * (1 + 1e-12);
}

function gaussian(kinds: readonly Kind[]): Compared {
  const apart = (delta: number) => count(kinds) * APART * delta;
  return {
    epsilonAt: (delta) => {
      const mu = muOf(kinds, delta);
      if (mu === null) return null;
      const deltaOf = (epsilon: number) => apart(delta) + (1 - apart(delta)) * gaussianDelta(mu, epsilon);
      if (apart(delta) >= delta) return null;
      if (deltaOf(0) <= delta) return 0;
      let [low, high] = [0, mu * mu + 40 * mu];
      for (let i = 0; i < 100 && high - low > 1e-12 * high; i++) {
        const middle = (low + high) / 2;
        if (deltaOf(middle) <= delta) high = middle;
        else low = middle;
      }
      return deltaOf(high) <= delta ? high : null;
    },
    deltaAt: (epsilon) => {
      // τ is a part of a δ that is not known: of the least one that holds.
      let found: number | null = null;
      for (let delta = 0.1, i = 0; i < 8; i++) {
        const mu = muOf(kinds, delta);
        if (mu === null) return found;
        const next = apart(delta) + (1 - apart(delta)) * gaussianDelta(mu, epsilon);
        if (found !== null && next > 0.5 * found) return Math.min(found, next);
        found = found === null ? next : Math.min(found, next);
        delta = Math.max(LEAST, next);
      }
      return found;
    },
  };
}
