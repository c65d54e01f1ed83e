// The paper's setting: Δ = 1, its two inputs, its mechanisms at a target, and further inputs to try them on.

import {
  alternatives,
  type Design,
  design,
  leastMagnitude,
  outputDistance,
  parseObjective,
} from '../design/index.js';
import { parseDecimal, rational, toNumberNear } from '../exact/index.js';
import { compile } from '../mechanism/index.js';
import { lastIndex, makePmf, moments, type Pmf, probabilities, windowPmf } from '../pmf/index.js';
import { parseNoise, parsePrior } from '../spec/index.js';

export const step = rational(1n);
const noTable = () => [];

export function noiseOf(text: string) {
  return parseNoise(text, step, noTable);
}

export function pmfOf(text: string): Pmf {
  return compile(noiseOf(text), 1, { epsilon: rational(0n), delta: rational(0n) }).pmf;
}

function within(pmf: Pmf, low: number, high: number): Pmf {
  const [from, to] = [Math.max(low, pmf.from), Math.min(high, lastIndex(pmf))];
  return makePmf({ ...pmf, from, weights: pmf.weights.slice(from - pmf.from, to - pmf.from + 1) });
}

function prior(text: string): Pmf {
  return parsePrior(text, step, { table: noTable, column: noTable, columnIsPublic: false }).pmf;
}

/** The Gaussian input on −60 … 60 and the Poisson input on 0 … 40, renormalised. */
export function paperInputs(): { readonly name: string; readonly pmf: Pmf }[] {
  return [
    { name: 'Gaussian σ = 10', pmf: within(prior('gaussian:sigma=10'), -60, 60) },
    { name: 'Poisson γ = 5', pmf: within(prior('poisson:rate=5'), 0, 40) },
  ];
}

/** More inputs: skewed, with several modes, in atoms, and what the caller has (its example data). */
export function furtherInputs(more: readonly { readonly name: string; readonly pmf: Pmf }[]) {
  const weighed = (points: number, weight: (k: number) => number) => {
    const weights = Array.from({ length: points }, (_, k) => BigInt(Math.round(weight(k))));
    return windowPmf(step, 0, weights);
  };
  const bell = (k: number, at: number, width: number) => Math.exp(-(((k - at) / width) ** 2) / 2);
  const modes = (k: number) => 1e9 * (bell(k, 15, 4) + 0.6 * bell(k, 60, 6)) + 1;
  const atoms: Readonly<Record<number, number>> = { 0: 5, 20: 3, 50: 2 };
  return [
    ...paperInputs(),
    { name: 'two modes', pmf: weighed(81, modes) },
    { name: 'Zipf 1.5 on 40 points', pmf: weighed(40, (k) => 1e9 / (k + 1) ** 1.5) },
    { name: 'three atoms', pmf: weighed(51, (k) => atoms[k] ?? 0) },
    ...more,
  ];
}

export interface Entry {
  readonly mechanism: string;
  readonly noise: string | null;
  readonly w: number;
  readonly meanAbs: number;
  readonly mean: number;
  readonly pmf: Pmf;
}

/** All mechanisms of Figures 8 and 9 at one target: the paper's own Laplacian calibration among them. */
export function mechanismsAt(
  input: Pmf,
  epsilon: string,
  adjacency: number,
): { optimum: Design; entries: Entry[] } {
  const target = { epsilon: parseDecimal(epsilon), delta: rational(0n), adjacency };
  const options = {
    objective: parseObjective('wasserstein', step),
    prior: { pmf: input, spec: 'input', cut: null },
    unbiased: false,
    symmetric: false,
  };
  const optimum = design(target, options, step);
  const entry = (mechanism: string, noise: string | null, pmf: Pmf): Entry => {
    const exact = moments(pmf);
    return {
      mechanism,
      noise,
      w: outputDistance(input, pmf),
      meanAbs: toNumberNear(exact.meanAbsolute),
      mean: toNumberNear(exact.mean),
      pmf,
    };
  };
  // Differs from [QHFL, Table V]: ε = m/λ is exact, and (m + Δ)/λ wastes (m + Δ)/m times the noise.
  const wasteful = `laplace:scale=${((adjacency + 1) / Number(epsilon)).toPrecision(15)}`;
  const others = alternatives(target, options, step).filter(({ name }) =>
    ['laplace', 'geometric', 'staircase:width=5', 'staircase:width=20'].includes(name),
  );
  // The floor of [QHFL, Eq. 2] moves noise down by Δ/2; a density that peaks at Δ/2 makes up for it, at the same ε.
  const { scale } = noiseOf(others.find(({ name }) => name === 'laplace')!.noise!).parameters;
  const centred = `laplace:scale=${scale},mu=0.5`;
  return {
    optimum,
    entries: [
      entry('optimum', null, optimum.mechanism.pmf),
      entry('P2', null, leastMagnitude(target, step)),
      ...others.map(({ name, noise, pmf }) => entry(name, noise, pmf)),
      entry('laplace-centred', centred, pmfOf(centred)),
      entry('laplace-paper', wasteful, pmfOf(wasteful)),
    ],
  };
}

/** Probabilities as points to draw. */
export function points(pmf: Pmf, low: number, high: number): { x: number; y: number }[] {
  const from = Math.min(low, pmf.from);
  const { p } = probabilities(pmf, from, Math.max(high, pmf.from + pmf.weights.length - 1));
  return Array.from({ length: high - low + 1 }, (_, i) => ({ x: low + i, y: p[low + i - from] ?? 0 }));
}
