// δ > 0: the least harmful (ε, δ)-DP noise as one linear programme in the probabilities themselves, with
// the profile's constraint at every shift. Where the window has too many points it is solved on blocks of
// `grain` points: noise that is even on each block keeps the profile at all shifts, and the duals give a
// bound on the whole lattice (proofs/approximate-noise.md).

import { boundOf } from './approximate-bound.js';
import { type ApproximateProblem, solveBlocks } from './blocks.js';
import { outlook } from './objective.js';
import { transportOf } from './transport.js';

/** Variables up to which the programme is solved point by point, and on blocks beyond. */
const MOST_POINTS = 641;
const MOST_BLOCKS = 401;

/** Probabilities on −reach … reach and none beyond, a bound that is proved on the whole lattice, and the points to a block (1: none). */
export function solveApproximate(problem: ApproximateProblem, progress: (gap: number) => void = () => {}) {
  const { adjacency: m, epsilon, delta } = problem;
  // Noise that falls by e^−ε every m points has then so little left that δ covers it; and a few stairs more.
  const { settledFrom } = outlook(problem.objective);
  const stairs = Math.log1p(Math.expm1(epsilon) / (2 * delta)) / epsilon + 3;
  const least = Math.ceil(m * stairs + settledFrom);
  const variablesOf = (reach: number) => (problem.symmetric ? reach + 1 : 2 * reach + 1);
  // Where there is room, noise may be as wide as the data.
  const wide = least + (problem.prior ? transportOf(problem.prior).rows : 0);
  const reach = variablesOf(wide) <= MOST_POINTS ? wide : least;
  const variables = variablesOf(reach);
  let grain = variables <= MOST_POINTS ? 1 : Math.ceil(variables / MOST_BLOCKS);
  if (grain % 2 === 0) grain++;
  // A divisor of the adjacency near by serves both sides at once.
  for (let odd = grain; grain > 1 && odd <= Math.min(m, 1.5 * grain); odd += 2) {
    if (m % odd === 0) {
      grain = odd;
      break;
    }
  }
  // A block wider than the adjacency would hide what the shifts must keep.
  if (grain > m) return null;
  const blocks = Math.ceil(reach / grain);
  const upper = solveBlocks(problem, grain, Math.ceil(m / grain), blocks, progress);
  const exact = m % grain === 0;
  const lower = exact ? upper : solveBlocks(problem, grain, Math.floor(m / grain), blocks, progress);
  const half = (grain - 1) / 2;
  const fine = blocks * grain + half;
  const p = new Float64Array(2 * fine + 1);
  for (let i = 0; i < p.length; i++) p[i] = upper.p[Math.floor(i / grain)]! / grain;
  return { reach: fine, p, grain, lowerBound: boundOf(problem, lower, grain) };
}
