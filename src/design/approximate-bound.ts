// What no (ε, δ)-DP noise on the whole lattice can do better than, from the duals of the blocks (proofs/approximate-noise.md).

import type { ApproximateProblem, Blocks } from './blocks.js';
import { costAt, slopeAt } from './objective.js';
import { type Transport, transportOf } from './transport.js';

/**
 * The Lagrangian bound on the whole lattice: for any y within ±1 and 0 ≤ z_s(j) ≤ budget_s, every (ε, δ)-DP
 * noise costs at least min_k [c_y(k) + Σ_s (z_s(k) − e^ε·z_s(k − s))] − δ·Σ_s budget_s, where z_s(j) belongs
 * to the row p(j) − e^ε·p(j + s). Rounded downward. Beyond the noise's support the solver's z mean nothing;
 * there the least that keeps the bracket up is passed on outward.
 */
export function boundOf(problem: ApproximateProblem, blocks: Blocks, grain: number): number {
  const { objective, prior, symmetric, growthUp, delta } = problem;
  const { reach, tilt, adjacency: m, p } = blocks;
  const shifts = symmetric ? bothWays(blocks) : blocks.shifts;
  const transport: Transport | null = prior ? transportOf(prior) : null;
  const half = (grain - 1) / 2;
  // Blocks out to where nothing is passed on any more.
  const far = reach + 64 * m + Math.ceil((transport?.rows ?? 0) / grain);
  const wide = far * grain + half;
  const y = Float64Array.from({ length: transport?.rows ?? 0 }, (_, k) => dualAt(blocks.y, k, grain));
  const moved = transport?.cost(y, wide);
  const fineCost = (k: number) =>
    costAt(objective, k) +
    (moved ? objective.wasserstein * (moved.values[wide + k]! - moved.error * Math.abs(k)) : 0) +
    (tilt * k) / grain;
  const cost = new Float64Array(2 * far + 1);
  for (let block = -far; block <= far; block++) {
    let least = Infinity;
    for (let k = block * grain - half; k <= block * grain + half; k++)
      least = Math.min(least, symmetric ? (fineCost(k) + fineCost(-k)) / 2 : fineCost(k));
    cost[far + block] = least;
  }
  // The support, and the rows that start in it.
  const least = 1e-6 * delta;
  let [low, high] = [-reach, reach];
  while (low < 0 && p[reach + low]! < least) low++;
  while (high > 0 && p[reach + high]! < least) high--;
  const into = new Float64Array(2 * far + 1);
  const out = new Float64Array(2 * far + 1);
  let spent = 0;
  for (const { shift, budget, z } of shifts) {
    spent += budget;
    for (let j = low; j <= high; j++) {
      const v = Math.max(0, Math.min(budget, z[reach + j]!));
      out[far + j]! += v;
      into[far + j + shift]! += v;
    }
  }
  const bracket = (k: number) => {
    const [v, w] = [out[far + k]!, growthUp * into[far + k]!];
    return cost[far + k]! + v - w - 2 ** -52 * (4 * shifts.length + 16) * (Math.abs(cost[far + k]!) + v + w);
  };
  let level = Infinity;
  for (let k = low; k <= high; k++) level = Math.min(level, bracket(k));
  for (const side of [1, -1]) {
    const outward = shifts
      .filter(({ shift }) => shift * side > 0)
      .sort((a, b) => Math.abs(b.shift) - Math.abs(a.shift));
    for (let k = side > 0 ? high + 1 : low - 1; Math.abs(k) <= far - m; k += side) {
      let missing = (level - bracket(k)) * (1 + 2 ** -30);
      for (const { shift, budget } of outward) {
        if (!(missing > 0)) break;
        const v = Math.min(budget, missing);
        out[far + k]! += v;
        into[far + k + shift]! += v;
        missing -= v;
      }
    }
  }
  for (let k = -far; k <= far; k++) level = Math.min(level, bracket(k));
  const bound = (level - delta * spent * (1 + 2 ** -40)) * (1 - 2 ** -50);
  // Beyond the blocks the cost only grows, if the mean's dual does not outweigh it.
  return Math.abs(tilt) / grain <= slopeAt(objective, wide) ? Math.max(0, bound) : 0;
}

/** Symmetric noise has the same profile at ±s: half of a shift's duals either way. */
function bothWays({ shifts }: Blocks): Blocks['shifts'] {
  return shifts.flatMap(({ shift, budget, z }) => {
    const halved = z.map((v) => v / 2);
    return [
      { shift, budget: budget / 2, z: halved },
      { shift: -shift, budget: budget / 2, z: halved.slice().reverse() },
    ];
  });
}

function dualAt(y: Float64Array, k: number, grain: number): number {
  if (grain === 1) return y[k]!;
  const row = Math.floor((k + 1) / grain) - 1;
  if (row < 0) return y[0] ?? 0;
  return y[Math.min(row, y.length - 1)] ?? 0;
}
