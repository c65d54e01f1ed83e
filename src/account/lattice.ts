// The inversion (blurred.ts) for losses on progressions of one spacing: nothing is blurred, nothing is put on a grid. Where a release
// may follow one of several laws, the transform of each is worked out once and serves every mix of them.

import { type Around, type Bracket, CLOSE, grown, grownMost, growthOf, tailsOf } from './aliases.js';
import type { Inversion, Limits } from './blurred.js';
import { type Choice, lawsOf, type Mix, mostOf, rememberedMix, spectrumOfMix, sumOf } from './choices.js';
import { latticeKernel } from './kernel.js';
import { UNIT } from './losses.js';
import type { Progression } from './progression.js';
import { MOST_BLOCKS, runsOf } from './runs.js';
import { BLOCK, type Decay, decayOf, type Part, partsOf } from './spectrum.js';
import { summed, weighted } from './terms.js';
import { checkWork, tooLarge } from './work.js';

/** Multiplications above which losses are better blurred. */
const MUCH_WORK = 1e9;
/** Frequencies up to which all of them, from the first on, are worked out. */
const FIRST = 4096;

/** `progressions` are of one spacing, one for each law. */
export function invertOnLattice(
  choices: readonly Choice[],
  progressions: readonly Progression[],
  c: number,
  around: Around,
  { most = Infinity }: Limits = {},
): Inversion {
  const { spacing } = progressions[0]!;
  const laws = lawsOf(choices);
  const growths = laws.map(({ losses }, i) => growthOf(losses, c, progressions[i]!.off));
  const parts = partsOf(laws, c, progressions);
  const growth = grownMost(growths, choices);
  const period = tailsOf(growth, c, 0).periodFor(around);
  const half = Math.max(4, Math.ceil(period / spacing / 2));
  const nodes = 2 * half + 1;
  const turn = (2 * Math.PI) / (nodes * spacing);
  const largest = latticeKernel(c, 0, spacing)(0).size;
  const small = (CLOSE * nodes * Math.exp(around.logDelta - growth.value + c * around.epsilon)) / largest;
  const plan =
    firstOnes(choices, parts, half, turn, small, largest) ??
    manyRuns(choices, parts, half, turn, small * largest, (t) => latticeKernel(c, 0, spacing)(t).size);
  if (plan === null || plan.frequencies > most) throw tooLarge(plan?.frequencies ?? half + 1, parts);
  checkWork(parts, plan.frequencies, MUCH_WORK);
  const rest = plan.rest / nodes;
  const spectra = plan.runs.map(({ first, count }) => spectrumOfMix(choices, parts, turn, first, count));
  const spectraOf = rememberedMix((mix) => spectra.map((spectrum) => spectrum(mix)));
  const means = parts.map(({ mean }) => mean);
  const offsets = progressions.map(({ offset }) => offset);
  const sizes = offsets.map(Math.abs);
  const offs = progressions.map(({ off }) => off);
  const at = (mix: Mix, epsilon: number): Bracket => {
    const start = sumOf(mix, offsets);
    // The first place above ε; phases are taken from there.
    const first = Math.floor((epsilon - start) / spacing) + 1;
    const ahead = Math.max(0, start + first * spacing - epsilon);
    const centre = sumOf(mix, means);
    const slip = (laws.length + 4) * UNIT * (centre + Math.abs(first)) * spacing;
    const terms = weighted(spectraOf(mix), turn, latticeKernel(c, ahead, spacing));
    const { sum, error } = summed(terms, turn, (centre - first) * spacing, nodes, slip);
    return tailsOf(grown(growths, mix), c, 0).bracket(epsilon, sum, error + rest, nodes * spacing);
  };
  const slack = (mix: Mix, epsilon: number) =>
    sumOf(mix, offs) * (1 + 1e-9) + (laws.length + 7) * UNIT * (sumOf(mix, sizes) + Math.abs(epsilon));
  return {
    frequencies: plan.frequencies,
    lowerAt: (mix, epsilon) => at(mix, epsilon + slack(mix, epsilon)).lower,
    upperAt: (mix, epsilon) => at(mix, epsilon - slack(mix, epsilon)).upper,
  };
}

interface Plan {
  readonly runs: readonly { readonly first: number; readonly count: number }[];
  readonly frequencies: number;
  /** What all the others add up to at most. */
  readonly rest: number;
}

/** The frequencies up to where next to nothing is left; null where these are many. */
function firstOnes(
  choices: readonly Choice[],
  parts: readonly Part[],
  half: number,
  turn: number,
  small: number,
  largest: number,
): Plan | null {
  const decays = parts.map(decayOf);
  const plan = (count: number, left: number) => ({
    runs: [{ first: 0, count }],
    frequencies: count,
    rest: left * largest,
  });
  for (let tried = 16; tried <= Math.min(half, FIRST); tried = Math.ceil(tried * 1.2)) {
    const left = 2 * remainder(choices, decays, tried, half, turn);
    if (left <= small) return plan(tried, left);
  }
  return half < FIRST ? plan(half + 1, 0) : null;
}

/** Runs of frequencies all over the circle: two large losses far apart make the transform large again and again. */
function manyRuns(
  choices: readonly Choice[],
  parts: readonly Part[],
  half: number,
  turn: number,
  small: number,
  sizeFrom: (t: number) => number,
): Plan | null {
  const blocks = Math.ceil((half + 1) / BLOCK);
  if (blocks > MOST_BLOCKS) return null;
  let rest = 0;
  const leave = (_: number, size: number) => {
    rest += size;
  };
  // Beyond half a turn the circle comes round again.
  const within = (t: number) => sizeFrom(Math.min(t, half * turn));
  const { runs, frequencies } = runsOf(choices, parts, turn, { blocks, sizeFrom: within, small, leave });
  const last = runs.at(-1);
  const cut = last ? Math.max(0, last.first + last.count - half - 1) : 0;
  return {
    runs: runs.map((run) => (run === last ? { ...run, count: run.count - cut } : run)),
    frequencies: frequencies - cut,
    rest,
  };
}

/** An upper bound on Σ |Π φ^times| over k from `first` to `last`, for every mix. */
function remainder(
  choices: readonly Choice[],
  decays: readonly Decay[],
  first: number,
  last: number,
  turn: number,
): number {
  let sum = 0;
  for (let low = first; low <= last; ) {
    const high = Math.min(last, Math.max(low, Math.floor(low * 1.05)));
    const log = mostOf(choices, (i) => decays[i]!.over(low * turn, high * turn));
    sum += (high - low + 1) * Math.exp(log);
    low = high + 1;
  }
  return sum * (1 + 1e-9);
}
