// What one person's change can look like in one release: the loss of each shift within the adjacency, less those that another
// dominates at every ε, negative ones too.

import { toNumberUp } from '../exact/index.js';
import { rememberedBy } from '../mechanism/index.js';
import { isUnimodal, type Pmf } from '../pmf/index.js';
import { dominates, type Sorted, sortedPairs } from './dominance.js';
import { dotted } from './dots.js';
import { type Losses, lossesOf, wholeOf } from './losses.js';
import { type Order, sampledLosses } from './sampling.js';

export interface Pairs {
  /** Of actual shifts: none dominates another. */
  readonly laws: readonly Losses[];
  /** Dominates all of them, whatever is chosen release by release; asked for only where there are several. */
  readonly dominating: () => Losses;
}

/** Shifts times losses up to which dominance is decided in integers. */
const MOST = 400_000;

/** For a change by up to `adjacency` steps either way; a sampled release also has an order, of coming or going. */
export function pairsOf(pmf: Pmf, adjacency: number, sampling: number | null, order: Order): Pairs {
  return knownPairs(pmf, JSON.stringify([adjacency, sampling, order]));
}

const knownPairs = rememberedBy((pmf: Pmf, key: string): Pairs => {
  const [adjacency, sampling, order] = JSON.parse(key) as [number, number | null, Order];
  const core = symmetricCore(pmf);
  const lawOf = (own: Pmf) => (shift: number) =>
    sampling === null ? lossesOf(own, shift) : sampledLosses(own, shift, sampling, order);
  const laws = core
    ? maximal(core.pmf, adjacency, [1])
        .map(lawOf(core.pmf))
        .map((law) => beside(law, core.left, core.skew))
    : maximal(pmf, adjacency, isSymmetric(pmf) ? [1] : [1, -1]).map(lawOf(pmf));
  return {
    laws,
    dominating: () => (laws.length === 1 ? laws[0]! : dotted(laws)),
  };
});

/** Shifts, of these signs, that no other one dominates. Dominance passes on to sampled releases (proofs/account.md). */
function maximal(pmf: Pmf, adjacency: number, both: readonly number[]): number[] {
  // Unimodal noise is at its worst at the largest shift (proofs/profile.md).
  if (isUnimodal(pmf)) return both.map((sign) => sign * adjacency);
  const all = both.flatMap((sign) => Array.from({ length: adjacency }, (_, i) => sign * (adjacency - i)));
  if (all.length * (pmf.weights.length + adjacency) > MOST) return all;
  const kept: { readonly shift: number; readonly pairs: Sorted }[] = [];
  for (const shift of all) {
    const pairs = sortedPairs(pmf, shift, adjacency);
    if (pairs === null) return all;
    if (kept.some((other) => dominates(other.pairs, pairs))) continue;
    const left = kept.filter((other) => !dominates(pairs, other.pairs));
    kept.splice(0, kept.length, ...left, { shift, pairs });
  }
  return kept.map(({ shift }) => shift);
}

/** Mass that may be taken for infinite loss where noise is its own mirror image but for that. */
const LEFT = 1e-30;
/** Weights that differ by a smaller part than 2 to minus this are taken for each other's. */
const SKEW_BITS = 64n;

/**
 * A window that is its own mirror image but for next to nothing at its ends, without that: noise is then a mix of the two, and δ at
 * most that of the first, and all of the second. Up and down are the same, or nearly where weights are rounded, so there is one law
 * where there would be two.
 */
function symmetricCore(pmf: Pmf): { readonly pmf: Pmf; readonly left: number; readonly skew: number } | null {
  const { weights, left, right } = pmf;
  if (left || right || isSymmetric(pmf)) return null;
  const last = weights.length - 1;
  let mode = 0;
  for (let i = 1; i <= last; i++) if (weights[i]! > weights[mode]!) mode = i;
  for (const sum of [2 * mode, 2 * mode - 1, 2 * mode + 1]) {
    const [from, to] = [Math.max(0, sum - last), Math.min(last, sum)];
    const core = { ...pmf, from: pmf.from + from, weights: weights.slice(from, to + 1) };
    if (core.weights.length === 0 || !isNearlySymmetric(core.weights)) continue;
    let cut = 0n;
    for (let i = 0; i < from; i++) cut += weights[i]!;
    for (let i = to + 1; i <= last; i++) cut += weights[i]!;
    const part = toNumberUp({ num: cut, den: wholeOf(core).num + cut });
    if (part <= LEFT) return { pmf: core, left: part, skew: 2 ** -Number(SKEW_BITS) };
  }
  return null;
}

function isNearlySymmetric(weights: readonly bigint[]): boolean {
  return weights.every((weight, i) => {
    const other = weights[weights.length - 1 - i]!;
    if (weight === other) return true;
    const apart = weight > other ? weight - other : other - weight;
    return apart << SKEW_BITS <= (weight < other ? weight : other);
  });
}

/** A law to which a mass is added that may be infinite loss, or none of it; all weights may be off by a part `skew`. */
function beside(law: Losses, left: number, skew: number): Losses {
  return {
    ...law,
    infinite: { lower: 0, upper: law.infinite.upper * (1 + 4 * skew) + left },
    missing: law.missing * (1 + 4 * skew) + left,
    lossError: law.lossError + 4 * skew,
    massError: law.massError + 2 * left + 4 * skew,
  };
}

/** Is it its own mirror image, about any point? Then up and down are the same. */
export function isSymmetric({ weights, left, right }: Pmf): boolean {
  if ((left === null) !== (right === null)) return false;
  if (left && right) {
    const same =
      left.period === right.period && left.ratio.num * right.ratio.den === right.ratio.num * left.ratio.den;
    if (!same) return false;
  }
  return weights.every((weight, i) => weight === weights[weights.length - 1 - i]);
}
