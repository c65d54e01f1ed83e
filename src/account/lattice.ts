// The inversion (blurred.ts) for losses on progressions of one spacing: nothing is blurred, nothing is put on a grid. Where a release
// may follow one of several laws, the transform of each is worked out once and serves every mix of them.

import { type Around, type Bracket, CLOSE, grown, growthOf, tailsOf } from './aliases.js';
import { latticeKernel } from './kernel.js';
import { type Losses, UNIT } from './losses.js';
import type { Progression } from './progression.js';
import { type Decay, decayOf, partsOf, type Spectrum, spectrumOf } from './spectrum.js';
import { summed, weighted } from './terms.js';
import { checkWork } from './work.js';

/** Releases that may each follow any one of several laws. */
export interface Choice {
  readonly laws: readonly Losses[];
  readonly times: number;
}

/** How many releases follow each law, in the order of the choices and of their laws. */
export type Mix = ArrayLike<number>;

export interface LatticeInversion {
  /** Bounds on δ(ε) of a mix, of the finite losses alone. */
  readonly lowerAt: (mix: Mix, epsilon: number) => number;
  readonly upperAt: (mix: Mix, epsilon: number) => number;
  /** Frequencies that were worked out. */
  readonly frequencies: number;
}

/** `progressions` are of one spacing, one for each law. */
export function invertOnLattice(
  choices: readonly Choice[],
  progressions: readonly Progression[],
  c: number,
  around: Around,
): LatticeInversion {
  const { spacing } = progressions[0]!;
  const laws = choices.flatMap(({ laws: own, times }) => own.map((losses) => ({ losses, times })));
  const growths = laws.map(({ losses }) => growthOf(losses, c));
  const parts = partsOf(laws, c, progressions);
  const decays = parts.map(decayOf);
  /** The most of any mix. */
  const most = (of: (law: number) => number) => mostOf(choices, of);
  const value = most((i) => growths[i]!.value);
  const further = growths[0]!.further.map((_, j) => most((i) => growths[i]!.further[j]!));
  const period = tailsOf({ value, error: 0, masses: 0, further }, c, 0).periodFor(around);
  const half = Math.max(4, Math.ceil(period / spacing / 2));
  const nodes = 2 * half + 1;
  const turn = (2 * Math.PI) / (nodes * spacing);
  const largest = latticeKernel(c, 0, spacing)(0).size;
  const small = (CLOSE * nodes * Math.exp(around.logDelta - value + c * around.epsilon)) / largest;
  let [count, rest] = [half + 1, 0];
  for (let tried = 16; tried <= half; tried = Math.ceil(tried * 1.2)) {
    const left = 2 * remainder(choices, decays, tried, half, turn);
    if (left > small) continue;
    [count, rest] = [tried, (left * largest) / nodes];
    break;
  }
  checkWork(parts, count);
  const spectra = parts.map((part) => spectrumOf([{ ...part, times: 1 }], turn, 0, count));
  const means = parts.map(({ mean }) => mean);
  const offsets = progressions.map(({ offset }) => offset);
  const offs = progressions.map(({ off }) => off);
  const at = (mix: Mix, epsilon: number): Bracket => {
    const start = dot(mix, offsets);
    // The first place above ε; phases are taken from there.
    const first = Math.floor((epsilon - start) / spacing) + 1;
    const ahead = Math.max(0, start + first * spacing - epsilon);
    const centre = dot(mix, means);
    const slip = (laws.length + 4) * UNIT * (centre + Math.abs(first)) * spacing;
    const terms = weighted([mixed(spectra, mix)], turn, latticeKernel(c, ahead, spacing));
    const { sum, error } = summed(terms, turn, (centre - first) * spacing, nodes, slip);
    return tailsOf(grown(growths, mix), c, 0).bracket(epsilon, sum, error + rest, nodes * spacing);
  };
  const slack = (mix: Mix, epsilon: number) =>
    dot(mix, offs) * (1 + 1e-9) +
    (laws.length + 7) * UNIT * (dot(mix, offsets, Math.abs) + Math.abs(epsilon));
  return {
    frequencies: count,
    lowerAt: (mix, epsilon) => at(mix, epsilon + slack(mix, epsilon)).lower,
    upperAt: (mix, epsilon) => at(mix, epsilon - slack(mix, epsilon)).upper,
  };
}

function dot(mix: Mix, values: readonly number[], of = (x: number) => x): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += mix[i]! * of(values[i]!);
  return sum;
}

/** The most that a mix can give, if each release of a law gives so much. */
export function mostOf(choices: readonly Choice[], of: (law: number) => number): number {
  let [sum, law] = [0, 0];
  for (const { laws, times } of choices) {
    let most = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < laws.length; j++) most = Math.max(most, of(law++));
    sum += times * most;
  }
  return sum;
}

/** Π φ^times over the laws of a mix. */
function mixed(spectra: readonly Spectrum[], mix: Mix): Spectrum {
  const count = spectra[0]!.log.length;
  const array = () => new Float64Array(count);
  const [log, phase, most, off] = [array(), array(), array(), array()];
  for (let i = 0; i < spectra.length; i++) {
    const [own, times] = [spectra[i]!, mix[i]!];
    if (times === 0) continue;
    for (let n = 0; n < count; n++) {
      log[n]! += times * own.log[n]!;
      phase[n]! += times * own.phase[n]!;
      most[n]! += times * own.most[n]!;
      // Phases may cancel, their roundings do not.
      off[n]! += times * (own.off[n]! + 4 * UNIT * Math.abs(own.phase[n]!));
    }
  }
  return { first: 0, log, phase, most, off };
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
