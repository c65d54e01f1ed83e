// The inversion (blurred.ts) for losses on progressions of one spacing: nothing is blurred, nothing is put on a grid. Where a release
// may follow one of several laws, the transform of each is worked out once and serves every mix of them.

import { type Around, type Bracket, CLOSE, grown, grownMost, growthOf, tailsOf } from './aliases.js';
import type { Inversion } from './blurred.js';
import { type Choice, lawsOf, type Mix, mostOf, rememberedMix, spectrumOfMix, sumOf } from './choices.js';
import { latticeKernel } from './kernel.js';
import { UNIT } from './losses.js';
import type { Progression } from './progression.js';
import { type Decay, decayOf, partsOf } from './spectrum.js';
import { summed, weighted } from './terms.js';
import { checkWork, tooLarge } from './work.js';

/** Multiplications above which losses are better blurred. */
const MUCH_WORK = 4e8;

/** `progressions` are of one spacing, one for each law; with `most` frequencies. */
export function invertOnLattice(
  choices: readonly Choice[],
  progressions: readonly Progression[],
  c: number,
  around: Around,
  most = Infinity,
): Inversion {
  const { spacing } = progressions[0]!;
  const laws = lawsOf(choices);
  const growths = laws.map(({ losses }, i) => growthOf(losses, c, progressions[i]!.off));
  const parts = partsOf(laws, c, progressions);
  const decays = parts.map(decayOf);
  const growth = grownMost(growths, choices);
  const period = tailsOf(growth, c, 0).periodFor(around);
  const half = Math.max(4, Math.ceil(period / spacing / 2));
  const nodes = 2 * half + 1;
  const turn = (2 * Math.PI) / (nodes * spacing);
  const largest = latticeKernel(c, 0, spacing)(0).size;
  const small = (CLOSE * nodes * Math.exp(around.logDelta - growth.value + c * around.epsilon)) / largest;
  let [count, rest] = [half + 1, 0];
  for (let tried = 16; tried <= half; tried = Math.ceil(tried * 1.2)) {
    const left = 2 * remainder(choices, decays, tried, half, turn);
    if (left > small) continue;
    [count, rest] = [tried, (left * largest) / nodes];
    break;
  }
  if (count > most) throw tooLarge(count, parts);
  checkWork(parts, count, MUCH_WORK);
  const spectrum = rememberedMix(spectrumOfMix(choices, parts, turn, 0, count));
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
    const terms = weighted([spectrum(mix)], turn, latticeKernel(c, ahead, spacing));
    const { sum, error } = summed(terms, turn, (centre - first) * spacing, nodes, slip);
    return tailsOf(grown(growths, mix), c, 0).bracket(epsilon, sum, error + rest, nodes * spacing);
  };
  const slack = (mix: Mix, epsilon: number) =>
    sumOf(mix, offs) * (1 + 1e-9) + (laws.length + 7) * UNIT * (sumOf(mix, sizes) + Math.abs(epsilon));
  return {
    frequencies: count,
    lowerAt: (mix, epsilon) => at(mix, epsilon + slack(mix, epsilon)).lower,
    upperAt: (mix, epsilon) => at(mix, epsilon - slack(mix, epsilon)).upper,
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
